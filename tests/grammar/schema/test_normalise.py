from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from slashgrammar.errors import ToolError
from slashgrammar.grammar.schema import compile_arguments
from slashgrammar.grammar.schema.closed import closed
from slashgrammar.grammar.schema.normalise import MAX_DEPTH, normalise
from slashgrammar.tools.tool import Tool
from tests.grammar.schema.membership import Calls

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
STRING_A = {"definitions": {"a": {"type": "string"}}}


def takes(schema: Any, value: Any) -> bool:
    return jsonschema_rs.Draft202012Validator(closed(schema, True), validate_formats=True).is_valid(value)


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"minimum": 1, "exclusiveMinimum": True}, 2, 1),
        ({"maximum": 1, "exclusiveMaximum": True}, 0, 1),
        ({"items": [{"type": "string"}], "additionalItems": False}, ["a"], ["a", 1]),
        ({"items": [{"type": "string"}], "additionalItems": {"type": "null"}}, ["a", None], ["a", 1]),
        ({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}, {"a": 1, "b": 1}, {"c": 1}),
        ({"type": "string", "nullable": True, "enum": ["a"]}, None, "b"),
        ({"$recursiveAnchor": True, "items": {"$recursiveRef": "#"}, "type": "array"}, [[]], [[1]]),
        ({"$schema": DRAFT_4, "const": 1, "type": "integer"}, 2, "2"),
        ({"$schema": DRAFT_7, "items": {"$ref": "#/definitions/a", "maxLength": 1}, **STRING_A}, ["ab"], [1]),
    ],
)
def test_every_draft_means_what_it_meant(schema: Any, right: Any, wrong: Any) -> None:
    assert takes(schema, right)
    assert not takes(schema, wrong)


DRAFTS = {
    "http://json-schema.org/draft-04/schema#": 4,
    "http://json-schema.org/draft-06/schema#": 6,
    "http://json-schema.org/draft-07/schema#": 7,
    "https://json-schema.org/draft/2019-09/schema": 2019,
    "https://json-schema.org/draft/2020-12/schema": 2020,
}
NEW: list[tuple[int, dict[str, Any], Any]] = [
    (6, {"const": 1}, 2),
    (6, {"contains": {"const": 1}}, [2]),
    (6, {"propertyNames": {"maxLength": 1}}, {"ab": 1}),
    (7, {"if": {"type": "string"}, "then": {"maxLength": 1}}, "ab"),
    (7, {"if": {"type": "string"}, "else": {"type": "null"}}, 1),
    (2019, {"dependentRequired": {"a": ["b"]}}, {"a": 1}),
    (2019, {"dependentSchemas": {"a": False}}, {"a": 1}),
    (2019, {"contains": {"enum": [1, 2]}, "minContains": 2}, [1]),
    (2019, {"contains": {"enum": [1, 2]}, "maxContains": 1}, [1, 2]),
    (2019, {"unevaluatedProperties": False}, {"a": 1}),
    (2019, {"unevaluatedItems": False}, [1]),
    (2020, {"prefixItems": [{"type": "null"}]}, [1]),
]


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize(("since", "schema", "wrong"), NEW, ids=str)
def test_keywords_say_nothing_in_drafts_that_did_not_know_them(
    draft: str, since: int, schema: dict[str, Any], wrong: Any
) -> None:
    assert takes({"$schema": draft, **schema}, wrong) == (DRAFTS[draft] < since)
    assert not takes(schema, wrong)


@pytest.mark.parametrize(
    "reference",
    [
        "#/$defs/a~1b/properties/x%20y",
        "#there",
        "other.json",
        "https://example.com/other.json#",
        "#old",
        "#/$defs/l~0~1/anyOf/1",
        "#/$defs/l~0~1/anyOf/10",
    ],
)
def test_references_find_pointers_anchors_and_identifiers(reference: str) -> None:
    schema = {
        "$id": "https://example.com/root.json",
        "$defs": {
            "a/b": {"properties": {"x y": {"$anchor": "there", "type": "integer"}}},
            "o": {"$id": "other.json", "type": "integer"},
            "i": {"$id": "#old", "type": "integer"},
            "l~/": {"anyOf": [{}, *[{"type": "integer"}] * 10, {}]},
        },
        "properties": {"v": {"$ref": reference}},
    }
    assert takes(schema, {"v": 1})
    assert not takes(schema, {"v": "1"})


def test_a_pointer_inside_an_embedded_schema_starts_there() -> None:
    inner = {"$id": "inner.json", "definitions": {"n": {"type": "null"}}, "items": {"$ref": "#/definitions/n"}}
    schema = {"definitions": {"n": {"type": "string"}}, "properties": {"v": inner}}
    assert takes(schema, {"v": [None]})
    assert not takes(schema, {"v": ["a"]})


def test_a_pointer_to_nothing_inside_an_embedded_schema_starts_at_the_root() -> None:
    inner = {"$id": "inner.json", "items": {"$ref": "#/definitions/n"}}
    schema = {"definitions": {"n": {"type": "string"}}, "properties": {"v": inner}}
    assert takes(schema, {"v": ["a"]})
    assert not takes(schema, {"v": [1]})
    with pytest.raises(ToolError, match="points nowhere"):
        normalise({**schema, "items": {"$ref": "inner.json#/definitions/n"}})


def test_the_metaschemas_are_known() -> None:
    schema = {"properties": {"v": {"$ref": DRAFT_7}}}
    assert takes(schema, {"v": {"type": "string"}})
    assert not takes(schema, {"v": {"type": 1}})


@pytest.mark.parametrize(
    ("schema", "path", "words"),
    [
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, "/properties/a", "points nowhere"),
        ({"properties": {"a": {"$ref": "http://[/x"}}}, "/properties/a", "points nowhere"),
        ({"properties": {"a": {"$ref": "http://[/x#a"}}}, "/properties/a", "points nowhere"),
        ({"properties": {"a": {"$ref": "https://example.com/x.json"}}}, "/properties/a", "nothing is fetched"),
        ({"properties": {"a": {"$ref": "https://json-schema.org/nothing"}}}, "/properties/a", "nothing is fetched"),
        *(
            ({"properties": {"a": {"$ref": f"#/$defs/a/{place}"}}, "$defs": {"a": [{}]}}, "/properties/a", "points")
            for place in ("1", "-1", "x", "", "0/y")
        ),
        ({"properties": {"a": 1}}, "/properties/a", "expected a schema"),
        ({"properties": {"a/b": {"type": "dict"}}}, "/properties/a~1b/type", "null, boolean"),
        ({"required": "a"}, "/required", "list of property names"),
        ({"anyOf": []}, "/anyOf", "not empty"),
        ({"items": {"minLength": "3"}}, "/items/minLength", "integer"),
        ({"multipleOf": 0}, "/multipleOf", "above zero"),
        ("string", "/", "expected a schema"),
    ],
)
def test_what_is_no_schema_is_an_error_that_names_tool_and_place(schema: Any, path: str, words: str) -> None:
    with pytest.raises(ToolError, match=words) as caught:
        normalise(schema, tool="fetch")
    assert caught.value.tool == "fetch"
    assert caught.value.path == path


def test_depth_is_bounded() -> None:
    def nested(depth: int) -> Any:
        schema: Any = {"type": "null"}
        for _ in range(depth):
            schema = {"properties": {"a": schema}}
        return schema

    normalise(nested(MAX_DEPTH))
    with pytest.raises(ToolError, match="deep"):
        normalise(nested(100_000))


def test_depth_of_listed_values_is_bounded() -> None:
    value: Any = []
    for _ in range(10_000):
        value = [value]
    with pytest.raises(ToolError, match="deep"):
        normalise({"properties": {"a": {"const": value}}})


def test_infinite_numbers_are_no_values() -> None:
    for schema in ({"enum": [float("inf")]}, {"const": {"a": [float("nan")]}}, {"minimum": float("inf")}):
        with pytest.raises(ToolError, match=r"infinite|finite"):
            normalise(schema)


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [("^a[^]$", "a\n", "b\n"), ("^a{,5}$", "a{,5}", "aa"), ("^\\<b\\>$", "<b>", "b"), ("^(?!x)\\w$", "a", "é")],
)
def test_patterns_mean_what_ecma_says(pattern: str, right: str, wrong: str) -> None:
    assert takes({"pattern": pattern}, right)
    assert not takes({"pattern": pattern}, wrong)


def test_what_is_no_pattern_is_left_out_and_kept_in_mind() -> None:
    normal = normalise({"items": {"pattern": "(a"}, "patternProperties": {"[": {}}})
    assert normal.root == {"items": {}, "patternProperties": {}}
    assert normal.unread == [("/items", "(a"), ("", "[")]


@pytest.mark.parametrize(
    ("schema", "taken"),
    [
        ({"$ref": "#/$defs/d", "type": "integer"}, []),
        ({"not": {"$ref": "#/$defs/d", "type": "integer"}}, [1, "a"]),
        ({"anyOf": [{"allOf": [{"$ref": "#/$defs/d"}]}, {"type": "integer"}]}, [1]),
        ({"if": {"type": "integer"}, "then": {"not": {"$ref": "#/$defs/e"}}, "else": False}, [1]),
    ],
)
def test_references_in_a_circle_are_met_by_no_value(schema: dict[str, Any], taken: list[Any]) -> None:
    whole = {"$ref": "#/$defs/d", "$defs": {"d": schema, "e": {"anyOf": [{"$ref": "#/$defs/d"}]}}}
    assert [value for value in (1, "a") if takes(whole, value)] == taken
    parameters = {"properties": {"v": {"$ref": "#/$defs/d"}}, "$defs": whole["$defs"]}
    known = Calls(parameters, compile_arguments(Tool("t", parameters), open_objects=True))
    assert [value for value in (1, "a") if known.take({"v": value})] == taken


def test_one_value_that_is_too_deep_among_others() -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]
    for schema in ({"enum": [1, deep]}, {"enum": [deep, "a"]}, {"const": deep}):
        with pytest.raises(ToolError, match=f"nest more than {MAX_DEPTH} deep"):
            normalise(schema)
