"""Which schemas speak about one place of an instance.

A *scope* is made of the schemas that may apply to one value: a property's own schema, and what `allOf`, `$ref`,
another branch or a pattern says about that property besides. The order of an object's properties and its closing are
asked of the scope, for no schema alone knows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from slashgrammar.grammar.schema.normalise import Normalised, Schema

Scope: TypeAlias = "tuple[int, ...]"

_LISTS = ("allOf", "anyOf", "oneOf")
_SPEAKING = frozenset(
    (
        "additionalProperties",
        "contains",
        "dependentRequired",
        "items",
        "patternProperties",
        "prefixItems",
        "properties",
        "required",
        "unevaluatedItems",
        "unevaluatedProperties",
    )
)


class Scopes:
    """The scopes of one normalised schema, each as the `id`s of the schemas in it, in the order they are written.

    With `tests`, what stands in `if` and `not` counts as speaking about the value that it tests.
    """

    def __init__(self, schema: Normalised, *, tests: bool) -> None:
        self._definitions = schema.definitions
        self._tests = tests
        self._schemas: dict[int, dict[str, Any]] = {}
        self._properties: dict[tuple[Scope, str], Scope] = {}

    def of(self, schemas: Iterable[Schema]) -> Scope:
        """The scope of a value to which the given schemas apply."""
        seen: dict[int, dict[str, Any]] = {}
        stack = list(schemas)[::-1]
        while stack:
            schema = stack.pop()
            if isinstance(schema, dict) and id(schema) not in seen:
                seen[id(schema)] = schema
                stack += list(self._in_place(schema))[::-1]
        speaking = {number: schema for number, schema in seen.items() if not _SPEAKING.isdisjoint(schema)}
        self._schemas.update(speaking)
        return tuple(speaking)

    def _in_place(self, schema: dict[str, Any]) -> Iterator[Schema]:
        if "$ref" in schema:
            yield self.target(schema)
        for key in _LISTS:
            yield from schema.get(key, ())
        for key in ("if", "not", "then", "else") if self._tests else ("then", "else"):
            if key in schema:
                yield schema[key]
        yield from schema.get("dependentSchemas", {}).values()

    def target(self, schema: dict[str, Any]) -> Schema:
        """What the `$ref` of a normalised schema means."""
        return self._definitions[int(schema["$ref"].rpartition("/")[2])]

    def members(self, scope: Scope) -> list[dict[str, Any]]:
        """The schemas of a scope that say something about properties or items."""
        return [self._schemas[number] for number in scope]

    def property(self, scope: Scope, name: str) -> Scope:
        """The scope of the value under a property name."""
        if (scope, name) not in self._properties:
            found = [inner for schema in self.members(scope) for inner in property_schemas(schema, name)]
            self._properties[scope, name] = self.of(found)
        return self._properties[scope, name]

    def other(self, scope: Scope) -> Scope:
        """The scope of the values under names that no schema declares: all that may apply to one of them."""
        found: list[Schema] = []
        for schema in self.members(scope):
            found += schema.get("patternProperties", {}).values()
            found += [schema[key] for key in ("additionalProperties", "unevaluatedProperties") if key in schema]
        return self.of(found)

    def item(self, scope: Scope, index: int | None) -> Scope:
        """The scope of the item at an index; None means the items behind every prefix."""
        found: list[Schema] = []
        for schema in self.members(scope):
            prefix = schema.get("prefixItems", ())
            if index is not None and index < len(prefix):
                found.append(prefix[index])
            elif "items" in schema:
                found.append(schema["items"])
            found += [schema[key] for key in ("contains", "unevaluatedItems") if key in schema]
        return self.of(found)

    def names(self, scope: Scope) -> tuple[str, ...]:
        """The names that the schemas declare for properties, in declared order; then those that they only require."""
        names: dict[str, None] = {}
        for schema in self.members(scope):
            names.update(dict.fromkeys(schema.get("properties", ())))
        for schema in self.members(scope):
            names.update(dict.fromkeys(schema.get("required", ())))
            for name, wanted in schema.get("dependentRequired", {}).items():
                names.update(dict.fromkeys((name, *wanted)))
        return tuple(names)


def property_schemas(schema: dict[str, Any], name: str) -> list[Schema]:
    """What one schema says about the value under a name by the keywords that name properties."""
    found: list[Schema] = []
    if name in schema.get("properties", ()):
        found.append(schema["properties"][name])
    found += [inner for pattern, inner in schema.get("patternProperties", {}).items() if searches(pattern, name)]
    if not found and "additionalProperties" in schema:
        found.append(schema["additionalProperties"])
    if "unevaluatedProperties" in schema:
        found.append(schema["unevaluatedProperties"])
    return found


@lru_cache(maxsize=4096)
def searches(pattern: str, text: str) -> bool:
    """Whether an ECMA pattern matches somewhere in a text; one that cannot be read matches nowhere."""
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return False
