"""Hypothesis strategies: schemas over all keywords, and values that they are likely to take or barely refuse."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = ["a", "b", "ab", "x1", "x2", "a b", "ü"]
TEXTS = ["", "a", "ab", "abc", "x1", "x2y", "-", "A", "1", "12", "a b", "é", "\U0001f600", 'q"\\', "2024-02-29", "::1"]
PATTERNS = ["^x", "b$", "^[a-z]+$", "\\d", "^(a|b)*$", "^.{2}$", "^(?!x)", "[^a]", "\\s", "^$"]
FORMATS = ["date", "ipv6", "uri", "email", "json-pointer", "regex", "other"]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]

names = st.sampled_from(NAMES)
counts = st.integers(0, 3)
numbers = st.one_of(st.integers(-3, 12), st.sampled_from([0.5, 1.0, -1.5, 2.25, 1e-7, 1e17, 7.0]))
scalars = st.one_of(st.none(), st.booleans(), numbers, st.sampled_from(TEXTS))
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=6
)

_LEAVES: dict[str, st.SearchStrategy[Any]] = {
    "const": values,
    "enum": st.lists(values, min_size=1, max_size=4),
    "exclusiveMaximum": numbers,
    "exclusiveMinimum": numbers,
    "format": st.sampled_from(FORMATS),
    "maximum": numbers,
    "maxItems": counts,
    "maxLength": counts,
    "maxProperties": counts,
    "minimum": numbers,
    "minItems": counts,
    "minLength": counts,
    "minProperties": counts,
    "multipleOf": st.sampled_from([1, 2, 3, 0.5, 0.25, 1.5]),
    "nullable": st.booleans(),
    "pattern": st.sampled_from(PATTERNS),
    "required": st.lists(names, max_size=2, unique=True),
    "type": st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True),
    "uniqueItems": st.booleans(),
    "$ref": st.sampled_from(["#/$defs/d", "#/$defs/e"]),
    "dependentRequired": st.dictionaries(names, st.lists(names, max_size=2, unique=True), max_size=2),
}


def _nodes(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    lists = st.lists(inner, min_size=1, max_size=3)
    return {
        "additionalProperties": inner,
        "allOf": lists,
        "anyOf": lists,
        "contains": inner,
        "dependentSchemas": st.dictionaries(names, inner, max_size=2),
        "else": inner,
        "if": inner,
        "items": inner,
        "maxContains": counts,
        "minContains": counts,
        "not": inner,
        "oneOf": lists,
        "patternProperties": st.dictionaries(st.sampled_from(PATTERNS), inner, max_size=2),
        "prefixItems": lists,
        "properties": st.dictionaries(names, inner, max_size=3),
        "propertyNames": inner,
        "then": inner,
        "unevaluatedItems": inner,
        "unevaluatedProperties": inner,
    }


def _some_of(table: dict[str, st.SearchStrategy[Any]], most: int) -> st.SearchStrategy[dict[str, Any]]:
    keys = st.lists(st.sampled_from(sorted(table)), min_size=1, max_size=most, unique=True)
    return keys.flatmap(lambda chosen: st.fixed_dictionaries({key: table[key] for key in chosen}))


schemas: st.SearchStrategy[Any] = st.recursive(
    st.one_of(_some_of(_LEAVES, 3), st.booleans()),
    lambda inner: _some_of(_LEAVES | _nodes(inner), 4),
    max_leaves=8,
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Parameters of a tool, with two definitions that schemas refer to."""
    root = draw(st.fixed_dictionaries({"properties": st.dictionaries(names, schemas, max_size=3)}))
    root |= draw(_some_of(_LEAVES | _nodes(schemas), 2).filter(lambda more: "$ref" not in more))
    return {**root, "type": "object", "$defs": {"d": draw(schemas), "e": draw(schemas)}}


@st.composite
def instances(draw: st.DrawFn, document: dict[str, Any]) -> dict[str, Any]:
    """Arguments near those that a document takes."""
    value = draw(_near(document, document["$defs"], 5))
    return value if isinstance(value, dict) else draw(st.dictionaries(names, values, max_size=3))


@st.composite
def _near(draw: st.DrawFn, schema: Any, definitions: dict[str, Any], depth: int) -> Any:
    if not isinstance(schema, dict) or depth == 0 or draw(st.integers(0, 9)) == 0:
        return draw(values)
    inner = [key for key in ("$ref", "allOf", "anyOf", "const", "enum", "oneOf", "then", "else") if key in schema]
    if inner and draw(st.booleans()):
        key = draw(st.sampled_from(inner))
        if key == "const":
            return schema[key]
        if key == "$ref":
            return draw(_near(definitions[schema[key][-1]], definitions, depth - 1))
        chosen = draw(st.sampled_from(schema[key])) if isinstance(schema[key], list) else schema[key]
        return chosen if key == "enum" else draw(_near(chosen, definitions, depth - 1))
    kind = draw(st.sampled_from(_kinds(schema)))
    if kind == "object":
        return draw(_near_object(schema, definitions, depth))
    if kind == "array":
        return draw(_near_array(schema, definitions, depth))
    strategy = {"integer": st.integers(-3, 12), "number": numbers, "string": st.sampled_from(TEXTS)}
    return draw(strategy.get(kind, scalars))


def _kinds(schema: dict[str, Any]) -> list[str]:
    if "type" in schema:
        return [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if any(key.endswith("roperties") or key in ("required", "propertyNames") for key in schema):
        return ["object"]
    if any(key.endswith("tems") or key.endswith("ontains") for key in schema):
        return ["array"]
    return TYPES


@st.composite
def _near_object(draw: st.DrawFn, schema: dict[str, Any], definitions: dict[str, Any], depth: int) -> Any:
    known = schema.get("properties", {})
    wanted = [*schema.get("required", ()), *draw(st.lists(st.sampled_from([*known, *NAMES]), max_size=3))]
    result = {}
    for name in draw(st.permutations(list(dict.fromkeys(wanted)))):
        inner = known.get(name, schema.get("additionalProperties", True))
        result[name] = draw(_near(inner, definitions, depth - 1))
    return result


@st.composite
def _near_array(draw: st.DrawFn, schema: dict[str, Any], definitions: dict[str, Any], depth: int) -> Any:
    size = draw(st.integers(schema.get("minItems", 0), 4))
    inner = [*schema.get("prefixItems", ()), *[schema.get("items", schema.get("contains", True))] * size][:size]
    return [draw(_near(item, definitions, depth - 1)) for item in inner]
