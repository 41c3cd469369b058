"""Divides the characters of an automaton into classes that it treats alike: a few edges and not a million."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from slashgrammar.grammar.ir import CharClass, Range

_READABLE = [CharClass(((97, 122),)), CharClass(((48, 57),)), CharClass(((33, 126),)), CharClass(((32, 32),))]


def partition(classes: Iterable[CharClass]) -> list[tuple[CharClass, int]]:
    """The coarsest division of the characters such that each class is a union of parts.

    Returns:
        Disjoint parts in the order of their first character, each with a bit mask of the classes that hold it: bit i
        for the i-th. Characters in no class are left out.
    """
    changes: defaultdict[int, int] = defaultdict(int)
    for index, chars in enumerate(classes):
        for low, high in chars.ranges:
            changes[low] ^= 1 << index
            changes[high + 1] ^= 1 << index
    parts: dict[int, list[Range]] = {}
    members, start = 0, 0
    for place in sorted(changes):
        if members:
            parts.setdefault(members, []).append((start, place - 1))
        members ^= changes[place]
        start = place
    return [(CharClass(tuple(ranges)), members) for members, ranges in parts.items()]


def overlay(left: Sequence[CharClass], right: Sequence[CharClass]) -> list[tuple[CharClass, int, int]]:
    """The parts of two divisions laid over each other, with the index of each in both; -1 where it is in none."""
    mask = (1 << len(left)) - 1
    return [
        (chars, (members & mask).bit_length() - 1, (members >> len(left)).bit_length() - 1)
        for chars, members in partition([*left, *right])
    ]


def readable_member(chars: CharClass) -> str:
    """A character of a class for examples: a letter, a digit, something else on a keyboard, or else the first one."""
    return next(chr(common.ranges[0][0]) for wanted in (*_READABLE, chars) if (common := chars & wanted))
