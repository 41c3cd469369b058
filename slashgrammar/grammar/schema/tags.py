"""Telling alternatives apart at a glance: by a property that they all require, each with values of its own."""

from __future__ import annotations

from typing import Any, TypeAlias

from slashgrammar.grammar.schema.facts import identity
from slashgrammar.grammar.schema.table import Literal, Table

Values: TypeAlias = "frozenset[object]"


class Tags:
    """For each schema the required properties that have but a few values, as far as `$ref` and `allOf` show them."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._tags: dict[Literal, dict[str, Values]] = {}

    def differ(self, left: Literal, right: Literal) -> bool:
        """Whether some property that both require has no value that both take."""
        if left < 0 or right < 0:
            return False
        mine, theirs = self._of(left), self._of(right)
        return any(name in theirs and mine[name].isdisjoint(theirs[name]) for name in mine)

    def _of(self, literal: Literal) -> dict[str, Values]:
        if literal not in self._tags:
            rows = self._rows(literal)
            required = {name for row in rows for name in row.get("required", ())}
            found: dict[str, Values] = {}
            for row in rows:
                for name in required.intersection(row.get("properties", ())):
                    for values in self._values(row["properties"][name]):
                        found[name] = found[name] & values if name in found else values
            self._tags[literal] = found
        return self._tags[literal]

    def _values(self, literal: Literal) -> list[Values]:
        found = []
        for row in self._rows(literal):
            if "enum" in row:
                found.append(frozenset(identity(value) for value in row["enum"]))
            if "const" in row:
                found.append(frozenset((identity(row["const"]),)))
        return found

    def _rows(self, literal: Literal) -> list[dict[str, Any]]:
        """The schema and all that hold together with it."""
        seen: dict[Literal, dict[str, Any]] = {}
        stack = [literal]
        while stack:
            number = stack.pop()
            if number > 0 and number not in seen:
                row = seen[number] = self._table.row(number)
                stack += row.get("allOf", ())
                if "$ref" in row:
                    stack.append(self._table.target(row["$ref"]))
        return list(seen.values())
