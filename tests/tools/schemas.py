"""Strategies for tools that signatures carry whole, and for parameters that they carry in part."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from slashgrammar.tools import Tool

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
_PATTERNS = st.sampled_from(["^a+$", "/", "a/b", r"\\", "[/]]", r"\d{3}", '"', ")", "é"])


def _bounded(low_key: str, high_key: str, numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    both = st.tuples(numbers, numbers).map(sorted).map(lambda ends: {low_key: ends[0], high_key: ends[1]})
    return st.one_of(st.just({}), numbers.map(lambda n: {low_key: n}), numbers.map(lambda n: {high_key: n}), both)


_SIZES = st.integers(1, 20)
_NUMBERS = st.integers(-100, 100) | st.floats(-100, 100)


def _merge(*parts: dict[str, Any]) -> dict[str, Any]:
    return {key: value for part in parts for key, value in part.items()}


def _optional(key: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.just({}) | values.map(lambda value: {key: value})


def _number(name: str, numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    ranges = st.one_of(
        _bounded("minimum", "maximum", numbers),
        numbers.map(lambda n: {"exclusiveMinimum": n}),
        numbers.map(lambda n: {"minimum": n, "exclusiveMaximum": n + 1}),
    )
    return st.builds(_merge, st.just({"type": name}), ranges, _optional("multipleOf", st.integers(1, 9)))


_STRINGS = st.builds(
    _merge,
    st.just({"type": "string"}),
    _bounded("minLength", "maxLength", _SIZES),
    _optional("pattern", _PATTERNS),
    _optional("format", st.sampled_from(["date", "date-time", "x.y"])),
)
_ENUMERATIONS = st.one_of(
    st.lists(TEXT, min_size=1, max_size=3, unique=True).map(lambda values: {"type": "string", "enum": values}),
    st.lists(st.integers(), min_size=1, max_size=3, unique=True).map(
        lambda values: {"type": "integer", "enum": values}
    ),
    TEXT.map(lambda value: {"enum": [value, None]}),
)
_SIMPLE = st.one_of(
    _STRINGS,
    _number("integer", st.integers(-100, 100)),
    _number("number", _NUMBERS),
    st.sampled_from([{"type": "boolean"}, {"type": "null"}, {}, {"type": "array"}]),
    st.just({"type": "object", "additionalProperties": True}),
    _ENUMERATIONS,
)


def _is_free(schema: object) -> bool:
    return schema == {} or schema is True


def _array(items: dict[str, Any], bounds: dict[str, Any], unique: bool) -> dict[str, Any]:
    array = {"type": "array", "items": items, **bounds, "uniqueItems": True}
    dropped = {"items"} if _is_free(items) else set()
    return {key: value for key, value in array.items() if key not in dropped | (set() if unique else {"uniqueItems"})}


def _row(items: list[dict[str, Any]]) -> dict[str, Any]:
    prefix = {"prefixItems": items} if items else {}
    return {"type": "array", **prefix, "minItems": len(items), "maxItems": len(items)}


def _map(values: dict[str, Any], bounds: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": True if _is_free(values) else values, **bounds}


def _field(
    schema: dict[str, Any], description: str, default: tuple[Any, ...]
) -> tuple[dict[str, Any], tuple[Any, ...]]:
    words = " ".join(description.split())
    field = {**schema, **({"description": words} if words else {}), **({"default": default[0]} if default else {})}
    return field, default


def _takes_null(schema: dict[str, Any]) -> bool:
    if "anyOf" in schema:
        return any(map(_takes_null, schema["anyOf"]))
    is_free = schema.keys() <= {"description", "default"}
    return is_free or "null" in str(schema.get("type")) or None in schema.get("enum", ())


def _record(fields: dict[str, Any], required: bool, others: object) -> dict[str, Any]:
    properties, names = {}, []
    for index, (name, (schema, default)) in enumerate(fields.items()):
        if default == (None,) and not _takes_null(schema):  # nothing that a signature says
            schema = {key: value for key, value in schema.items() if key != "default"}
        properties[name] = schema
        if not default and (required or index % 2):
            names.append(name)
    record = {"type": "object", "properties": properties, "additionalProperties": True if _is_free(others) else others}
    return {**record, "required": names} if names else record


def _union(alternatives: list[dict[str, Any]]) -> dict[str, Any]:
    if any(map(_is_free, alternatives)):
        return {}
    if all(each.keys() == {"type"} for each in alternatives):
        return {"type": [each["type"] for each in alternatives]}
    return {"anyOf": alternatives}


def records(schemas: st.SearchStrategy[dict[str, Any]], smallest: int = 1) -> st.SearchStrategy[dict[str, Any]]:
    """Closed and open objects with fields of the given schemas, some with descriptions and defaults."""
    fields = st.builds(_field, schemas, TEXT, st.just(()) | st.tuples(JSON))
    return st.builds(
        _record,
        st.dictionaries(TEXT, fields, min_size=smallest, max_size=3),
        st.booleans(),
        st.sampled_from([False, True]) | schemas,
    )


def _larger(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    alone = inner.filter(
        lambda schema: "anyOf" not in schema and "enum" not in schema and isinstance(schema.get("type"), str)
    )
    return st.one_of(
        st.builds(_array, inner, _bounded("minItems", "maxItems", _SIZES), st.booleans()),
        st.lists(inner, max_size=3).map(_row),
        st.builds(_map, inner, _bounded("minProperties", "maxProperties", _SIZES)),
        records(inner),
        st.lists(alone, min_size=2, max_size=3, unique_by=repr).map(_union),
    )


SCHEMAS = st.recursive(_SIMPLE, _larger, max_leaves=6)
"""Schemas in the spelling that signatures are read as."""

NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=8)


def _tool(name: str, parameters: dict[str, Any], description: str, returns: str) -> Tool:
    words = [word for word in returns.split() if word != "#"]
    return Tool(name, parameters, " ".join(description.split()), " ".join(words))


TOOLS = st.builds(_tool, NAMES, records(SCHEMAS, smallest=0), TEXT, TEXT)
"""Tools that a signature carries whole."""
