"""What JSON Schema asks for and a value is not, in words that a model can act on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from slashgrammar.grammar.argument_grammar import KEYWORD

_JSON = json.JSONEncoder(ensure_ascii=False)
_LONGEST_SHOWN = 60
_MOST_LISTED = 12

_LIMITS: dict[str, str] = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} keys",
    "maxProperties": "at most {} keys",
}

_NOTHING = "nothing there, as no value fits"
_TYPES = {
    "array": "an array",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}

_EXPECTED: dict[str, Callable[[dict[str, Any]], str]] = {
    "contains": lambda details: "an item of the kind that the schema asks for",
    "enum": lambda details: _one_of(details["options"]),
    "falseSchema": lambda details: _NOTHING,
    "format": lambda details: f"a text in the format {details['format']}",
    "multipleOf": lambda details: f"a multiple of {shown(details['multiple_of'])}",
    "not": lambda details: "a value that the schema does not exclude",
    "pattern": lambda details: f"a text that matches {details['pattern']}",
    "type": lambda details: " or ".join(_TYPES.get(name, name) for name in details["types"]),
    "uniqueItems": lambda details: "items that are all different",
    KEYWORD: lambda details: str(details["message"]),
}


def expectation(error: Any) -> str:
    """What would have been right where a validation error of `jsonschema_rs` stands."""
    kind, details = error.kind.name, error.kind.as_dict()
    if kind in _LIMITS:
        return _LIMITS[kind].format(shown(details["limit"]))
    if kind in _EXPECTED:
        return _EXPECTED[kind](details)
    if kind in ("anyOf", "oneOf"):
        depth = len(error.instance_path)
        branches = dict.fromkeys(_branch(errors[0], depth) for errors in details["context"] if errors)
        return " or ".join(branches) or "a value that only one of its forms takes"
    if kind == "propertyNames":
        return f"keys each of which is {expectation(details['error'])}"
    return f"what the rule {kind} of its schema asks for"


def shown(value: Any) -> str:
    """A value as JSON, cut off where it is long."""
    if isinstance(value, str):
        value = value[:_LONGEST_SHOWN]
    text = "".join(islice(_JSON.iterencode(value), _LONGEST_SHOWN))
    return text if len(text) < _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def path_text(path: list[str | int]) -> str:
    """`["edits", 0, "old"]` as `edits[0].old`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def some(names: Sequence[str]) -> str:
    """Names in a row, of many the first ones."""
    others = len(names) - _MOST_LISTED
    return ", ".join(names[:_MOST_LISTED]) + (f" and {others} others" if others > 0 else "")


def _one_of(values: list[Any]) -> str:
    if not values:
        return _NOTHING
    listed = some(list(map(shown, values)))
    return listed if len(values) == 1 else f"one of {listed}"


def _branch(error: Any, depth: int) -> str:
    """What one form of several asks for first; `depth` is how deep the value stands that has these forms."""
    path = list(error.instance_path)[depth:]
    where = path_text(path)
    if error.kind.name == "required":
        return f"an object with {path_text([*path, error.kind.as_dict()['property']])}"
    return f"{expectation(error)} at {where}" if where else expectation(error)
