"""JSON values as JSON Schema sees them: their types, and which are equal."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

JSON_TYPES = ("null", "boolean", "number", "string", "array", "object")


def kind_of(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def identity(value: Any) -> object:
    """What JSON Schema takes for equal is equal: numbers by value, true and 1 apart. For scalars only."""
    if isinstance(value, bool) or value is None:
        return (type(value), value)
    return ("number", exact(value)) if isinstance(value, (int, float)) else value


def exact(number: int | float) -> Fraction:
    """The number that was written: 0.1 is a tenth."""
    return Fraction(number) if isinstance(number, int) else Fraction(Decimal(repr(number)))
