"""JSON texts as values, and strings that come in pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.calls.strings import StringDecoder
from slashgrammar.calls.values import MAX_DEPTH, MAX_DIGITS, FlawedValue, decode, decode_at, is_deep
from tests.calls.texts import cuts

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(JSON, st.booleans(), st.sampled_from([None, 0, 1]))
def test_decode_is_what_json_says(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert decode(text) == value
    assert decode_at(f"ab{text}", 2) == (value, len(text) + 2)


@pytest.mark.parametrize(
    ("text", "problem", "path", "duplicate"),
    [
        ('{"a": 1, "a": 1}', 'the key "a" is given twice', ".a", True),
        ('[{"b": {"a": 1, "c": 2, "a": 1}}]', 'the key "a" is given twice', "[0].b.a", True),
        ('{"a": {"b": 1, "b": 2}, "a": 1}', 'the key "a" is given twice', ".a", True),
        ('{"\\u0061": 1, "a": 1}', 'the key "a" is given twice', ".a", True),
        ("[1, 1e999]", "1e999 is out of range", "[1]", False),
        ("-1e400", "-1e400 is out of range", "", False),
        ("9" * (MAX_DIGITS + 1), f"a number of {MAX_DIGITS + 1} digits", "", False),
        ('["\\ud800"]', "the lone surrogate \\ud800, which is no character", "[0]", False),
        ('{"\\udc00x": 1}', "the lone surrogate \\udc00, which is no character", ".\udc00x", False),
        ('{"a": ["\\ud83d\\ud83d\\ude00"]}', "the lone surrogate \\ud83d, which is no character", ".a[0]", False),
    ],
)
def test_flaws(text: str, problem: str, path: str, duplicate: bool) -> None:
    with pytest.raises(FlawedValue) as raised:
        decode(text)
    assert (raised.value.flaw.problem, raised.value.flaw.path) == (problem, path)
    assert raised.value.flaw.duplicate == duplicate
    with pytest.raises(FlawedValue) as raised:
        decode_at(f"[{text}] 1", 1)
    assert raised.value.end == len(text) + 1


@pytest.mark.parametrize(("length", "shown"), [(60, "k" * 60), (61, "k" * 59 + "…")])
def test_long_keys_are_cut_short(length: int, shown: str) -> None:
    key = "k" * length
    with pytest.raises(FlawedValue) as raised:
        decode(f'{{"{key}": 1, "{key}": 2}}')
    assert (raised.value.flaw.problem, raised.value.flaw.path) == (f'the key "{shown}" is given twice', f".{shown}")


@pytest.mark.parametrize(("depth", "deep"), [(MAX_DEPTH, False), (MAX_DEPTH + 1, True)])
def test_how_deep_brackets_may_be_nested(depth: int, deep: bool) -> None:
    for opening, closing in (("[", "]"), ('{"k":', "}")):
        value = decode(opening * (depth - 1) + "[]" + closing * (depth - 1))
        assert is_deep(value) is deep


@pytest.mark.parametrize("text", ["", "[1", "NaN", "[Infinity]", "nul", '"\t"', "[" * 100_000, "x"])
def test_decode_at_leaves_alone_what_is_no_value(text: str) -> None:
    assert decode_at(text, 0) is None


def test_the_longest_integer() -> None:
    assert decode("9" * MAX_DIGITS) == 10**MAX_DIGITS - 1
    assert MAX_DEPTH < 1_000


_SOURCES = st.lists(
    st.sampled_from(
        ["a", "é", "😀", "\\\\", "\\n", '\\"', "\\u0041", "\\ud83d\\ude00", "\\ud83d", "\\ude00", "u", "d800"]
    )
).map("".join)


@given(_SOURCES, st.data())
def test_strings_in_pieces(source: str, data: st.DataObject) -> None:
    expected = json.loads(f'"{source}"')
    lone = next((index for index, char in enumerate(expected) if "\ud800" <= char <= "\udfff"), None)
    decoder = StringDecoder()
    text = ""
    pieces = data.draw(cuts(source))
    for index, piece in enumerate([*pieces, ""]):
        if decoder.flaw is None:
            text += decoder.feed(piece, last=index == len(pieces))
    assert text == expected[:lone]
    assert (decoder.flaw is None) == (lone is None)
    if decoder.flaw is not None:
        assert source[decoder.flaw_at :].startswith(f"\\u{ord(expected[lone]):04x}")
        assert json.loads(f'"{source[: decoder.flaw_at]}"') == text
