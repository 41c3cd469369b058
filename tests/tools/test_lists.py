from __future__ import annotations

import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from slashgrammar.errors import ToolError
from slashgrammar.tools import Tool, ToolSet

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = Tool("weather", SCHEMA, "Tells the weather.")
FUNCTION = {"name": "weather", "description": "Tells the weather.", "parameters": SCHEMA}
ANTHROPIC = {"name": "weather", "description": "Tells the weather.", "input_schema": SCHEMA}
MCP = {"name": "weather", "description": "Tells the weather.", "inputSchema": SCHEMA, "annotations": {"title": "x"}}

LISTS: dict[str, Any] = {
    "OpenAI chat": [{"type": "function", "function": {**FUNCTION, "strict": True}}],
    "OpenAI responses": [{"type": "function", **FUNCTION}],
    "OpenAI request": {"model": "x", "messages": [], "tools": [{"type": "function", "function": FUNCTION}]},
    "OpenAI functions": {"functions": [FUNCTION]},
    "Anthropic": [ANTHROPIC],
    "Anthropic, custom": [{**ANTHROPIC, "type": "custom"}],
    "MCP result": {"tools": [MCP], "nextCursor": None},
    "MCP message": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}},
    "MCP client": SimpleNamespace(model_dump=lambda **options: {"tools": [MCP]}),
    "function docs": [{**FUNCTION, "parameters": {**SCHEMA, "type": "dict"}}],
    "one entry": FUNCTION,
    "a tuple": (FUNCTION,),
}


@pytest.mark.parametrize("data", LISTS.values(), ids=LISTS)
def test_known_lists(data: Any) -> None:
    assert list(ToolSet.load(data)) == [WEATHER]


def test_a_table_of_parameters() -> None:
    data = [
        {
            "name": "add",
            "description": "Adds.",
            "parameters": {"a": {"type": "number"}, "type": {"type": "string"}, "b": {"type": "number", "default": 0}},
            "returns": {"type": "number"},
        },
        {"name": "now", "parameters": {}, "returns": {"type": "string", "description": "the time"}},
        {"name": "stop", "returns": {"type": "void"}},
        {"name": "set", "parameters": {"properties": {"type": "object", "description": "of it"}}, "returns": "nothing"},
    ]
    tools = ToolSet.load(data)
    assert [tool.signature() for tool in tools] == [
        "add(a:number, type:str, b:number=0)->number # Adds.",
        "now()->the time",
        "stop()->void",
        "set(properties:object)->nothing",
    ]
    assert tools["add"].parameters["required"] == ["a", "type"]


@pytest.mark.parametrize("parameters", [None, {}, {"type": "object", "properties": {}}])
def test_tools_without_parameters(parameters: Any) -> None:
    entries = [{"name": "a"}, {"name": "b", "parameters": parameters}, {"name": "c", "inputSchema": parameters}]
    assert [tool.signature() for tool in ToolSet.load(entries)] == ["a()", "b()", "c()"]


def test_what_a_tool_returns_may_have_a_schema() -> None:
    entry = {**MCP, "outputSchema": {"type": "object", "properties": {"degrees": {"type": "float"}}}}
    assert ToolSet.load([entry])["weather"].returns == "{degrees?:number}"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (3, "found a number, expected an OpenAI, Anthropic or MCP list"),
        ([3], r"\[0\]: found a number, expected an OpenAI"),
        ({"tools": {"a": 1}}, "tools: an entry without `name`"),
        ({"tools": 3}, "tools: found a number"),
        ([{"description": "x"}], r"\[0\]: an entry without `name`"),
        ([FUNCTION, {"type": "web_search"}], r"\[1\].type: a tool of type 'web_search' runs at its vendor's"),
        ([{"type": "web_search_20250305", "name": "web_search"}], "runs at its vendor's"),
        ([{"name": 3}], r"\[0\].name: a tool needs a name, found 3"),
        ([{"name": "a b"}], r"tool 'a b' at \[0\].name: a name may not hold ' '"),
        ([{**FUNCTION, "input_schema": {}}], "has both parameters and input_schema"),
        ([{**FUNCTION, "description": ["x"]}], r"tool 'weather' at \[0\].description: expected a text, found list"),
        ([{"name": "f", "parameters": "x"}], r"tool 'f' at \[0\].parameters: expected the JSON Schema of an object"),
        (
            {"tools": [{"name": "f", "inputSchema": {"properties": {"a": {"type": "strin"}}}}]},
            r"tool 'f' at tools\[0\].inputSchema.properties.a.type: unknown type 'strin', .* did you mean string\?",
        ),
        (
            [{"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": {"maximum": []}}}}}],
            r"tool 'f' at \[0\].function.parameters.properties.a.maximum: no valid JSON Schema",
        ),
        ([{"function": {"function": FUNCTION}}], r"\[0\].function: an entry without `name`"),
        (
            {"name": "app", "version": "1"},
            "tool 'app': it has 'version' and no schema, so it is no tool; expected an Op",
        ),
        ([{"role": "user", "content": "hi", "name": "bob"}], r"tool 'bob' at \[0\]: it has 'role' and no schema"),
        ([{"function": {"name": "f", "arguments": "{}"}}], r"\[0\].function: it has 'arguments' and no schema"),
        ([{"name": "f", "parameters": {"city": "Oslo"}}], r"\[0\].parameters: neither a JSON Schema, with `type`"),
        ([{"name": "f", "parameters": {"city": {"is": "Oslo"}}}], r"\[0\].parameters: neither a JSON Schema, with"),
        ([{"name": "f", "parameters": {"properties": {"x": 7}}}], r"parameters.properties.x: no valid JSON Schema: 7"),
        ([FUNCTION, MCP], "tool 'weather': items 0 and 1 both have this name"),
    ],
)
def test_lists_that_cannot_be_used(data: Any, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        ToolSet.load(data)


def test_real_tools_of_a_server(shared_data: Path) -> None:
    path = shared_data / "github-mcp-tools.json"
    tools = ToolSet.load(path)
    assert len(tools) == 117
    assert [tool.name for tool in tools] == [entry["name"] for entry in json.loads(path.read_text())["tools"]]
    signatures = "\n".join(tool.signature(descriptions=True) for tool in tools)
    again = ToolSet.from_signatures(signatures)
    assert "\n".join(tool.signature(descriptions=True) for tool in again) == signatures


def test_real_function_docs(shared_data: Path) -> None:
    with gzip.open(shared_data / "bfcl-half.jsonl.gz", "rt", encoding="utf-8") as lines:
        sets = [ToolSet.load(json.loads(line)["tools"]) for line in lines]
    assert sum(map(len, sets)) == 3065
    types = {word for tools in sets for tool in tools for word in _types(tool.parameters)}
    assert types == {"string", "integer", "number", "boolean", "array", "object"}


def _types(schema: dict[str, Any]) -> set[str]:
    inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    return {schema["type"]}.union(*map(_types, inner)) if "type" in schema else set().union(*map(_types, inner))


def test_an_enum_beside_a_list_of_pythons_types_means_the_items() -> None:
    properties = {
        "a": {"type": "array", "items": {"type": "string"}, "enum": ["x", "y"]},
        "b": {"type": "array", "enum": [["x"]]},
        "c": {"type": "tuple", "enum": [1, 2]},
    }
    (tool,) = ToolSet.load([{"name": "f", "parameters": {"type": "dict", "properties": properties}}])
    assert tool.parameters["properties"] == {
        "a": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}},
        "b": {"type": "array", "enum": [["x"]]},
        "c": {"type": "array", "items": {"enum": [1, 2]}},
    }
    (standard,) = ToolSet.load([{"name": "f", "parameters": {"type": "object", "properties": {"a": properties["a"]}}}])
    assert standard.parameters["properties"]["a"] == properties["a"]
