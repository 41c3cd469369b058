"""Texts that are meant to do harm take work in proportion to their length."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from slashgrammar.calls import StreamParser, check
from slashgrammar.errors import TextError
from slashgrammar.tools import ToolSet
from tests.calls.hostile import HOSTILE

TOOLS = ToolSet.from_signatures("a(x:any)\nw(c:str)\n")
SIZE = 5_000
TIMES = 4


@pytest.mark.parametrize("value", [None, 5, b"/a", ["/a"]])
def test_what_is_no_text_is_told(value: Any) -> None:
    readers = [TOOLS.parse, TOOLS.check, TOOLS.compile().matches, TOOLS.compile().matcher().feed]
    if not isinstance(value, bytes):  # a stream takes those
        readers.append(TOOLS.stream().feed)
    for read in readers:
        with pytest.raises(TypeError, match=f"expected text, not {type(value).__name__}"):
            read(value)


def _read(text: str) -> None:
    errors = check(TOOLS, text)
    parser = StreamParser(TOOLS)
    for start in range(0, len(text), 16):
        parser.feed(text[start : start + 16])
    try:
        parser.finish()
    except TextError as error:
        assert str(error) == str(errors[0])  # noqa: PT017
    else:
        assert not errors


def _calls(text: str) -> int:
    """How many functions are called, in Python and in C: a measure of work that no machine changes."""
    count = 0

    def watch(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        _read(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_linear(name: str) -> None:
    make = HOSTILE[name]
    _read(make(1_000))
    assert _calls(make(TIMES * SIZE)) <= 1.3 * TIMES * _calls(make(SIZE))
