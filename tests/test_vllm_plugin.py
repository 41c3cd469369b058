"""The plugin for vLLM, loaded by its path as vLLM does, against a stand-in of the interface that vLLM publishes."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel

import slashgrammar as sg
from slashgrammar.errors import SetupError, ToolError

PLUGIN = Path(sg.__file__).with_name("vllm_plugin.py")
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}
END = 2


class FunctionCall(BaseModel):
    name: str
    arguments: str


class ToolCall(BaseModel):
    id: str
    type: str
    function: FunctionCall


class DeltaFunctionCall(BaseModel):
    name: str | None = None
    arguments: str | None = None


class DeltaToolCall(BaseModel):
    id: str | None = None
    type: str | None = None
    index: int
    function: DeltaFunctionCall | None = None


class DeltaMessage(BaseModel):
    content: str | None = None
    tool_calls: list[DeltaToolCall] = []


class ExtractedToolCallInformation(BaseModel):
    tools_called: bool
    tool_calls: list[ToolCall]
    content: str | None = None


class Tool(BaseModel):
    type: str = "function"
    function: dict[str, Any]


class Request(BaseModel):
    tools: list[Tool] | None = None
    tool_choice: Any = "auto"
    parallel_tool_calls: bool | None = True
    structured_outputs: Any = None
    skip_special_tokens: bool = True


class ToolParser:
    supports_required_and_named = True

    def __init__(self, tokenizer: Any, tools: Any = None) -> None:
        self.prev_tool_call_arr: list[dict[str, Any]] = []
        self.current_tool_id = -1
        self.current_tool_name_sent = False
        self.streamed_args_for_tool: list[str] = []
        self.model_tokenizer = tokenizer


class ToolParserManager:
    tool_parsers: ClassVar[dict[str, Any]] = {}

    @classmethod
    def register_module(cls, name: str | None = None, force: bool = True, module: Any = None) -> Any:
        cls.tool_parsers[name or module.__name__] = module
        return module


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The parsers that the plugin registers."""
    contents: dict[str, Any] = {
        "vllm": {},
        "vllm.tool_parsers": {"ToolParser": ToolParser, "ToolParserManager": ToolParserManager},
        "vllm.sampling_params": {"StructuredOutputsParams": SimpleNamespace},
        "vllm.entrypoints": {},
        "vllm.entrypoints.openai": {},
        "vllm.entrypoints.openai.protocol": {
            kind.__name__: kind
            for kind in (DeltaMessage, DeltaToolCall, ToolCall, FunctionCall, ExtractedToolCallInformation)
        },
    }
    for name, members in contents.items():
        module = ModuleType(name)
        module.__dict__.update(members)
        module.__path__ = []
        monkeypatch.setitem(sys.modules, name, module)
    _load()
    yield ToolParserManager.tool_parsers
    ToolParserManager.tool_parsers.clear()


def _load() -> None:
    spec = importlib.util.spec_from_file_location("vllm_plugin", PLUGIN)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _request(**options: Any) -> Request:
    tools = [
        Tool(function={"name": "weather", "parameters": SCHEMA}),
        Tool(function={"name": "ping", "description": "Ping."}),
    ]
    return Request(tools=tools, **options)


TOKENIZER = SimpleNamespace(all_special_ids=[END])
CALLS = [sg.Call("weather", {"city": "Paris é\n2", "days": 3}), sg.Call("ping")]


def _text(dialect: str) -> str:
    tools = sg.ToolSet.load([tool.model_dump() for tool in _request().tools or ()])
    return "Sure <b>.\n" + tools.render(CALLS, dialect=dialect)


PARSERS = [("slash", "slash"), ("slash_hermes", "hermes")]


@pytest.mark.parametrize(("name", "dialect"), PARSERS)
def test_the_request_gets_the_grammar(vllm: dict[str, Any], name: str, dialect: str) -> None:
    parser = vllm[name](TOKENIZER, None)
    request = parser.adjust_request(_request(parallel_tool_calls=False))
    tools = sg.ToolSet.load([tool.model_dump() for tool in _request().tools or ()])
    assert request.structured_outputs.grammar == tools.compile(dialect=dialect, parallel=False).gbnf
    assert request.skip_special_tokens == (dialect == "slash")
    named = SimpleNamespace(function=SimpleNamespace(name="ping"))
    grammar = parser.adjust_request(_request(tool_choice=named)).structured_outputs.grammar
    assert grammar == tools.compile(dialect=dialect, tool_choice="ping").gbnf
    assert parser.adjust_request(_request(tool_choice="none")).structured_outputs is None
    assert parser.adjust_request(Request()).structured_outputs is None
    with pytest.raises(ToolError, match="weather"):
        parser.adjust_request(Request(tools=[Tool(function={"name": "weather", "parameters": {"type": 5}})]))


@pytest.mark.parametrize(("name", "dialect"), PARSERS)
def test_a_whole_answer(vllm: dict[str, Any], name: str, dialect: str) -> None:
    found = vllm[name](TOKENIZER).extract_tool_calls(_text(dialect), _request())
    assert found.content == "Sure <b>."
    assert [(call.function.name, json.loads(call.function.arguments)) for call in found.tool_calls] == [
        (call.name, call.arguments) for call in CALLS
    ]
    plain = vllm[name](TOKENIZER).extract_tool_calls("Hello", _request())
    assert (plain.tools_called, plain.content) == (False, "Hello")
    cut = _text(dialect)[:40]
    assert vllm[name](TOKENIZER).extract_tool_calls(cut, _request()).content == cut


@pytest.mark.parametrize(("name", "dialect"), PARSERS)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_streamed_answer(vllm: dict[str, Any], name: str, dialect: str, size: int) -> None:
    parser, text = vllm[name](TOKENIZER), _text(dialect)
    pieces = [(text[start : start + size], [7]) for start in range(0, len(text), size)] + [("", [END]), ("", [END])]
    content, calls, seen = "", list[dict[str, str]](), ""
    for piece, ids in pieces:
        delta = parser.extract_tool_calls_streaming(seen, seen + piece, piece, [], ids, ids, _request())
        seen += piece
        if delta is None:
            continue
        content += delta.content or ""
        for part in delta.tool_calls:
            if part.function.name:
                assert part.index == len(calls)
                calls.append({"name": part.function.name, "arguments": ""})
            calls[part.index]["arguments"] += part.function.arguments
    assert content == "Sure <b>."
    assert [(call["name"], json.loads(call["arguments"])) for call in calls] == [(c.name, c.arguments) for c in CALLS]
    # What vLLM compares when the answer ends, to send what was not streamed.
    assert parser.streamed_args_for_tool == [call["arguments"] for call in calls]
    assert [json.dumps(call["arguments"], ensure_ascii=False) for call in parser.prev_tool_call_arr] == [
        call["arguments"] for call in calls
    ]


def test_a_vllm_that_reads_required_calls_as_json(vllm: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(ToolParser, "supports_required_and_named")
    with pytest.raises(ValueError, match="tool_choice auto"):
        vllm["slash"](TOKENIZER).adjust_request(_request(tool_choice="required"))


def test_without_vllm() -> None:
    if importlib.util.find_spec("vllm") is not None:
        pytest.skip("vLLM is installed")
    with pytest.raises(SetupError, match=r"vLLM 0\.12 or newer"):
        _load()
