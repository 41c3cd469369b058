"""A character of a class is taken in each of its spellings, and no other is in any."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.ir import char_class
from slashgrammar.grammar.schema.spelling import spelled, spelled_once

EDGES = [0, 8, 0x1F, 0x20, 0x22, 0x2F, 0x5C, 0x7E, 0x7F, 0xFF, 0x100, 0x9FF, 0xA00, 0xD7FF, 0xE000, 0xFFFF]
EDGES += [0x10000, 0x103FF, 0x10400, 0x107FF, 0x10800, 0x1F600, 0xFFC00, 0xFFFFF, 0x10FC00, 0x10FFFF]
CODES = st.sampled_from(EDGES) | st.integers(0, 0xD7FF) | st.integers(0xE000, 0x10FFFF)
SHORT = {'"': '"', "\\": "\\", "/": "/", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}


def spellings(char: str) -> Iterator[str]:
    """All ways to write a character in JSON, in one case of hexadecimal digits each."""
    if char >= " " and char not in '"\\':
        yield char
    if char in SHORT:
        yield "\\" + SHORT[char]
    units = char.encode("utf-16-be")
    for form in ("{:04x}", "{:04X}"):
        yield "".join("\\u" + form.format(units[place] << 8 | units[place + 1]) for place in range(0, len(units), 2))


def close(low: int, high: int) -> list[str]:
    """Characters at the edges of a range."""
    codes = {low - 1, low, low + 1, high - 1, high, high + 1, (low + high) // 2, *EDGES} | {low ^ 0x400, high ^ 0x400}
    return [chr(code) for code in sorted(codes) if 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF]


@given(CODES, CODES)
@example(0x10001, 0x10FFFE)
@example(0x103FF, 0x10800)
@example(0x10400, 0x107FF)
def test_all_spellings_of_a_class(one: int, other: int) -> None:
    low, high = sorted((one, other))
    automaton = Automaton.of(spelled(char_class([(low, high)])))
    printable = low >= 0x20 and high <= 0x7E
    for char in close(low, high):
        is_member = low <= ord(char) <= high
        for number, text in enumerate(spellings(char)):
            # What everybody can type is written one way.
            expected = is_member and (not printable or (number == 0 and text[:2] != "\\u"))
            assert automaton.accepts(text) == expected, text


@pytest.mark.parametrize("char", [chr(code) for code in [*range(0x80), 0xE9, 0x1F600]])
def test_one_spelling_of_each_character(char: str) -> None:
    automaton = Automaton.of(spelled_once(char_class([(ord(char), ord(char))])))
    taken = {text.lower() for text in spellings(char) if automaton.accepts(text)}
    assert taken == {next(spellings(char)).lower()}  # but for the case of hexadecimal digits
