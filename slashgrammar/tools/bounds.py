"""What stands in parentheses behind a type in a signature: `int(1..100)`, `str(..80, date)`, `Array[str](1.., unique)`.

A range bounds the value of a number, the length of a string in characters, the number of items or keys; `<` at one of
its ends leaves that end out, a single number is a range of one. `step n` asks for multiples of n.
"""

from __future__ import annotations

import json
import re
from typing import Any

from slashgrammar.grammar.argument_grammar import KEYWORD

# The keywords of a range, by the type that they bound.
RANGES = {
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
# Generators of schemas write the bounds of their own integers: they tell nobody anything.
_LARGEST = 2**53 - 1
_LONGEST_PATTERN = 80
_FORMAT = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_PATTERN = re.compile(r"(?s)(?:\\.|[^\\])+")
_ESCAPES = {"/": "\\/", "\n": "\\n", "\r": "\\r"}


def write_bounds(schema: dict[str, Any], name: str) -> str:
    """The bounds that a schema puts on the type of that name, in parentheses, or ""."""
    bounds = []
    if name in RANGES and (written := _write_range(schema, *RANGES[name])):
        bounds.append(written)
    if name in ("integer", "number") and "multipleOf" in schema:
        bounds.append(f"step {json.dumps(schema['multipleOf'])}")
    if name == "array" and schema.get("uniqueItems") is True:
        bounds.append("unique")
    if name == "string":
        if _FORMAT.fullmatch(schema.get("format", "")):
            bounds.append(schema["format"])
        for pattern in (schema.get("pattern", ""), _whole_text(schema.get(KEYWORD))):
            if len(pattern) <= _LONGEST_PATTERN and _PATTERN.fullmatch(pattern):
                bounds.append(write_pattern(pattern))
    return f"({', '.join(bounds)})" if bounds else ""


def _whole_text(language: Any) -> str:
    """The regular expression that strings match from beginning to end, with its anchors; "" where it is none."""
    if not isinstance(language, dict) or language.get("syntax") != "regex":
        return ""
    definition = str(language.get("definition"))
    return f"^(?:{definition})$" if "|" in definition else f"^{definition}$"


def _write_range(schema: dict[str, Any], low_key: str, high_key: str) -> str:
    low, low_open = end(schema, low_key)
    high, high_open = end(schema, high_key)
    if low == high is not None and not (low_open or high_open):
        return json.dumps(low)
    if low_key != "minimum" and low == 0:
        low = None
    if low is None and high is None:
        return ""
    left = "" if low is None else json.dumps(low) + ("<" if low_open else "")
    right = "" if high is None else ("<" if high_open else "") + json.dumps(high)
    return f"{left}..{right}"


def end(schema: dict[str, Any], key: str) -> tuple[float | None, bool]:
    """The bound at one end, and whether it is open: an exclusive bound is a number, or in draft 4 a flag."""
    tighter = max if key == "minimum" else min
    closed, exclusive = _telling(schema.get(key)), schema.get(f"exclusive{key.capitalize()}")
    exclusive = closed if exclusive is True else _telling(exclusive)
    if exclusive is None or (closed is not None and tighter(closed, exclusive) != exclusive):
        return closed, False
    return exclusive, True


def _telling(bound: Any) -> float | None:
    is_number = isinstance(bound, int | float) and not isinstance(bound, bool)
    return bound if is_number and abs(bound) < _LARGEST else None


def write_pattern(pattern: str) -> str:
    """A regular expression between slashes, on one line."""
    return "/" + re.sub(r"(?s)\\.|[/\n\r]", _escape, pattern) + "/"


def _escape(found: re.Match[str]) -> str:
    last = found[0][-1]
    return _ESCAPES.get(last, found[0])


def read_pattern(written: str) -> str:
    """The regular expression between the slashes."""
    return re.sub(r"\\(.)", lambda found: "/" if found[1] == "/" else found[0], written[1:-1])
