"""Telling alternatives apart at a glance: by a property that they all require, each with values of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from slashgrammar.grammar.schema.json_values import identity
from slashgrammar.grammar.schema.table import Literal, Table

Values: TypeAlias = "frozenset[object]"


class Tags:
    """For each schema the required properties that have but a few values, as far as `$ref` and `allOf` show them."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._tags: dict[Literal, dict[str | None, Values]] = {}

    def differ(self, left: Literal, right: Literal, kind: str) -> bool:
        """Whether no value of a type meets both, for the values listed or for some property that both require."""
        mine, theirs = self._of(left), self._of(right)
        shared = (name for name in mine if name in theirs and (name is None or kind == "object"))
        return any(mine[name].isdisjoint(theirs[name]) for name in shared)

    def all_differ(self, literals: Sequence[Literal], kind: str) -> bool:
        """Whether the same shows for each two of some literals, in one and the same property."""
        tags = [self._of(literal) for literal in literals]
        for name in tags[0] if tags else ():
            if (name is None or kind == "object") and all(name in others for others in tags):
                values = [others[name] for others in tags]
                if len(frozenset().union(*values)) == sum(map(len, values)):
                    return True
        return False

    def left_of(self, literals: Sequence[Literal]) -> Values | None:
        """The values that may meet all of some literals, where these list them; None where they do not."""
        listed = [values[None] for literal in literals if None in (values := self._of(literal))]
        if not listed:
            return None
        left = frozenset.intersection(*listed)
        for literal in literals:
            row = self._table.row(literal)
            if literal < 0 and row.keys() <= {"const", "enum"}:
                left -= self._of(-literal)[None]
        return left

    def _of(self, literal: Literal) -> dict[str | None, Values]:
        """The few values of each required property, and under None those of the literal itself."""
        if literal not in self._tags:
            rows = self._rows(literal)
            required = {name for row in rows for name in row.get("required", ())}
            found: dict[str | None, Values] = {}
            for values in self._values(literal):
                found[None] = found[None] & values if None in found else values
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
