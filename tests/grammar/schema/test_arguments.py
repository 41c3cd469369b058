from __future__ import annotations

from typing import Any

import pytest

from slashgrammar.errors import ToolError
from slashgrammar.grammar.ir import Reference
from slashgrammar.grammar.schema import Arguments, compile_arguments
from slashgrammar.tools.tool import Tool


def compiled(parameters: dict[str, Any], *, open_objects: bool = False) -> Arguments:
    return compile_arguments(Tool("t", parameters), open_objects=open_objects)


def test_arguments_come_in_declared_order_with_their_forms() -> None:
    schema = {"properties": {"b": {"type": "string"}, "a": {"enum": ["x", "y"]}}, "required": ["a"]}
    (shape,) = compiled({"type": "object", **schema}).shapes
    assert [(entry.arguments[0].key, entry.least, entry.most) for entry in shape] == [("b", 0, 1), ("a", 1, 1)]
    free, listed = (entry.arguments[0].value for entry in shape)
    assert (free.json, free.block) == (Reference("line_string"), Reference("block"))
    assert listed.block is None


def test_a_tool_without_arguments_has_one_empty_shape() -> None:
    assert compiled({}).shapes == ((),)


def test_open_objects_take_further_arguments_of_any_value() -> None:
    (shape,) = compiled({"properties": {"a": {}}}, open_objects=True).shapes
    assert (shape[-1].least, shape[-1].most) == (0, None)
    assert shape[-1].arguments[0].value.block


def test_alternatives_at_the_root_are_shapes() -> None:
    shapes = compiled({"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}).shapes
    assert [[entry.least for entry in shape] for shape in shapes] == [[1, 0], [0, 1]]


def test_a_least_number_of_arguments_is_kept() -> None:
    shapes = compiled({"properties": {"a": {}, "b": {}, "c": {}}, "minProperties": 1}).shapes
    assert [[(entry.arguments[0].key, entry.least) for entry in shape] for shape in shapes] == [
        [("a", 1), ("b", 0), ("c", 0)],
        [("b", 1), ("c", 0)],
        [("c", 1)],
    ]


@pytest.mark.parametrize(
    "parameters",
    [
        {"properties": {"a": False}, "required": ["a"]},
        {"properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["a"], "$defs": {"n": {"$ref": "#/$defs/n"}}},
        {
            "properties": {"a": {"$ref": "#/$defs/n"}},
            "required": ["a"],
            "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}},
        },
        {"properties": {"a": {"allOf": [{"type": "string"}, {"type": "integer"}]}}, "required": ["a"]},
        {"minProperties": 2, "properties": {"a": {}}},
    ],
)
def test_parameters_that_nothing_meets_are_an_error(parameters: dict[str, Any]) -> None:
    with pytest.raises(ToolError, match=r"no (arguments|value) meet") as caught:
        compiled(parameters)
    assert caught.value.tool == "t"


def test_an_impossible_optional_argument_is_left_out() -> None:
    node = {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}
    (shape,) = compiled({"properties": {"a": {"$ref": "#/$defs/n"}, "b": {}}, "$defs": {"n": node}}).shapes
    assert [entry.arguments[0].key for entry in shape] == ["b"]


def test_rule_names_begin_with_the_tool() -> None:
    assert all(name.startswith("t:") for name in compiled({"properties": {"a": {"items": {"enum": [1]}}}}).rules)
