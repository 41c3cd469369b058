"""Which schemas speak about one place of an instance.

A *scope* is made of the schemas that may apply to one value: a property's own schema, and what `allOf`, `$ref`,
another branch or a pattern says about that property besides. The order of an object's properties and its closing are
asked of the scope, for no schema alone knows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

import jsonschema_rs

from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.grammar.schema.table import Literal, Table

Scope: TypeAlias = "tuple[Literal, ...]"

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
    """The scopes of the schemas in a table, each as their numbers, in the order in which they are written.

    With `tests`, what stands in `if` and `not` counts as speaking about the value that it tests.
    """

    def __init__(self, table: Table, *, tests: bool) -> None:
        self._table = table
        self._tests = tests
        self._properties: dict[tuple[Scope, str], Scope] = {}
        self._cache: dict[tuple[Literal, ...], Scope] = {}

    def of(self, schemas: Iterable[Literal]) -> Scope:
        """The scope of a value to which the given schemas apply."""
        start = tuple(schemas)
        if start not in self._cache:
            self._cache[start] = self._closure(start)
        return self._cache[start]

    def _closure(self, start: tuple[Literal, ...]) -> Scope:
        seen: dict[Literal, None] = {}
        stack = list(start)[::-1]
        while stack:
            number = abs(stack.pop())
            if number not in seen:
                seen[number] = None
                stack += list(self._in_place(self._table.row(number)))[::-1]
        return tuple(number for number in seen if not _SPEAKING.isdisjoint(self._table.row(number)))

    def _in_place(self, row: dict[str, Any]) -> Iterator[Literal]:
        if "$ref" in row:
            yield self._table.target(row["$ref"])
        for key in _LISTS:
            yield from row.get(key, ())
        for key in ("if", "not", "then", "else") if self._tests else ("then", "else"):
            if key in row:
                yield row[key]
        yield from row.get("dependentSchemas", {}).values()

    def rows(self, scope: Scope) -> list[dict[str, Any]]:
        """The keywords of the schemas of a scope that say something about properties or items."""
        return [self._table.row(number) for number in scope]

    def property(self, scope: Scope, name: str) -> Scope:
        """The scope of the value under a property name."""
        if (scope, name) not in self._properties:
            found = [inner for row in self.rows(scope) for inner in property_schemas(row, name)]
            self._properties[scope, name] = self.of(found)
        return self._properties[scope, name]

    def other(self, scope: Scope) -> Scope:
        """The scope of the values under names that are none of `names`: all that may apply to one of them."""
        found: list[Literal] = []
        for row in self.rows(scope):
            found += row.get("patternProperties", {}).values()
            found += [row[key] for key in ("additionalProperties", "unevaluatedProperties") if key in row]
        return self.of(found)

    def prefix(self, scope: Scope) -> int:
        """How many items have a scope of their own; `item` is the same for all behind them."""
        return max((len(row.get("prefixItems", ())) for row in self.rows(scope)), default=0)

    def item(self, scope: Scope, index: int) -> Scope:
        """The scope of the item at an index."""
        found: list[Literal] = []
        for row in self.rows(scope):
            prefix = row.get("prefixItems", ())
            if index < len(prefix):
                found.append(prefix[index])
            elif "items" in row:
                found.append(row["items"])
            found += [row[key] for key in ("contains", "unevaluatedItems") if key in row]
        return self.of(found)

    def names(self, scope: Scope) -> tuple[str, ...]:
        """The names that the schemas declare for properties, in declared order; then those that they only require."""
        names: dict[str, None] = {}
        rows = self.rows(scope)
        for row in rows:
            names.update(dict.fromkeys(row.get("properties", ())))
        for row in rows:
            names.update(dict.fromkeys(row.get("required", ())))
            for name, wanted in row.get("dependentRequired", {}).items():
                names.update(dict.fromkeys((name, *wanted)))
            names.update(dict.fromkeys(row.get("dependentSchemas", ())))
        return tuple(names)


def property_schemas(row: dict[str, Any], name: str) -> list[Literal]:
    """What one schema says about the value under a name by the keywords that name properties."""
    found: list[Literal] = []
    if name in row.get("properties", ()):
        found.append(row["properties"][name])
    patterns = row.get("patternProperties", {})
    found += [patterns[pattern] for pattern in patterns if satisfies("pattern", pattern, name)]
    if not found and "additionalProperties" in row:
        found.append(row["additionalProperties"])
    if "unevaluatedProperties" in row:
        found.append(row["unevaluatedProperties"])
    return found


def satisfies(keyword: str, argument: str, text: str) -> bool:
    """Whether a string meets a `pattern`, a `format` or an `x-grammar`, as validation decides it."""
    if keyword == KEYWORD:
        return ArgumentGrammar.read(argument).matches(text)
    return _validator(keyword, argument).is_valid(text)


@lru_cache(maxsize=4096)
def _validator(keyword: str, argument: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({keyword: argument}, validate_formats=True)
