"""A normalised schema as a table in which equal schemas have one number, so that sets of schemas can be compared.

A *literal* is the number of a schema, or its negative for "not that schema". `TRUE` takes every value, `FALSE`, its
negative, none. A *state* is a sorted tuple of literals that all hold for one value; `()` takes every value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeAlias

from slashgrammar.grammar.schema.normalise import LIST_KEYS, SCHEMA_KEYS, TABLE_KEYS, Normalised, Schema

Literal: TypeAlias = int
State: TypeAlias = "tuple[Literal, ...]"

TRUE: Literal = 1
FALSE: Literal = -1
NEVER: State = (FALSE,)


class Table:
    """The schemas of one document by number; inside each, literals stand in the place of schemas."""

    def __init__(self, schema: Normalised) -> None:
        self._source = schema
        self._numbers: dict[object, Literal] = {}
        self._known: dict[int, Literal] = {}
        self._rows: list[dict[str, Any]] = [{}, {}]
        self._paths: list[str] = ["", ""]
        self._targets: dict[str, Literal] = {}
        self._resolved: dict[Literal, Literal] = {}
        self.root = self.literal(schema.root)

    def literal(self, schema: Schema) -> Literal:
        """The number of a schema of the document."""
        if isinstance(schema, bool):
            return TRUE if schema else FALSE
        if not schema:
            return TRUE
        if id(schema) not in self._known:
            self._known[id(schema)] = self._enter(schema)
        return self._known[id(schema)]

    def _enter(self, schema: dict[str, Any]) -> Literal:
        row = {key: self._cell(key, value) for key, value in schema.items()}
        key = tuple((name, _hashable(value)) for name, value in row.items())
        if key not in self._numbers:
            self._numbers[key] = len(self._rows)
            self._rows.append(row)
            self._paths.append(self._source.paths.get(id(schema), ""))
        return self._numbers[key]

    def _cell(self, key: str, value: Any) -> Any:
        if key in SCHEMA_KEYS:
            return self.literal(value)
        if key in LIST_KEYS:
            return tuple(self.literal(item) for item in value)
        if key in TABLE_KEYS:
            return {name: self.literal(inner) for name, inner in value.items()}
        return value

    def row(self, literal: Literal) -> dict[str, Any]:
        """The keywords of the schema that a literal speaks of, whatever its sign."""
        return self._rows[abs(literal)]

    def path(self, literal: Literal) -> str:
        """Where that schema stands in the original, as a JSON pointer."""
        return self._paths[abs(literal)]

    def target(self, reference: str) -> Literal:
        """The number of what a `$ref` of the normalised document means."""
        if reference not in self._targets:
            definition = self._source.definitions[int(reference.rpartition("/")[2])]
            self._targets[reference] = self.literal(definition)
        return self._targets[reference]

    def resolve(self, literal: Literal) -> Literal:
        """The literal with schemas that are nothing but a `$ref` followed; a circle of those is met by no value."""
        if literal not in self._resolved:
            self._resolved[literal] = self._resolve(literal)
        return self._resolved[literal]

    def _resolve(self, literal: Literal) -> Literal:
        seen = set()
        while (row := self.row(literal)).keys() == {"$ref"}:
            if literal in seen:
                return FALSE
            seen.add(literal)
            target = self.target(row["$ref"])
            literal = target if literal > 0 else -target
        return literal

    def state(self, literals: Iterable[Literal]) -> State:
        """The state in which all the literals hold."""
        members = {self.resolve(literal) for literal in literals}
        members.discard(TRUE)
        if FALSE in members or any(-member in members for member in members):
            return NEVER
        return tuple(sorted(members))


def _hashable(value: Any) -> object:
    if isinstance(value, dict):
        return tuple((name, _hashable(inner)) for name, inner in value.items())
    if isinstance(value, (int, tuple)) and not isinstance(value, bool):
        return value
    return json.dumps(value)
