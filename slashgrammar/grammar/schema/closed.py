"""Closing objects, as strict tool calling does, without breaking schemas that are merged.

`additionalProperties: false` looks at its own schema only, so that it would forbid what a neighbour in `allOf`
declares. Hence `unevaluatedProperties: false`, set once for each place of the instance that is described, not for each
schema.
"""

from __future__ import annotations

from typing import Any

from slashgrammar.grammar.schema.normalise import Normalised, Schema, normalise
from slashgrammar.grammar.schema.scope import Scope, Scopes
from slashgrammar.grammar.schema.table import FALSE, Table

_DECLARING = ("patternProperties", "properties")
_OPENING = ("additionalProperties", "unevaluatedProperties")
_IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
_IN_PLACE = ("then", "else")
_TESTS = ("contains", "if", "not", "propertyNames")
_REFINED = frozenset((*_IN_PLACE_LISTS, *_IN_PLACE, "$ref", "dependentSchemas"))


def closed(schema: Any, open_objects: bool, *, tool: str | None = None) -> dict[str, Any]:
    """The schema as validation must see it, in JSON Schema 2020-12, whatever draft it was written in.

    With `open_objects` it means what the standard says. Without, an object whose schema declares properties but says
    nothing of others has no others, taking all schemas that apply to the same object together; an object whose schema
    declares none (`{"type": "object"}`) stays free, but for the outermost one. A name that is required counts as
    declared. What stands in `not`, `if`, `contains` and `propertyNames` tests a value and closes nothing.

    Raises ToolError where the schema is none; see `normalise`.
    """
    return bundle(close(normalise(schema, tool=tool), open_objects))


def close(schema: Normalised, open_objects: bool) -> Normalised:
    """The same on a normalised schema; with `open_objects` it is returned as it is."""
    return schema if open_objects else _Closer(schema).run()


def bundle(schema: Normalised) -> dict[str, Any]:
    """One schema document out of a normalised schema."""
    root = schema.root if isinstance(schema.root, dict) else {"allOf": [schema.root]}
    definitions = {str(number): inner for number, inner in enumerate(schema.definitions)}
    return {**root, "$defs": definitions} if definitions else dict(root)


class _Closer:
    def __init__(self, schema: Normalised) -> None:
        self.source = schema
        self.table = Table(schema)
        self.scopes = Scopes(self.table, tests=False)
        self.result = Normalised(True, unread=schema.unread)
        self.numbers: dict[tuple[int, Scope | None], int] = {}
        self.queue: list[tuple[Schema, Scope | None]] = []

    def run(self) -> Normalised:
        scope = self.scopes.of([self.table.root])
        self.result.root = self.place(self.source.root, scope, outermost=True)
        done = 0
        while done < len(self.queue):
            schema, inner_scope = self.queue[done]
            self.result.definitions.append(self.in_place(schema, inner_scope))
            done += 1
        return self.result

    def place(self, schema: Schema, scope: Scope | None, *, outermost: bool = False) -> Schema:
        """A schema that is all that its parent says about one place of the instance."""
        result = self.in_place(schema, scope)
        if scope is None or not isinstance(result, dict):
            return result
        if "additionalProperties" in result or "unevaluatedProperties" in result:
            return result
        if not outermost and not any(key in row for row in self.scopes.rows(scope) for key in _DECLARING):
            return result
        own = self.scopes.of([self.table.literal(schema)])
        others = self.scopes.rows(tuple(number for number in scope if number not in own))
        if any(other.get(key, FALSE) != FALSE for other in others for key in _OPENING):
            return result
        foreign = self._foreign(scope, own, others)
        if foreign and _REFINED.isdisjoint(result):
            for key, names in foreign.items():
                result[key] = names | result.get(key, {}) if key == "patternProperties" else result.get(key, {}) | names
        elif foreign:  # behind all that it says in place, so that the names keep their order
            inner, result = result, {"allOf": [result, foreign]}
            self.result.paths[id(result)] = self.result.paths[id(inner)]
        result["unevaluatedProperties"] = False
        return result

    def _foreign(self, scope: Scope, own: Scope, others: list[dict[str, Any]]) -> dict[str, Any]:
        """What lets a schema know the names that only others declare, or that are only required."""
        known = {name for row in self.scopes.rows(own) for name in row.get("properties", ())}
        found = {
            "properties": [name for name in self.scopes.names(scope) if name not in known],
            "patternProperties": [pattern for other in others for pattern in other.get("patternProperties", ())],
        }
        return {key: dict.fromkeys(names, True) for key, names in found.items() if names}

    def in_place(self, schema: Schema, scope: Scope | None) -> Schema:
        """A schema that is one of several that may apply to the same value; without a scope nothing in it is closed."""
        if not isinstance(schema, dict):
            return schema
        result = dict(schema)
        self.result.paths[id(result)] = self.source.paths.get(id(schema), "")
        if "$ref" in schema:
            result["$ref"] = self.refer(schema["$ref"], scope)
        for key in _IN_PLACE_LISTS:
            if key in schema:
                result[key] = [self.in_place(inner, scope) for inner in schema[key]]
        for key in _IN_PLACE:
            if key in schema:
                result[key] = self.in_place(schema[key], scope)
        for key in _TESTS:
            if key in schema:
                result[key] = self.in_place(schema[key], None)
        if "dependentSchemas" in schema:
            inner = schema["dependentSchemas"]
            result["dependentSchemas"] = {name: self.in_place(inner[name], scope) for name in inner}
        self._children(schema, scope, result)
        return result

    def _children(self, schema: dict[str, Any], scope: Scope | None, result: dict[str, Any]) -> None:
        if "properties" in schema:
            inner = schema["properties"]
            result["properties"] = {name: self.place(inner[name], self._property(scope, name)) for name in inner}
        if "patternProperties" in schema:
            other, inner = self._other(scope), schema["patternProperties"]
            result["patternProperties"] = {pattern: self.place(inner[pattern], other) for pattern in inner}
        for key in ("additionalProperties", "unevaluatedProperties"):
            if key in schema:
                result[key] = self.place(schema[key], self._other(scope))
        if "prefixItems" in schema:
            items = enumerate(schema["prefixItems"])
            result["prefixItems"] = [self.place(inner, self._item(scope, index)) for index, inner in items]
        for key in ("items", "unevaluatedItems"):
            if key in schema:
                result[key] = self.place(schema[key], self._item(scope, self.scopes.prefix(scope) if scope else 0))

    def _property(self, scope: Scope | None, name: str) -> Scope | None:
        return None if scope is None else self.scopes.property(scope, name)

    def _other(self, scope: Scope | None) -> Scope | None:
        return None if scope is None else self.scopes.other(scope)

    def _item(self, scope: Scope | None, index: int) -> Scope | None:
        return None if scope is None else self.scopes.item(scope, index)

    def refer(self, reference: str, scope: Scope | None) -> str:
        number = int(reference.rpartition("/")[2])
        key = (number, scope)
        if key not in self.numbers:
            self.numbers[key] = len(self.queue)
            self.queue.append((self.source.definitions[number], scope))
        return f"#/$defs/{self.numbers[key]}"
