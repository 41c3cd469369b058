"""JSON strings that come in pieces."""

from __future__ import annotations

import json
import re

from slashgrammar.calls.values import SURROGATE, Flaw, lone_surrogate

_HIGH = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}")
_ESCAPE = re.compile(rf"{_HIGH.pattern}\\u[dD][c-fC-F][0-9a-fA-F]{{2}}|\\(?:u[0-9a-fA-F]{{4}}|.)")
_LONGEST_ESCAPE = len(r"\uXXXX")
_JSON = json.JSONDecoder(strict=False)


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
        text: str = _JSON.decode(f'"{source[:end]}"') if "\\" in source else source
        if lone := SURROGATE.search(text):
            self.flaw = lone_surrogate(lone[0])
            self.flaw_at = self._done + _source_index(source, lone.start())
            text = text[: lone.start()]
        self._done += end
        return text


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
