from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from slashgrammar.grammar.schema import closed
from slashgrammar.grammar.schema.order import DeclaredOrder
from tests.grammar.schema.schemas import documents

A_B = {"properties": {"a": {}, "b": {}}}
B_A = {"properties": {"b": {}, "a": {}}}


@pytest.mark.parametrize(
    ("schema", "value", "keys"),
    [
        (B_A, {"x": 1, "a": 2, "b": 3}, ["b", "a", "x"]),
        ({"allOf": [B_A, {"properties": {"c": {}}}]}, {"c": 1, "a": 2, "b": 3}, ["b", "a", "c"]),
        ({"anyOf": [A_B, B_A]}, {"b": 1, "a": 2}, ["a", "b"]),
        ({"required": ["z"], **A_B}, {"y": 0, "z": 1, "b": 2}, ["b", "z", "y"]),
        ({"dependentRequired": {"q": ["p"]}}, {"p": 1, "o": 2, "q": 3}, ["q", "p", "o"]),
        ({"if": A_B, "then": B_A}, {"b": 1, "a": 2}, ["a", "b"]),
        ({"$ref": "#/$defs/d", "$defs": {"d": B_A}}, {"a": 1, "b": 2}, ["b", "a"]),
        (True, {"b": 1, "a": 2}, ["b", "a"]),
    ],
)
def test_declared_keys_come_first_in_their_order(schema: Any, value: Any, keys: list[str]) -> None:
    assert list(DeclaredOrder(schema).arrange(value)) == keys


def test_order_holds_at_every_depth() -> None:
    schema = {
        "properties": {"p": B_A, "list": {"prefixItems": [A_B], "items": B_A}},
        "patternProperties": {"^x": B_A},
        "additionalProperties": A_B,
    }
    both = {"b": 1, "a": 1}
    value = {"p": {"a": 1, "b": 1}, "list": [both, {"a": 1, "b": 1}], "other": both}
    arranged = DeclaredOrder(schema).arrange(value)
    assert list(arranged["p"]) == ["b", "a"]
    assert [list(item) for item in arranged["list"]] == [["a", "b"], ["b", "a"]]
    assert list(arranged["other"]) == ["b", "a"]
    assert arranged == value


@settings(max_examples=300, deadline=None)
@given(schema=documents())
def test_closing_keeps_the_order(schema: dict[str, Any]) -> None:
    assert DeclaredOrder(closed(schema, open_objects=False)).names([]) == DeclaredOrder(schema).names([])


def test_closing_keeps_the_order_of_what_is_only_required_and_what_others_declare() -> None:
    needs_b = {"dependentSchemas": {"b": False}, "additionalProperties": False}
    first = {"properties": {"p": {"properties": {"x": {}}, "required": ["r"], "allOf": [{"properties": {"z": {}}}]}}}
    schema = {"oneOf": [needs_b, {"properties": {"a": {}}}], "allOf": [first, {"properties": {"p": {**A_B}}}]}
    before, after = DeclaredOrder(schema), DeclaredOrder(closed(schema, open_objects=False))
    assert after.names([]) == before.names([]) == ("p", "a", "b")
    assert after.names(["p"]) == before.names(["p"]) == ("x", "z", "a", "b", "r")
