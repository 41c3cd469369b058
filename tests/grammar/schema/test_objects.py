from __future__ import annotations

import json
from itertools import product
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.grammar.ir import Grammar, walk
from slashgrammar.grammar.schema import compile_arguments
from slashgrammar.grammar.schema.closed import closed
from slashgrammar.tools.tool import Tool
from tests.grammar.schema.helpers import calls, combined, compiled, parameters, remarks, taken
from tests.grammar.schema.membership import Calls


def right(schema: Any, candidates: list[Any], *, open_objects: bool) -> list[Any]:
    judge = jsonschema_rs.validator_for(closed(parameters(schema), open_objects))
    return [value for value in candidates if judge.is_valid({"v": value})]


OBJECTS: list[Any] = [
    {},
    {"a": 1},
    {"a": "1"},
    {"b": 1},
    {"a": 1, "b": 2},
    {"a": 1, "b": 2, "c": 3},
    {"a": 1, "b": "2", "x1": 3},
    {"x1": 1},
    {"x1": "1"},
    {"x1": 1, "x2": 2},
    {"y": 1, "x1": 2},
    {"ä": 1},
    {'q"\\': 1},
    {"ab": 1},
    {"": 1},
]


SCHEMAS: list[dict[str, Any]] = [
    {"properties": {"a": {"type": "integer"}, "b": {}}},
    {"properties": {"a": {}, "b": {}}, "required": ["b"]},
    {"properties": {"a": {}, "b": {}, "c": {}}, "minProperties": 2},
    {"properties": {"a": {}, "b": {}, "c": {}}, "minProperties": 1, "maxProperties": 2},
    {"maxProperties": 1},
    {"properties": {"a": {}}, "additionalProperties": {"type": "integer"}},
    {"properties": {"a": {}}, "additionalProperties": False},
    {"patternProperties": {"^x": {"type": "integer"}}},
    {"patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False},
    {"patternProperties": {"^x": {}, "1$": {"type": "string"}}, "additionalProperties": {"const": 1}},
    {"properties": {"x1": {"type": "string"}}, "patternProperties": {"^x": {"maximum": 1}}},
    {"properties": {"a": {}, "ab": {}}, "propertyNames": {"maxLength": 1}},
    {"propertyNames": {"pattern": "^[a-z]+$"}},
    {"propertyNames": {"enum": ["a", "b"]}},
    {"propertyNames": {"minLength": 3, "maxLength": 2}},
    {"properties": {"a": {}}, "propertyNames": {"anyOf": [{"const": "a"}, {"minLength": 3, "maxLength": 2}]}},
    {"not": {"propertyNames": {"pattern": "^[a-z]$"}}},
    {"dependentRequired": {"a": ["b"]}},
    {
        "properties": {"a": {}, "b": {}},
        "dependentSchemas": {"a": {"required": ["b"], "properties": {"b": {"type": "integer"}}}},
    },
    {"not": {"required": ["a"]}},
    {"not": {"properties": {"a": {"type": "integer"}}}},
    {"not": {"patternProperties": {"^x": {"type": "integer"}}}},
    {"not": {"additionalProperties": {"type": "integer"}}},
    {"not": {"minProperties": 2}},
    {"required": ["c", "a"]},
    {"properties": {"a": False}},
    {"const": {"a": 1}},
    {"enum": [{"a": 1}, {"b": 1}, {}]},
    {
        "properties": {"a": {}},
        "anyOf": [{"properties": {"b": {}}}, {"properties": {"c": {}}}],
        "unevaluatedProperties": False,
    },
]


@pytest.mark.parametrize("open_objects", [True, False])
@pytest.mark.parametrize("schema", SCHEMAS)
def test_objects_are_those_that_validation_takes(schema: dict[str, Any], open_objects: bool) -> None:
    schema = {"type": "object", **schema}
    expected = right(schema, OBJECTS, open_objects=open_objects)
    assert taken(schema, OBJECTS, open_objects=open_objects) == expected
    assert remarks(schema, open_objects=open_objects) == []


@pytest.mark.parametrize("schema", [each for each in SCHEMAS if not each.keys() & {"enum", "unevaluatedProperties"}])
def test_objects_of_the_opposite_are_those_that_validation_takes(schema: dict[str, Any]) -> None:
    opposite = {"type": "object", "not": schema}
    expected = right(opposite, OBJECTS, open_objects=True)
    assert taken(opposite, OBJECTS, open_objects=True) == expected
    assert remarks(opposite, open_objects=True) == []


VALUES: list[tuple[Any, ...]] = list(product([None, 1, "1"], repeat=4))
SMALL = [{key: value for key, value in zip(["a", "b", "x1", "y"], row, strict=True) if value} for row in VALUES]
VALUE = st.sampled_from([{}, {"type": "integer"}, {"type": "string"}, False, {"const": 1}])
NAMES = st.lists(st.sampled_from(["a", "b", "x1", "y"]), max_size=2, unique=True)
NAME = st.sampled_from([{"pattern": "^[ab]"}, {"maxLength": 1}, {"enum": ["a", "x1"]}, {"not": {"const": "b"}}])
KEYWORDS: dict[str, st.SearchStrategy[Any]] = {
    "properties": st.dictionaries(st.sampled_from(["a", "b", "x1"]), VALUE, max_size=3),
    "patternProperties": st.dictionaries(st.sampled_from(["^x", "[by]", "1$"]), VALUE, min_size=1, max_size=2),
    "additionalProperties": VALUE,
    "required": NAMES,
    "minProperties": st.integers(0, 3),
    "maxProperties": st.integers(0, 3),
    "propertyNames": NAME,
    "dependentRequired": st.dictionaries(st.sampled_from(["a", "y"]), NAMES, max_size=2),
}


@settings(max_examples=60)
@given(combined(KEYWORDS), st.booleans())
def test_any_keywords_together_mean_what_they_mean_to_validation(schema: dict[str, Any], opposite: bool) -> None:
    schema = {"type": "object", "not": schema} if opposite else {"type": "object", **schema}
    expected = [json.dumps(value) for value in right(schema, SMALL, open_objects=True)]
    found = [json.dumps(value) for value in (taken(schema, SMALL, open_objects=True) if expected else [])]
    assert set(found) >= set(expected)
    assert found == expected or remarks(schema, open_objects=True)


def test_keys_stand_in_declared_order_and_only_once() -> None:
    known = calls({"properties": {"b": {}, "a": {}}, "additionalProperties": {}})
    assert known.take_text('/t\nv={"b": 1, "a": 2, "c": 3, "d": 4}')
    assert not known.take_text('/t\nv={"a": 2, "b": 1}')
    assert not known.take_text('/t\nv={"b": 1, "b": 2}')
    assert not known.take_text('/t\nv={"b": 1, "c": 3, "a": 2}')
    assert not known.take_text('/t\nv={"\\u0061": 1}')


def size(schema: dict[str, Any], *, open_objects: bool) -> int:
    grammar = Grammar(compiled(schema, open_objects=open_objects).rules)
    return sum(1 for node in grammar.rules.values() for _ in walk(node))


@pytest.mark.parametrize("open_objects", [True, False])
@pytest.mark.parametrize("required", [[], ["p0"], ["p7"]])
def test_grammars_grow_linearly_with_optional_properties(required: list[str], open_objects: bool) -> None:
    def schema(count: int) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {f"p{i}": {"type": "integer"} for i in range(count)},
            "required": required,
        }

    small, large = (size(schema(count), open_objects=open_objects) for count in (50, 500))
    assert large < 14 * small


def test_that_keys_may_repeat_is_reported() -> None:
    assert [entry.keyword for entry in compiled({"type": "object"}).report] == ["additionalProperties"]
    assert compiled({"properties": {"a": {"type": "integer"}}, "type": "object"}).report == ()


def test_a_thousand_properties_are_no_trouble() -> None:
    schema = {"type": "object", "properties": {f"p{i}": {"type": "integer"} for i in range(1000)}}
    assert taken(schema, [{"p0": 1, "p999": 2}, {"p999": "2"}]) == [{"p0": 1, "p999": 2}]


def test_names_that_no_plain_word_can_be() -> None:
    names = {"propertyNames": {"format": "date"}, "type": "object"}
    known = Calls(names, compile_arguments(Tool("t", names), open_objects=True))
    assert known.take({"2024-02-29": 1})
    assert not known.take({"a": 1})
    assert taken(names, [{"2024-02-29": 1}, {"a": 1}], open_objects=True) == [{"2024-02-29": 1}]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"propertyNames": {"enum": ["b", "b c", "é"]}},
        {"propertyNames": {"pattern": "^b"}},
        {"patternProperties": {"^b": {"type": "integer"}}, "additionalProperties": False},
        {"propertyNames": {"maxLength": 2}},
    ],
)
def test_arguments_that_are_not_declared(more: dict[str, Any]) -> None:
    parameters = {"type": "object", "properties": {"a": {}}, **more}
    known = Calls(parameters, compile_arguments(Tool("t", parameters), open_objects=True))
    judge = jsonschema_rs.validator_for(parameters)
    for name in ("b", "bc", "b c", "c", "é", "b.-9", "a"):
        assert known.take({name: 1}) == judge.is_valid({name: 1}), name
