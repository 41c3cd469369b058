"""Where a part of a JSON value stands in its text."""

from __future__ import annotations

import re

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


def _member(text: str, start: int, part: str | int, limit: int) -> int | None:
    """Where the member of that key, or the item of that index, stands in the object or array at `start`."""
    is_object = isinstance(part, str)
    if not text.startswith("{" if is_object else "[", start):
        return None
    place, name = start + 1, "" if is_object else -1
    while place < limit:
        place = _skip(text, place)
        if isinstance(name, int):
            name += 1
        else:
            key = decode_at(text, place)
            if key is None:
                return None
            name = key[0]
            place = _skip(text, _skip(text, key[1]) + len(":"))
        if name == part:
            return place
        value = decode_at(text, place)
        if value is None:
            return None
        place = _skip(text, value[1])
        if not text.startswith(",", place):
            return None
        place += len(",")
    return None


def _skip(text: str, place: int) -> int:
    space = _SPACE.match(text, place)
    return space.end() if space else place
