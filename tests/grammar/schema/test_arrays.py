from __future__ import annotations

import json
from itertools import product
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.grammar.schema.helpers import combined, compiled, parameters, remarks, taken

ARRAYS = [list(items) for size in range(5) for items in product([1, "a"], repeat=size)] + [[None], [1, 1.0], [True]]


SCHEMAS: list[dict[str, Any]] = [
    {"items": {"type": "integer"}},
    {"minItems": 2},
    {"maxItems": 2},
    {"minItems": 1, "maxItems": 3, "items": {"type": "string"}},
    {"maxItems": 0},
    {"items": False},
    {"prefixItems": [{"type": "integer"}, {"type": "string"}]},
    {"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False},
    {"prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 3, "items": {"type": "string"}},
    {"prefixItems": [{}, False]},
    {"contains": {"type": "integer"}},
    {"contains": {"type": "integer"}, "minContains": 2, "maxContains": 3},
    {"contains": {"type": "integer"}, "minContains": 0, "maxContains": 1, "minItems": 2, "maxItems": 3},
    {"contains": {}, "maxContains": 2},
    {"allOf": [{"contains": {"const": 1}}, {"contains": {"const": "a"}}]},
    {"uniqueItems": True, "items": {"enum": [1, "a", None]}},
    {"uniqueItems": True, "items": {"enum": [1, "a", 1.0]}, "minItems": 1},
    {"not": {"items": {"type": "integer"}}},
    {"not": {"minItems": 2}},
    {"not": {"contains": {"type": "integer"}}},
    {"not": {"prefixItems": [{"type": "integer"}, {"type": "integer"}]}},
    {"prefixItems": [{}], "unevaluatedItems": False},
    {"anyOf": [{"prefixItems": [{"const": 1}]}, {"maxItems": 1}], "unevaluatedItems": {"type": "string"}},
    {"enum": [[1, "a"], [], ["a"]]},
    {"const": [1, 1]},
    {"oneOf": [{"maxItems": 2}, {"minItems": 2}]},
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_arrays_are_those_that_validation_takes(schema: dict[str, Any]) -> None:
    schema = {"type": "array", **schema}
    judge = jsonschema_rs.validator_for(parameters(schema))
    assert taken(schema, ARRAYS) == [value for value in ARRAYS if judge.is_valid({"v": value})]
    assert remarks(schema) == []


@pytest.mark.parametrize("schema", [each for each in SCHEMAS if not each.keys() & {"uniqueItems", "unevaluatedItems"}])
def test_arrays_of_the_opposite_are_those_that_validation_takes(schema: dict[str, Any]) -> None:
    opposite = {"type": "array", "not": schema}
    judge = jsonschema_rs.validator_for(parameters(opposite))
    assert taken(opposite, ARRAYS) == [value for value in ARRAYS if judge.is_valid({"v": value})]
    assert remarks(opposite) == []


ITEM = st.sampled_from([{}, {"type": "integer"}, {"type": "string"}, {"enum": [1, "a"]}, {"const": "a"}, False])
COUNTS = st.integers(0, 3)
KEYWORDS: dict[str, st.SearchStrategy[Any]] = {
    "items": ITEM,
    "prefixItems": st.lists(ITEM, min_size=1, max_size=3),
    "contains": ITEM,
    "minContains": COUNTS,
    "maxContains": COUNTS,
    "minItems": COUNTS,
    "maxItems": COUNTS,
    "uniqueItems": st.booleans(),
}


@settings(max_examples=60)
@given(combined(KEYWORDS), st.booleans())
def test_any_keywords_together_mean_what_they_mean_to_validation(schema: dict[str, Any], opposite: bool) -> None:
    schema = {"type": "array", "not": schema} if opposite else {"type": "array", **schema}
    judge = jsonschema_rs.validator_for(parameters(schema))
    right = [json.dumps(value) for value in ARRAYS if judge.is_valid({"v": value})]
    found = [json.dumps(value) for value in (taken(schema, ARRAYS) if right else [])]
    assert set(found) >= set(right)
    assert found == right or remarks(schema)


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"uniqueItems": True}, "uniqueItems"),
        ({"uniqueItems": True, "items": {"enum": list(range(40))}}, "uniqueItems"),
        ({"not": {"uniqueItems": True}}, "uniqueItems"),
        ({"contains": {"type": "integer"}, "minContains": 1000}, "contains"),
        ({"maxItems": 10_001}, "maxItems"),
    ],
)
def test_what_is_too_much_is_reported(schema: dict[str, Any], keyword: str) -> None:
    assert remarks({"type": "array", **schema}) == [keyword]
    assert taken({"type": "array", **schema}, [[1, 1]])


def test_no_array_has_equal_items_and_has_not() -> None:
    never = {"allOf": [{"uniqueItems": True}, {"not": {"uniqueItems": True}}]}
    assert taken({"type": "array", "anyOf": [never, {"maxItems": 1}]}, [[], [1], [1, 1], [1, 2]]) == [[], [1]]


def test_bounds_hold_in_any_nesting() -> None:
    schema = {"type": "array", "minItems": 1, "maxItems": 2_000, "items": {"type": "array", "maxItems": 2_000}}
    assert remarks(schema) == []
    assert taken(schema, [[[1] * 2_000], [[1] * 2_001], []]) == [[[1] * 2_000]]


def test_items_of_a_tuple_have_an_order_of_keys_of_their_own() -> None:
    one, other = {"properties": {"a": {}, "b": {}}}, {"properties": {"b": {}, "a": {}}}
    schema = {"anyOf": [{"prefixItems": [one, other]}, {"items": other, "maxItems": 1}]}
    both = {"b": 1, "a": 1}
    assert taken(schema, [[both], [both, both], [both, both, both]]) == [[both], [both, both], [both, both, both]]


def test_the_report_names_the_item() -> None:
    first, second = ({"type": "string", "pattern": f"({char})\\1"} for char in "ab")
    report = compiled({"type": "array", "prefixItems": [{}, first], "items": second}).report
    assert {entry.path for entry in report if entry.keyword == "pattern"} == {
        "/properties/v/prefixItems/1",
        "/properties/v/items",
    }
