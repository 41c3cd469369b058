"""JSON texts as Python values, more strictly than `json` does: no key twice, no lone surrogate, no infinite number.

The syntax has been checked by the grammar before; what is left to check here is what no grammar can say.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

MAX_DEPTH = 256
"""How deeply brackets may be nested, as RFC 8259 section 9 lets a parser limit it."""

MAX_DIGITS = 4_300
"""How many digits a whole number may have: the default limit of Python's `int`."""

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
SURROGATE = re.compile("[\ud800-\udfff]")
_HIGH = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}")
_ESCAPE = re.compile(rf"{_HIGH.pattern}\\u[dD][c-fC-F][0-9a-fA-F]{{2}}|\\(?:u[0-9a-fA-F]{{4}}|.)")
_LONGEST_ESCAPE = len(r"\uXXXX")


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
    """A value with a flaw; `.flaw` says which and where."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw.problem)
        self.flaw = flaw


class _Decoder:
    """Decodes one JSON text; what is wrong with its meaning stays in the value as a Flaw, to be found with its path."""

    def __init__(self) -> None:
        self.flawed = False
        self._json = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self._integer,
            parse_float=self._float,
            parse_constant=self._constant,
        )

    def decode(self, text: str, start: int) -> tuple[Any, int]:
        value, end = self._json.raw_decode(text, start)
        if self.flawed or _ESCAPED_SURROGATE.search(text, start, end) or SURROGATE.search(text, start, end):
            _refuse_flaws(value)
        return value, end

    def _constant(self, name: str) -> Any:
        raise ValueError(f"{name} is no JSON")

    def _integer(self, text: str) -> int | Flaw:
        if len(text) <= MAX_DIGITS:
            return int(text)
        return self._flaw(f"a number of {len(text)} digits", f"at most {MAX_DIGITS} digits")

    def _float(self, text: str) -> float | Flaw:
        value = float(text)
        return value if math.isfinite(value) else self._flaw(f"{text[:40]} is out of range", "a number up to 1.7e308")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any] | Flaw:
        result = dict(pairs)
        if len(result) == len(pairs):
            return result
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        problem = f"the key {json.dumps(twice, ensure_ascii=False)} is given twice"
        return self._flaw(problem, "each key once", f".{twice}", duplicate=True)

    def _flaw(self, problem: str, expected: str, path: str = "", duplicate: bool = False) -> Flaw:
        self.flawed = True
        return Flaw(problem, expected, path, duplicate)


def decode(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        FlawedValue: it holds a key twice, a lone surrogate, or a number out of range.
    """
    return _Decoder().decode(text, 0)[0]


def decode_at(text: str, start: int) -> tuple[Any, int] | None:
    """The value that begins at `start`, and its end; None where no whole value stands there, or a flawed one."""
    try:
        return _Decoder().decode(text, start)
    except (ValueError, RecursionError):
        return None


def _refuse_flaws(value: Any) -> None:
    for path, inner in _walk(value):
        if isinstance(inner, Flaw):
            raise FlawedValue(replace(inner, path=path + inner.path))
        if isinstance(inner, str) and (found := SURROGATE.search(inner)):
            raise FlawedValue(replace(_lone_surrogate(found[0]), path=path))


def _walk(value: Any) -> Iterator[tuple[str, Any]]:
    """Each value and key inside a value with its path."""
    work: list[tuple[str, Any]] = [("", value)]
    while work:
        path, inner = work.pop()
        yield path, inner
        if isinstance(inner, dict):
            for key in inner:
                yield f"{path}.{key}", key
            work.extend((f"{path}.{key}", item) for key, item in reversed(inner.items()))
        elif isinstance(inner, list):
            work.extend((f"{path}[{index}]", item) for index, item in reversed(list(enumerate(inner))))


class StringDecoder:
    """Decodes the inside of a JSON string that comes in pieces, cut anywhere.

    Attributes:
        flaw: the first lone surrogate, which ends the decoding, and `flaw_at` its index in the source.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._done = 0
        self.flaw: Flaw | None = None
        self.flaw_at = 0

    def feed(self, source: str, *, last: bool) -> str:
        """The text that is certain by now: half an escape, or half a surrogate pair, waits for its other half."""
        source = self._rest + source
        end = len(source) if last else _certain_end(source)
        self._rest = source[end:]
        text: str = json.loads(f'"{source[:end]}"', strict=False)
        if lone := SURROGATE.search(text):
            self.flaw = _lone_surrogate(lone[0])
            self.flaw_at = self._done + _source_index(source, lone.start())
            text = text[: lone.start()]
        self._done += end
        return text


def _lone_surrogate(char: str) -> Flaw:
    problem = f"the lone surrogate \\u{ord(char):04x}, which is no character"
    return Flaw(problem, r"the character itself, or a pair such as \ud83d\ude00")


def _certain_end(source: str) -> int:
    """Where what is certain ends: before an escape that is cut, and before an escaped high surrogate at the end."""
    end = len(source)
    backslash = source.rfind("\\", max(0, end - _LONGEST_ESCAPE + 1))
    if backslash >= 0 and source[backslash + 1 : backslash + 2] in ("", "u") and _begins_escape(source, backslash):
        end = backslash
    high = end - _LONGEST_ESCAPE
    if high >= 0 and _HIGH.fullmatch(source, high, end) and _begins_escape(source, high):
        end = high
    return end


def _begins_escape(source: str, backslash: int) -> bool:
    """Whether a backslash is not itself escaped: an even number of others stands before it."""
    start = backslash
    while start and source[start - 1] == "\\":
        start -= 1
    return (backslash - start) % 2 == 0


def _source_index(source: str, index: int) -> int:
    """Where in the source of a string a character of its text stands."""
    surplus = 0
    for escape in _ESCAPE.finditer(source):
        if escape.start() - surplus >= index:
            break
        surplus += len(escape[0]) - 1
    return index + surplus
