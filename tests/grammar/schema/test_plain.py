"""Parameters that are compiled from remembered scalars are what the general way makes of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slashgrammar as sg
from slashgrammar.grammar.schema import arguments
from slashgrammar.grammar.schema.plain import plain_values

SCALARS: list[dict[str, Any]] = [
    {"type": "string", "description": "any text"},
    {"type": "string", "enum": ["a", "b\nc", 1, None], "default": "a"},
    {"type": "string", "pattern": "^[a-z]+$", "maxLength": 4},
    {"type": "string", "format": "date"},
    {"type": ["integer", "null"], "minimum": 0, "maximum": 100},
    {"type": "number", "multipleOf": 0.5},
    {"type": "boolean", "const": True},
    {"type": "integer", "enum": [1.0, 2, 3.5]},
]
OTHERS: list[Any] = [
    {},
    True,
    {"enum": ["a"]},
    {"type": "array"},
    {"type": "array", "items": {"type": "string"}},
    {"type": "object", "properties": {"x": {"type": "string"}}},
    {"type": "string", "anyOf": [{"minLength": 1}, {"const": ""}]},
    {"type": "string", "$ref": "#/properties/a"},
    {"type": "string", "$id": "http://example.org/"},
    {"type": "string", "maxLength": 20_000},
    {"type": "string", "pattern": "("},
    {"type": "string", "enum": [["a"], "b"]},
]


def both_ways(parameters: dict[str, Any], *, open_objects: bool = False) -> bool:
    """Whether the parameters are plain; fails where that makes a difference."""
    tool = sg.Tool("f", parameters)
    found = arguments.compile_arguments(tool, open_objects=open_objects)
    general = arguments._compile(tool.parameters, "f", open_objects)
    assert found == general
    assert list(found.rules) == list(general.rules)
    return plain_values(tool.parameters, open_objects, arguments._compile_closed) is not None


@pytest.mark.parametrize("schema", SCALARS, ids=json.dumps)
@pytest.mark.parametrize("required", [[], ["a"], ["a", "b"], ["b", "a"]])
def test_plain(schema: dict[str, Any], required: list[str]) -> None:
    properties = {"a": schema, "b": {"type": "string"}}
    assert both_ways({"type": "object", "properties": properties, "required": required})


@pytest.mark.parametrize("schema", OTHERS, ids=json.dumps)
def test_not_plain(schema: Any) -> None:
    assert not both_ways({"type": "object", "properties": {"a": {"type": "string"}, "b": schema}})


@pytest.mark.parametrize(
    "more",
    [
        {"required": ["b"]},
        {"minProperties": 1},
        {"additionalProperties": True},
        {"additionalProperties": {"type": "string"}},
        {"patternProperties": {"^b": {"type": "string"}}},
        {"allOf": [{"required": ["a"]}]},
        {"$schema": "http://json-schema.org/draft-04/schema#"},
    ],
    ids=json.dumps,
)
def test_objects_that_are_not_plain(more: dict[str, Any]) -> None:
    assert not both_ways({"type": "object", "properties": {"a": {"type": "string"}}, **more})


def test_open_objects_are_not_plain() -> None:
    parameters = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert both_ways(parameters)
    assert not both_ways(parameters, open_objects=True)
    assert both_ways({**parameters, "additionalProperties": False}, open_objects=True)


def test_a_hundred_arguments_are_plain() -> None:
    properties = {f"p{number}": {"type": "string"} for number in range(101)}
    assert not both_ways({"type": "object", "properties": properties})
    del properties["p7"]
    assert both_ways({"type": "object", "properties": properties})


def test_errors_name_the_tool_and_the_place() -> None:
    schema = {"type": "integer", "minimum": 3, "maximum": 2}
    tool = sg.Tool("f", {"type": "object", "properties": {"a": schema}, "required": ["a"]})
    with pytest.raises(sg.ToolError, match=r"tool 'f' at /properties/a: .* no value meets its schema"):
        arguments.compile_arguments(tool, open_objects=False)


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.text(max_size=3), st.sampled_from(SCALARS + OTHERS[:6]), max_size=4),
    st.data(),
)
def test_random_parameters(properties: dict[str, Any], data: st.DataObject) -> None:
    required = data.draw(st.lists(st.sampled_from(sorted(properties)), unique=True) if properties else st.just([]))
    both_ways({"type": "object", "properties": properties, "required": required})


def test_real_tools(shared_data: Path) -> None:
    tools = list(sg.ToolSet.load(shared_data / "github-mcp-tools.json"))
    with gzip.open(shared_data / "bfcl-half.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line, _ in zip(lines, range(100), strict=False):
            tools += sg.ToolSet(json.loads(line)["tools"])
    plain = [both_ways(tool.parameters) for tool in tools]
    assert sum(plain) > len(plain) // 2
