"""JSON texts as Python values, more strictly than `json` does: no key twice, no lone surrogate, no infinite number.

The syntax has been checked by the grammar before; what is left to check here is what no grammar can say.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

MAX_DEPTH = 256
"""How deeply brackets may be nested, as RFC 8259 section 9 lets a parser limit it."""

MAX_DIGITS = 4_300
"""How many digits a whole number may have: the default limit of Python's `int`."""

SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LITERALS = {"true": True, "false": False, "null": None}
_LONGEST_PART = 60


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something in a value that JSON's grammar allows and its meaning does not.

    Attributes:
        problem: what is wrong.
        expected: what could have stood there.
        path: where, below the value, such as `[0].name`.
        duplicate: whether the problem is a key that stands twice.
    """

    problem: str
    expected: str
    path: str = ""
    duplicate: bool = False


class FlawedValue(ValueError):
    """A value with a flaw: `flaw` says which and where, `end` where in its text the value ends."""

    def __init__(self, flaw: Flaw, end: int = 0) -> None:
        super().__init__(flaw.problem)
        self.flaw = flaw
        self.end = end


class _Decoder:
    """Decodes one JSON text; what is wrong with its meaning stays in the value as a Flaw, to be found with its path."""

    def __init__(self) -> None:
        self.flawed = False
        self._json = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self._number,
            parse_float=self._number,
            parse_constant=self._constant,
        )

    def decode(self, text: str, start: int) -> tuple[Any, int]:
        value, end = self._json.raw_decode(text, start)
        if self.flawed or _ESCAPED_SURROGATE.search(text, start, end) or SURROGATE.search(text, start, end):
            flaw = _flaw_in(value)
            if flaw is not None:
                raise FlawedValue(flaw, end)
        return value, end

    def _constant(self, name: str) -> Any:
        raise ValueError(f"{name} is no JSON")

    def _number(self, text: str) -> int | float | Flaw:
        value = _number(text)
        self.flawed = self.flawed or isinstance(value, Flaw)
        return value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any] | Flaw:
        result = dict(pairs)
        if len(result) == len(pairs):
            return result
        self.flawed = True
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        problem = f"the key {json.dumps(_short(twice), ensure_ascii=False)} is given twice"
        return Flaw(problem, "each key once", f".{_short(twice)}", duplicate=True)


def decode(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        FlawedValue: it holds a key twice, a lone surrogate, or a number out of range.
    """
    if text in _LITERALS:
        return _LITERALS[text]
    if text[0] in "-0123456789":
        value = _number(text)
        if isinstance(value, Flaw):
            raise FlawedValue(value)
        return value
    return _Decoder().decode(text, 0)[0]


def decode_at(text: str, start: int) -> tuple[Any, int] | None:
    """The value that begins at `start`, and its end; None where no whole value stands there.

    Raises:
        FlawedValue: as `decode` does.
    """
    try:
        return _Decoder().decode(text, start)
    except FlawedValue as error:
        if SURROGATE.search(text, start, error.end):  # not escaped, which is no JSON: the grammar says where it ends
            return None
        raise
    except (ValueError, RecursionError):
        return None


def may_be_deep(text: str, start: int, end: int) -> bool:
    """Whether the brackets of a text may be nested more deeply than they may be: there are at least as many."""
    return text.count("[", start, end) + text.count("{", start, end) > MAX_DEPTH


def is_deep(value: Any) -> bool:
    """Whether brackets are nested more deeply than they may be."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def lone_surrogate(char: str) -> Flaw:
    """The flaw of a string that holds half a pair."""
    problem = f"the lone surrogate \\u{ord(char):04x}, which is no character"
    return Flaw(problem, r"the character itself, or a pair such as \ud83d\ude00")


def _number(text: str) -> int | float | Flaw:
    if text.lstrip("-").isdecimal():
        digits = len(text.lstrip("-"))
        return (
            int(text) if digits <= MAX_DIGITS else Flaw(f"a number of {digits} digits", f"at most {MAX_DIGITS} digits")
        )
    value = float(text)
    return value if math.isfinite(value) else Flaw(f"{_short(text)} is out of range", "a number up to 1.7e308")


_Path: TypeAlias = "tuple[_Path, str | int] | None"


def _flaw_in(value: Any) -> Flaw | None:
    for path, inner in _walk(value):
        if isinstance(inner, Flaw):
            return replace(inner, path=_text(path) + inner.path)
        if isinstance(inner, str) and (found := SURROGATE.search(inner)):
            return replace(lone_surrogate(found[0]), path=_text(path))
    return None


def _walk(value: Any) -> Iterator[tuple[_Path, Any]]:
    """Each value and key inside a value, with the way to it from the inside out."""
    work: list[tuple[_Path, Any]] = [(None, value)]
    while work:
        path, inner = work.pop()
        yield path, inner
        if isinstance(inner, dict):
            for key in inner:
                yield (path, key), key
            work.extend(((path, key), item) for key, item in reversed(inner.items()))
        elif isinstance(inner, list):
            work.extend(((path, place), inner[place]) for place in reversed(range(len(inner))))


def _text(path: _Path) -> str:
    parts: list[str] = []
    while path is not None:
        path, part = path
        parts.append(f"[{part}]" if isinstance(part, int) else f".{_short(part)}")
    return "".join(reversed(parts))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_PART else text[: _LONGEST_PART - 1] + "…"
