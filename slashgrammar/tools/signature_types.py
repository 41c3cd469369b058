"""The types of signature text as JSON Schemas: what is behind a name, its bounds, and unions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lark import Token

from slashgrammar.tools.bounds import RANGES, read_pattern
from slashgrammar.tools.nearest import nearest

# All names of types, in small letters.
_TYPES: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "string": {"type": "string"},
    "int": {"type": "integer"},
    "integer": {"type": "integer"},
    "float": {"type": "number"},
    "number": {"type": "number"},
    "bool": {"type": "boolean"},
    "boolean": {"type": "boolean"},
    "none": {"type": "null"},
    "any": {},
    "array": {"type": "array"},
    "list": {"type": "array"},
    "object": {"type": "object", "additionalProperties": True},
    "dict": {"type": "object", "additionalProperties": True},
}
_INNER = {"array": "items", "object": "additionalProperties"}
_TYPE_OF = {str: "string", int: "integer", float: "number", bool: "boolean"}
_BOUNDS = {
    "integer": "a range, such as 1..100, or a step, such as step 5",
    "number": "a range, such as 0..1, or a step, such as step 0.5",
    "string": "a length, such as 1..100, a format, such as date, or a /pattern/",
    "array": "a length, such as 1..100, or unique",
    "object": "a number of keys, such as 1..100",
}


class Problem(Exception):
    """What is wrong with a text that the grammar allows, with the token to blame."""

    def __init__(self, message: str, token: Token, expected: str) -> None:
        super().__init__(message)
        self.token = token
        self.expected = expected


@dataclass(frozen=True)
class Literal:
    """A JSON value that stands where a type may."""

    value: Any


def named(name: Token, inner: dict[str, Any] | None, bounds: Iterable[Sequence[Token]]) -> dict[str, Any]:
    """The schema of a type such as `Array[T](1..5)`.

    Raises:
        Problem: there is no such type, or it has no such bounds.
    """
    if name.lower() not in _TYPES:
        raise Problem(f"unknown type {str(name)!r}", name, nearest(name, _TYPES) or "a type, such as str or int")
    schema = dict(_TYPES[name.lower()])
    if inner is not None:
        if schema.get("type") not in _INNER:
            raise Problem(f"{name} holds no other type", name, "Array or Object")
        schema[_INNER[schema["type"]]] = inner
    for bound in bounds:
        schema.update(_bound(schema.get("type", ""), bound))
    return schema


def union(alternatives: Iterable[dict[str, Any] | Literal]) -> dict[str, Any]:
    """The schema that takes what any of the alternatives takes; literals become one enumeration."""
    schemas: list[dict[str, Any]] = []
    values: dict[str, Any] = {}  # by their text: to Python, 1 and 1.0 and true are one
    place = 0
    for alternative in alternatives:
        if isinstance(alternative, Literal):
            place = place if values else len(schemas)
            values[json.dumps(alternative.value)] = alternative.value
        elif alternative not in schemas:
            schemas.append(alternative)
    if values:
        schemas.insert(place, _enumeration(list(values.values())))
    if {} in schemas:
        return {}
    if len(schemas) == 1:
        return schemas[0]
    if all(schema.keys() == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def _enumeration(values: list[Any]) -> dict[str, Any]:
    if values == [None]:
        return {"type": "null"}
    types = {_TYPE_OF.get(type(value)) for value in values}
    common = types.pop() if len(types) == 1 else None
    return {"type": common, "enum": values} if common else {"enum": values}


def _bound(declared: str, bound: Sequence[Token]) -> dict[str, Any]:
    kinds = [token.type for token in bound]
    if "TO" in kinds or kinds == ["NUMBER"]:
        return _range(declared, bound)
    if kinds[0] == "STEP" and declared in ("integer", "number") and (step := number(bound[1])) > 0:
        return {"multipleOf": step}
    if kinds == ["PATTERN"] and declared == "string":
        return {"pattern": read_pattern(bound[0])}
    if kinds == ["NAME"] and declared == "string":
        return {"format": str(bound[0])}
    if bound[0] == "unique" and declared == "array":
        return {"uniqueItems": True}
    raise Problem(f"{' '.join(bound)} is no bound of this type", bound[0], _BOUNDS.get(declared, "a type that has any"))


def _range(declared: str, bound: Sequence[Token]) -> dict[str, Any]:
    written = "".join(bound)
    if declared not in RANGES:
        raise Problem(f"{written} is no bound of this type", bound[0], "a type that has any")
    operator = next((str(token) for token in bound if token.type == "TO"), "")
    low = number(bound[0]) if bound[0].type == "NUMBER" else None
    high = number(bound[-1]) if bound[-1].type == "NUMBER" else None
    is_size = declared not in ("integer", "number")
    if is_size and (operator not in ("", "..") or any(end is not None and (end < 0 or end % 1) for end in (low, high))):
        raise Problem(f"{written} is no size", bound[0], "whole numbers that are not negative, such as 1..100")
    if low is not None and high is not None and low > high:
        raise Problem(f"nothing is in {written}", bound[0], "the smaller number first")
    low_key, high_key = RANGES[declared]
    ends = ((low_key, low, operator.startswith("<")), (high_key, high, operator.endswith("<")))
    return {f"exclusive{key.capitalize()}" if is_open else key: end for key, end, is_open in ends if end is not None}


def number(token: Token) -> float:
    """The value of a JSON number; raises Problem where Python has none for it."""
    try:
        value: float = json.loads(token)
    except ValueError:  # an integer of more digits than Python reads
        value = math.inf
    if not math.isfinite(value):
        raise Problem(f"{token[:20]} is out of range", token, "a smaller number")
    return value
