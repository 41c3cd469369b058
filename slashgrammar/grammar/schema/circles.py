"""References that lead to themselves without looking into the value: no value could ever be told to meet them.

`{"$ref": "#"}` at the root is the shortest. JSON Schema forbids such circles for the endless work they mean; here what
closes one is met by no value, for the grammar and for validation alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from slashgrammar.grammar.rewrite.analysis import components

_ONE = ("if", "then", "else", "not")
_SEVERAL = ("allOf", "anyOf", "oneOf")


def cut_circles(definitions: list[Any]) -> list[Any]:
    """The definitions of a normalised schema with False for each `$ref` that closes a circle."""
    graph = {str(number): list(_references(schema)) for number, schema in enumerate(definitions)}
    circles: dict[str, set[str]] = {}
    for component in components(graph):
        if len(component) > 1 or component[0] in graph[component[0]]:
            circles |= {number: set(component) for number in component}
    return [_cut(schema, circles.get(str(number), set())) for number, schema in enumerate(definitions)]


def _number(reference: str) -> str:
    return reference.rpartition("/")[2]


def _references(schema: Any) -> Iterator[str]:
    """The numbers of the definitions that speak about the same value as the schema."""
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        yield _number(schema["$ref"])
    inner = [schema[key] for key in _ONE if key in schema]
    inner += [each for key in _SEVERAL for each in schema.get(key, ())]
    for each in (*inner, *schema.get("dependentSchemas", {}).values()):
        yield from _references(each)


def _cut(schema: Any, circle: set[str]) -> Any:
    if not circle or not isinstance(schema, dict):
        return schema
    if "$ref" in schema and _number(schema["$ref"]) in circle:
        return False
    for key in _ONE:
        if key in schema:
            schema[key] = _cut(schema[key], circle)
    for key in _SEVERAL:
        if key in schema:
            schema[key] = [_cut(each, circle) for each in schema[key]]
    if "dependentSchemas" in schema:
        schema["dependentSchemas"] = {name: _cut(each, circle) for name, each in schema["dependentSchemas"].items()}
    return schema
