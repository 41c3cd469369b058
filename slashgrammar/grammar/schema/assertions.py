"""What the keywords of one schema say of a value of one JSON type, one fact a keyword; all of them hold."""

from __future__ import annotations

from typing import Any

from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.grammar.schema.facts import (
    Absent,
    Bound,
    Contains,
    Count,
    Either,
    ExactlyOne,
    Item,
    Items,
    Layer,
    Matches,
    Multiple,
    Names,
    OneOf,
    Present,
    Unique,
    Whole,
)
from slashgrammar.grammar.schema.json_values import exact, identity, kind_of
from slashgrammar.grammar.schema.table import FALSE, TRUE


def may_be(row: dict[str, Any], kind: str) -> bool:
    """Whether the keyword `type` of a schema of the table, where it has one, lets values of a JSON type be."""
    if "type" not in row:
        return True
    types = [row["type"]] if isinstance(row["type"], str) else row["type"]
    return kind in types or (kind == "number" and "integer" in types)


def conjuncts(row: dict[str, Any], kind: str) -> list[Item]:
    """What a schema of the table asserts of a value of a JSON type, without its `$ref` and `unevaluated…` keywords."""
    if not may_be(row, kind):
        return [FALSE]
    found: list[Item] = []
    if kind == "number" and "type" in row and "number" not in row["type"]:
        found.append(Whole())
    for key in ("enum", "const"):
        if key in row:
            values = [value for value in (row[key] if key == "enum" else [row[key]]) if kind_of(value) == kind]
            found.append(_one_of(values) if values else FALSE)
    found += _TYPED[kind](row) if kind in _TYPED else []
    found += _combined(row)
    return found


def _combined(row: dict[str, Any]) -> list[Item]:
    found: list[Item] = list(row.get("allOf", ()))
    if "anyOf" in row:
        found.append(Either(tuple((literal,) for literal in row["anyOf"])))
    if "oneOf" in row:
        found.append(ExactlyOne(row["oneOf"]))
    if "not" in row:
        found.append(-row["not"])
    if "if" in row and ("then" in row or "else" in row):
        test = row["if"]
        found.append(Either(((test, row.get("then", TRUE)), (-test, row.get("else", TRUE))), exclusive=True))
    return found


def _number(row: dict[str, Any]) -> list[Item]:
    found: list[Item] = []
    for key, lower in (("minimum", True), ("maximum", False)):
        if key in row:
            found.append(Bound(exact(row[key]), lower, False))
    for key, lower in (("exclusiveMinimum", True), ("exclusiveMaximum", False)):
        if key in row:
            found.append(Bound(exact(row[key]), lower, True))
    if "multipleOf" in row:
        found.append(Multiple(exact(row["multipleOf"])))
    return found


def _string(row: dict[str, Any]) -> list[Item]:
    found = _count(row, "minLength", "maxLength")
    found += [Matches(key, row[key]) for key in ("pattern", "format") if key in row]
    if KEYWORD in row:
        found.append(Matches(KEYWORD, str(ArgumentGrammar.of(row[KEYWORD]))))
    return found


def _count(row: dict[str, Any], least: str, most: str) -> list[Item]:
    return [Count(row.get(least, 0), row.get(most))] if least in row or most in row else []


def _array(row: dict[str, Any]) -> list[Item]:
    found = _count(row, "minItems", "maxItems")
    if "prefixItems" in row or "items" in row:
        found.append(Items(row.get("prefixItems", ()), row.get("items", TRUE), "items" in row))
    if "contains" in row:
        found.append(Contains(row["contains"], row.get("minContains", 1), row.get("maxContains")))
    if row.get("uniqueItems"):
        found.append(Unique())
    return found


def _object(row: dict[str, Any]) -> list[Item]:
    found = _count(row, "minProperties", "maxProperties")
    if layer := layer_of(row):
        found.append(layer)
    found += [Present(name) for name in row.get("required", ())]
    if "propertyNames" in row:
        found.append(Names(row["propertyNames"]))
    for name, wanted in row.get("dependentRequired", {}).items():
        wanted_too = (Present(name), *(Present(other) for other in wanted))
        found.append(Either(((Absent(name),), wanted_too), exclusive=True))
    for name, literal in row.get("dependentSchemas", {}).items():
        found.append(Either(((Absent(name),), (Present(name), literal)), exclusive=True))
    return found


_TYPED = {"number": _number, "string": _string, "array": _array, "object": _object}


def layer_of(row: dict[str, Any]) -> Layer | None:
    """What a schema says of properties by their names, if anything."""
    if not any(key in row for key in ("properties", "patternProperties", "additionalProperties")):
        return None
    return Layer(
        tuple(row.get("properties", {}).items()),
        tuple(row.get("patternProperties", {}).items()),
        row.get("additionalProperties"),
    )


def _one_of(values: list[Any]) -> OneOf:
    return OneOf(tuple(values), frozenset(identity(value) for value in values))
