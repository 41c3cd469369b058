"""The order in which a schema declares the keys of objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONS = ("if", "then", "else")


def in_declared_order(value: Any, schema: Any) -> Any:
    """The value with the keys of its objects in declared order, keys that no schema declares behind them."""
    return _ordered(value, [schema], schema)


def declared_names(schema: Any, path: list[str | int]) -> list[str]:
    """The names of members that the schema lists for the object at a path of a value."""
    schemas = [schema]
    for step in path:
        parts = list(_parts(schemas, schema))
        if isinstance(step, int):
            schemas = [inner for part in parts for inner in _item_schemas(part, step)]
        else:
            schemas = [_mapping(part.get("properties")).get(step) for part in parts]
    return list(dict.fromkeys(name for part in _parts(schemas, schema) for name in _mapping(part.get("properties"))))


def _ordered(value: Any, schemas: list[Any], root: Any) -> Any:
    if not isinstance(value, dict | list):
        return value
    parts = list(_parts(schemas, root))
    if isinstance(value, list):
        items = enumerate(value)
        return [
            _ordered(item, [s for part in parts for s in _item_schemas(part, place)], root) for place, item in items
        ]
    declared: dict[str, list[Any]] = {}
    for part in parts:
        for name, inner in _mapping(part.get("properties")).items():
            declared.setdefault(name, []).append(inner)
    names = [name for name in declared if name in value] + [name for name in value if name not in declared]
    free = [part["additionalProperties"] for part in parts if "additionalProperties" in part]
    return {name: _ordered(value[name], declared.get(name, free), root) for name in names}


def _parts(schemas: list[Any], root: Any) -> Iterator[dict[str, Any]]:
    """The schemas that apply to one place, with those they refer to and combine; each once."""
    work, seen = list(reversed(schemas)), set[int]()
    while work:
        schema = work.pop()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema
        more = [_resolve(schema["$ref"], root)] if isinstance(schema.get("$ref"), str) else []
        for keyword in _BRANCHES:
            more += schema[keyword] if isinstance(schema.get(keyword), list) else []
        more += [schema[keyword] for keyword in _CONDITIONS if keyword in schema]
        work += reversed(more)


def _item_schemas(schema: dict[str, Any], index: int) -> list[Any]:
    first = schema.get("prefixItems", schema.get("items"))
    if isinstance(first, list):
        if index < len(first):
            return [first[index]]
        return [schema.get("items") if "prefixItems" in schema else schema.get("additionalItems")]
    return [schema.get("items")]


def _resolve(reference: str, root: Any) -> Any:
    """The schema that a local JSON pointer (RFC 6901) names; None for anything else."""
    if not reference.startswith("#"):
        return None
    place = root
    for part in reference[1:].split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(place, list) and key.isdigit() and int(key) < len(place):
            place = place[int(key)]
        else:
            place = _mapping(place).get(key)
    return place


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
