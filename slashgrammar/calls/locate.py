"""Where a part of a JSON value stands in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from slashgrammar.calls.values import decode_at

_SPACE = re.compile(r"[ \t\r\n]*")
_LONGEST_SEARCH = 100_000


def locate(text: str, start: int, path: list[str | int]) -> int:
    """The index of the part of a value that a path leads to.

    Args:
        text: what holds the value, which is right JSON.
        start: where the value begins.
        path: keys and indices. Where it leads nowhere, or too far to look for, the last part counts that was found.
    """
    place, limit = start, start + _LONGEST_SEARCH
    for part in path:
        found = _member(text, place, part, limit)
        if found is None:
            break
        place = found
    return place


def members(text: str, start: int) -> dict[str, int]:
    """Where the values of the object at `start` stand, as far as it is not too far to look for them."""
    return {str(name): place for name, place in _parts(text, start, "{", start + _LONGEST_SEARCH)}


def _member(text: str, start: int, part: str | int, limit: int) -> int | None:
    """Where the member of that key, or the item of that index, stands in the object or array at `start`."""
    parts = _parts(text, start, "{" if isinstance(part, str) else "[", limit)
    return next((place for name, place in parts if name == part), None)


def _parts(text: str, start: int, bracket: str, limit: int) -> Iterator[tuple[str | int, int]]:
    """The keys or indices of what begins with this bracket, and where the values stand."""
    if not text.startswith(bracket, start):
        return
    place, count = start + 1, 0
    while place < limit:
        place = _skip(text, place)
        name: str | int = count
        if bracket == "{":
            key = decode_at(text, place)
            if key is None:
                return
            name = key[0]
            place = _skip(text, _skip(text, key[1]) + len(":"))
        yield name, place
        value = decode_at(text, place)
        if value is None:
            return
        place = _skip(text, value[1])
        if not text.startswith(",", place):
            return
        place += len(",")
        count += 1


def _skip(text: str, place: int) -> int:
    space = _SPACE.match(text, place)
    return space.end() if space else place
