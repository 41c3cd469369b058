from __future__ import annotations

import itertools
import time
from typing import Any

import jsonschema_rs
import pytest

from slashgrammar.grammar.schema.closed import closed
from tests.grammar.schema.helpers import compiled, parameters, remarks, taken

VALUES: list[Any] = [
    None, True, 0, 1, 2, 3, 6, 7.5, "a", "b", "abc", [], [1], {}, {"a": 1}, {"b": 1}, {"a": 1, "b": 1},
    {"a": "x", "c": 1}, {"kind": "x", "size": 1}, {"kind": "y", "name": "n"}, {"kind": "x", "name": "n"},
    {"kind": "z"}, {"size": 1},
]  # fmt: skip
X = {"properties": {"kind": {"const": "x"}, "size": {"type": "integer"}}, "required": ["kind"]}
Y = {"properties": {"kind": {"const": "y"}, "name": {"type": "string"}}, "required": ["kind", "name"]}


@pytest.mark.parametrize("open_objects", [True, False])
@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "integer", "minimum": 2}, {"type": "string", "maxLength": 1}]},
        {"allOf": [{"type": ["integer", "string"]}, {"not": {"const": 1}}, {"not": {"enum": ["a", 3]}}]},
        {"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]},
        {"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object"},
        {"oneOf": [X, Y]},
        {"oneOf": [{"type": "object", **X}, {"type": "object", **Y}]},
        {"not": {"type": ["object", "array", "null"]}},
        {"not": {"not": {"type": "integer"}}},
        {"not": {"anyOf": [{"type": "string"}, {"required": ["a"]}]}},
        {"not": {"allOf": [{"required": ["a"]}, {"required": ["b"]}]}},
        {"not": {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}},
        {"not": {"oneOf": [{"type": "integer"}, {"minimum": 2}]}},
        {"if": {"type": "integer"}, "then": {"minimum": 2}, "else": {"type": "object"}},
        {"if": {"properties": {"kind": {"const": "x"}}, "required": ["kind"]}, "then": X, "else": Y, "type": "object"},
        {"not": {"if": {"type": "integer"}, "then": {"minimum": 2}, "else": {"type": "object"}}},
        {"type": ["string", "null"], "enum": ["a", None, 1]},
        {"type": "integer", "nullable": True},
        {"const": 1.0},
        {"enum": [1, "a", {"a": 1}, [1], None]},
        {"enum": [True, 0]},
        {"dependentRequired": {"a": ["b"]}, "not": {"required": ["c"]}},
    ],
)
def test_alternatives_are_those_that_validation_takes(schema: dict[str, Any], open_objects: bool) -> None:
    judge = jsonschema_rs.validator_for(closed(parameters(schema), open_objects))
    expected = [value for value in VALUES if judge.is_valid({"v": value})]
    assert taken(schema, VALUES, open_objects=open_objects) == expected
    assert remarks(schema, open_objects=open_objects) == []


def test_recursion_through_references() -> None:
    tree = {"properties": {"value": {"type": "integer"}, "left": {"$ref": "#/$defs/t"}, "right": {"$ref": "#/$defs/t"}}}
    schema = {"anyOf": [{"type": "null"}, {"type": "object", **tree, "required": ["value"]}]}
    values = [None, {"value": 1, "left": {"value": 2, "right": None}}, {"value": 1, "left": {"right": None}}]
    assert taken({"$ref": "#/$defs/t"}, values, **{"$defs": {"t": schema}}) == values[:2]


def test_a_union_of_many_kinds_is_kept_apart() -> None:
    kinds = [
        {"properties": {"kind": {"const": f"k{i}"}, f"only{i}": {"type": "integer"}}, "required": ["kind"]}
        for i in range(60)
    ]
    schema = {"type": "object", "oneOf": kinds}
    values = [{"kind": "k3", "only3": 1}, {"kind": "k3", "only4": 1}, {"kind": "k3", "only3": "1"}, {"kind": "other"}]
    assert taken(schema, values) == values[:1]
    assert remarks(schema) == []


def test_many_conditions_on_one_property_do_not_multiply() -> None:
    rules = [
        {"if": {"properties": {"t": {"const": i}}, "required": ["t"]}, "then": {"required": [f"r{i}"]}}
        for i in range(40)
    ]
    names = {f"r{i}": {} for i in range(40)}
    schema = {"type": "object", "properties": {"t": {"type": "integer"}, **names}, "allOf": rules}
    values = [{"t": 7, "r7": 1}, {"t": 7, "r8": 1}, {"r1": 1}, {"t": 99}]
    assert taken(schema, values) == [values[0], values[2], values[3]]


HOSTILE = {
    "pairs": {"allOf": [{"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(60)]},
    "overlaps": {
        "oneOf": [
            {"type": "object", "properties": {f"p{j}": {} for j in range(i, i + 9)}, "additionalProperties": False}
            for i in range(60)
        ]
    },
    "denials": {"not": {"anyOf": [{"not": {"required": [f"a{i}"]}} for i in range(60)]}},
    "patterns": {"patternProperties": {f"a{i}": {"const": i} for i in range(14)}},
    "counts": {"properties": {f"p{i}": {} for i in range(300)}, "minProperties": 150, "maxProperties": 200},
    "names": {
        "anyOf": [{"properties": {f"a{i}": {}, f"b{i}": {}}, "required": [f"a{i}"]} for i in range(40)],
        "unevaluatedProperties": False,
    },
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("open_objects", [True, False])
def test_hostile_schemas_take_little_time_and_stay_small(name: str, open_objects: bool) -> None:
    start = time.process_time()
    arguments = compiled({"type": "object", **HOSTILE[name]}, open_objects=open_objects)
    assert time.process_time() - start < 5
    assert len(arguments.rules) < 10_000


def test_what_multiplies_is_widened_to_what_holds_in_any_case() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], **HOSTILE["pairs"]}
    assert set(remarks(schema, open_objects=True)) == {"anyOf"}
    assert taken(schema, [{"n": 1}, {"n": "1"}], open_objects=True) == [{"n": 1}]


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        (
            {"anyOf": [{"unevaluatedProperties": {"type": "string"}}, {"minItems": 1}], "unevaluatedProperties": False},
            [{}, {"a": "x"}, {"a": 1}],
        ),
        (
            {"anyOf": [{"properties": {"a": {"const": 1}}}, {"minItems": 1}], "unevaluatedProperties": False},
            [{}, {"a": 1}, {"a": 2}, {"b": 1}],
        ),
        (
            {"anyOf": [{"prefixItems": [{"const": 1}]}, {"prefixItems": [{}, {}]}], "unevaluatedItems": False},
            [[], [1], [2], [1, 2], [1, 2, 3]],
        ),
        (
            {
                "anyOf": [*({"prefixItems": [{"const": n}]} for n in range(40)), {"prefixItems": [{}, {"const": 0}]}],
                "unevaluatedItems": False,
            },
            [[], [1], [39], [40], [1, 0], [40, 0], [1, 1], [40, 1], [1, 0, 1]],
        ),
        (
            {
                "anyOf": [{"properties": {f"p{i}": {"const": i}}, "required": [f"p{i}"]} for i in range(7)],
                "unevaluatedProperties": False,
            },
            [{"p0": 0}, {"p0": 0, "p1": 1, "p6": 6}, {"q": 1}, {}],
        ),
    ],
)
def test_alternatives_that_lend_what_they_look_at(schema: dict[str, Any], values: list[Any]) -> None:
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert taken(schema, values, open_objects=True) == [value for value in values if validator.is_valid(value)]


def test_alternatives_that_are_told_apart_inside_of_a_property() -> None:
    text = {"type": "string"}
    nested = {"type": "object", "required": ["b"], "properties": {"b": {"type": "object", "required": ["x"]}}}
    plain = {"type": "object", "required": ["s", "a"], "properties": {"s": text, "a": text}}
    schema = {"oneOf": [{"properties": {"c": inner}, "required": ["c"]} for inner in (nested, plain)]}
    choices = {"b": (None, {}, {"x": 1}), "s": (None, "s", 1), "a": (None, "a", 1)}
    values = [
        {"c": {name: value for name, value in zip(choices, each, strict=True) if value is not None}}
        for each in itertools.product(*choices.values())
    ]
    validator = jsonschema_rs.Draft202012Validator({"type": "object", **schema})
    assert taken({"type": "object", **schema}, values, open_objects=True) == list(filter(validator.is_valid, values))
