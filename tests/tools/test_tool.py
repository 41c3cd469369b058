from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.errors import ToolError
from slashgrammar.prompts.example import example_call
from slashgrammar.tools import Tool, ToolSet
from tests.tools.schemas import JSON

NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}


@pytest.mark.parametrize("name", ["read", "a.b-c", "größe", "文件", "a(b)", "x/y", "=", "`", "/"])
def test_any_name_without_white_space(name: str) -> None:
    assert Tool(name, {}).name == name


@pytest.mark.parametrize("name", ["", "a b", "a\tb", "a\n", "\u00a0", "a\u2028b", "\x00", "a\x7f", "\ud800", None, 3])
def test_names_that_no_head_can_hold(name: Any) -> None:
    with pytest.raises(ToolError, match="without white space"):
        Tool(name, {})


@pytest.mark.parametrize("field", ["description", "returns"])
@pytest.mark.parametrize("text", [None, 3, "\ud800"])
def test_texts_are_texts(field: str, text: Any) -> None:
    with pytest.raises(ToolError, match=f"tool 'f' at {field}: expected a text"):
        Tool("f", {}, **{field: text})


@pytest.mark.parametrize(
    ("parameters", "normal"),
    [
        ({}, NO_ARGUMENTS),
        (None, NO_ARGUMENTS),
        ({"type": "dict"}, {"type": "object", "properties": {}}),
        ({"type": "object"}, {"type": "object", "properties": {}}),
        ({"properties": {"a": True}}, {"type": "object", "properties": {"a": True}}),
        ({"type": ["object", "null"]}, {"type": "object", "properties": {}}),
        (
            {"properties": {"a": {"type": "float"}, "b": {"type": "tuple", "items": {"type": "any", "title": "x"}}}},
            {
                "type": "object",
                "properties": {"a": {"type": "number"}, "b": {"type": "array", "items": {"title": "x"}}},
            },
        ),
        (
            {"properties": {"a": {"type": "dict"}, "b": {"type": "dict", "properties": {}}, "c": {"type": "OBJECT"}}},
            {
                "type": "object",
                "properties": {
                    "a": {"type": "object", "additionalProperties": True},
                    "b": {"type": "object", "properties": {}},
                    "c": {"type": "object"},
                },
            },
        ),
        (
            {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"$ref": "#/$defs/p", "title": "x"}, "p": {"required": ["q"]}}},
            {
                "type": "object",
                "properties": {},
                "$defs": {"a/b": {"$ref": "#/$defs/p", "title": "x"}, "p": {"required": ["q"]}},
                "title": "x",
                "required": ["q"],
            },
        ),
        (
            {"$ref": "#/$defs/p", "required": ["r"], "$defs": {"p": {"required": ["q"]}}},
            {
                "type": "object",
                "properties": {},
                "$ref": "#/$defs/p",
                "required": ["r"],
                "$defs": {"p": {"required": ["q"]}},
            },
        ),
        (
            {"properties": {"type": {"const": {"type": "dict"}}}},
            {"type": "object", "properties": {"type": {"const": {"type": "dict"}}}},
        ),
    ],
)
def test_parameters_become_one_kind_of_schema(parameters: Any, normal: dict[str, Any]) -> None:
    tool = Tool("f", parameters)
    assert tool.parameters == normal
    assert Tool("f", tool.parameters) == tool


@pytest.mark.parametrize(
    ("parameters", "place", "problem"),
    [
        ([], "parameters", "found list"),
        ("{}", "parameters", "found str"),
        ({"type": "string"}, "parameters.type", "make it a property of an object"),
        ({"properties": {"a": {"type": "strng"}}}, "parameters.properties.a.type", "did you mean string?"),
        ({"properties": {"a": {"anyOf": [{"type": "zzz"}]}}}, "parameters.properties.a.anyOf[0].type", "unknown type"),
        ({"properties": {"a": {"minimum": "3"}}}, "parameters.properties.a.minimum", "not of type"),
        ({"properties": {"a": {"default": {1, 2}}}}, "parameters.properties.a.default", "is no JSON"),
        ({"properties": {"a": {"default": float("nan")}}}, "parameters.properties.a.default", "is no JSON"),
        ({"properties": {"a": {"enum": ["\ud800"]}}}, "parameters.properties.a.enum[0]", "lone surrogate"),
        ({"properties": {"\ud800": {}}}, "parameters.properties", "lone surrogate"),
        ({"properties": {3: {}}}, "parameters.properties", "key 3 is no string"),
        ({"properties": []}, "parameters.properties", "not of type"),
        ({"required": "a"}, "parameters.required", "not of type"),
        ({"$ref": "#/$defs/a"}, "parameters.$ref", "leads to no object schema"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, "parameters.$ref", "leads to no object schema"),
    ],
)
def test_parameters_that_are_no_schema(parameters: Any, place: str, problem: str) -> None:
    with pytest.raises(ToolError) as raised:
        Tool("f", parameters)
    assert raised.value.tool == "f"
    assert raised.value.path == place
    assert problem in str(raised.value)
    assert place in str(raised.value)


def test_schemas_of_any_draft_and_of_none() -> None:
    old = {"properties": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": True}}}
    new = {"properties": {"a": {"type": "number", "exclusiveMinimum": 0}}}
    for schema in (old, new, {**new, "$schema": "https://schemas.example/unheard-of"}):
        assert Tool("f", schema).parameters["properties"] == schema["properties"]
    unreadable = {"properties": {"a": {"pattern": "[[a]*"}}}  # by ECMA-262; only compiling may say so
    assert Tool("f", unreadable).parameters["properties"] == unreadable["properties"]


def test_the_parameters_are_a_copy() -> None:
    parameters = {"properties": {"a": {"enum": [["x"]]}}}
    tool = Tool("f", parameters)
    parameters["properties"]["a"]["enum"][0].append("y")
    assert tool.parameters["properties"]["a"]["enum"] == [["x"]]


def test_nesting_is_bounded() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(49):
        deep = {"properties": {"a": deep}}
    assert Tool("f", deep)
    cyclic: dict[str, Any] = {}
    cyclic["properties"] = {"a": cyclic}
    for schema in ({"properties": {"a": deep}}, cyclic, {"default": [[[[]]]], "not": {"enum": [cyclic]}}):
        with pytest.raises(ToolError, match="more than 100 levels deep"):
            Tool("f", schema)


KEYWORDS = st.sampled_from(
    ["$defs", "additionalProperties", "allOf", "anyOf", "const", "contains", "default", "dependentSchemas",
     "description", "else", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items",
     "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "multipleOf", "not", "nullable", "oneOf",
     "pattern", "patternProperties", "prefixItems", "properties", "required", "then", "type", "uniqueItems", "x"]
)  # fmt: skip
REFERENCES = st.sampled_from(["#", "#/properties/x", "#/properties", "#/properties/x/enum", "#/x", "#/$defs/x", "a"])
ODD = st.recursive(
    JSON | st.sampled_from(["string", "object", "array", "number"]),
    lambda inner: (
        st.dictionaries(KEYWORDS, inner, max_size=4)
        | st.builds(
            lambda schema, reference: {**schema, "$ref": reference}, st.dictionaries(KEYWORDS, inner), REFERENCES
        )
        | st.lists(inner, max_size=2)
    ),
    max_leaves=8,
)


@given(st.dictionaries(KEYWORDS, ODD, max_size=4), ODD)
@settings(max_examples=200, deadline=None)
def test_whatever_is_no_schema_is_refused(parameters: dict[str, Any], schema: Any) -> None:
    try:
        tool = Tool("f", {**parameters, "properties": {"x": schema}, "type": "object"})
    except ToolError as error:
        assert error.path.startswith("parameters")  # noqa: PT017
        return
    assert Tool("f", tool.parameters) == tool
    assert tool.signature(descriptions=True).startswith("f(")
    assert example_call(ToolSet([tool])).name == "f"
