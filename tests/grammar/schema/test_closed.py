from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from slashgrammar.grammar.schema import closed, compile_arguments
from slashgrammar.tools.tool import Tool
from tests.grammar.schema.membership import Calls


def takes(schema: Any, value: Any, *, open_objects: bool = False) -> bool:
    return jsonschema_rs.Draft202012Validator(closed(schema, open_objects), validate_formats=True).is_valid(value)


def test_unknown_arguments_are_refused_unless_objects_are_open() -> None:
    schema = {"type": "object", "properties": {"a": {}}}
    assert takes(schema, {"a": 1})
    assert not takes(schema, {"a": 1, "b": 2})
    assert takes(schema, {"a": 1, "b": 2}, open_objects=True)


def test_the_outermost_object_is_closed_even_without_properties() -> None:
    assert takes({"type": "object"}, {})
    assert not takes({"type": "object"}, {"a": 1})


def test_an_inner_object_without_properties_stays_free() -> None:
    schema = {"properties": {"meta": {"type": "object"}, "point": {"type": "object", "properties": {"x": {}}}}}
    assert takes(schema, {"meta": {"anything": [1]}})
    assert not takes(schema, {"point": {"y": 1}})


@pytest.mark.parametrize("key", ["additionalProperties", "unevaluatedProperties"])
def test_what_the_schema_says_itself_holds(key: str) -> None:
    assert takes({"properties": {"a": {}}, key: {"type": "integer"}}, {"b": 1})
    assert not takes({"properties": {"a": {}}, key: {"type": "integer"}}, {"b": "1"})


def test_branches_of_one_object_are_closed_together() -> None:
    schema = {"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}], "properties": {"c": {}}}
    assert takes(schema, {"a": 1, "b": 2, "c": 3})
    assert not takes(schema, {"d": 4})


def test_branches_of_an_inner_object_are_closed_together() -> None:
    base = {"properties": {"a": {"properties": {"p": {"type": "integer"}}}}}
    more = {"properties": {"a": {"properties": {"q": {}}}}}
    schema = {"$defs": {"base": base}, "allOf": [{"$ref": "#/$defs/base"}, more]}
    assert takes(schema, {"a": {"p": 1, "q": 2}})
    assert not takes(schema, {"a": {"p": "1"}})
    assert not takes(schema, {"a": {"r": 1}})


def test_a_definition_is_closed_for_each_use_on_its_own() -> None:
    node = {"properties": {"in": {"properties": {"x": {}}}}}
    schema = {
        "$defs": {"node": node},
        "properties": {
            "plain": {"$ref": "#/$defs/node"},
            "more": {"$ref": "#/$defs/node", "properties": {"in": {"properties": {"y": {}}}}},
        },
    }
    assert takes(schema, {"plain": {"in": {"x": 1}}, "more": {"in": {"x": 1, "y": 2}}})
    assert not takes(schema, {"plain": {"in": {"y": 1}}})


def test_only_the_branch_that_applies_lends_its_names() -> None:
    schema = {"anyOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]}
    assert takes(schema, {"a": 1, "b": 2})
    assert not takes(schema, {"a": 1, "c": 2})
    test = {"properties": {"kind": {"const": 1}}}
    split = {"properties": {"kind": {}}, "if": test, "then": {"properties": {"x": {}}}}
    assert takes(split, {"kind": 1, "x": 0})
    assert not takes(split, {"kind": 2, "x": 0})


def test_a_required_name_counts_as_declared() -> None:
    assert takes({"properties": {"a": {}}, "required": ["b"]}, {"b": 1})


def test_tests_of_a_value_close_nothing() -> None:
    inner = {"properties": {"p": {}}, "required": ["p"]}
    schema = {"properties": {"a": {}}, "not": {"properties": {"a": inner}, "required": ["a"]}}
    assert not takes(schema, {"a": {"p": 1, "q": 2}})


def test_recursion_is_closed_at_every_level() -> None:
    schema = {"properties": {"next": {"$ref": "#"}, "value": {}}}
    assert takes(schema, {"next": {"next": {"value": 1}}})
    assert not takes(schema, {"next": {"next": {"other": 1}}})


def test_the_schema_given_is_left_as_it_was() -> None:
    schema = {"properties": {"a": {"items": [{"properties": {"b": {}}}]}}, "required": ["z"]}
    before = json.dumps(schema)
    closed(schema, False)
    assert json.dumps(schema) == before


def test_closed_schemas_take_a_subset(shared_data: Path) -> None:
    with gzip.open(shared_data / "maskbench-half.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for index, line in enumerate(lines) if index % 20 == 0]
    strict = 0
    for row in rows:
        schema = row["schema"]
        for test in row["tests"]:
            assert takes(schema, test["data"], open_objects=True) == test["valid"], row["name"]
            if not takes(schema, test["data"]):
                strict += test["valid"]
            else:
                assert test["valid"], row["name"]
    assert strict


def test_what_a_condition_looks_at_is_no_other_property() -> None:
    schema = {"properties": {"v": {"properties": {"a": {}}, "if": {"additionalProperties": {"type": "integer"}}}}}
    known = Calls(schema, compile_arguments(Tool("t", schema), open_objects=False))
    for value in ({"v": {"a": 1, "b": 2}}, {"v": {"a": 1, "b": "x"}}, {"v": {"a": "x"}}):
        assert known.take(value) is takes(schema, value)
