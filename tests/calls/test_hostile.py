"""Texts that are meant to do harm take work in proportion to their length."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from slashgrammar.calls import StreamParser, check
from slashgrammar.errors import TextError
from slashgrammar.tools import ToolSet
from tests.calls.hostile import HOSTILE

TOOLS = ToolSet.from_signatures("a(x:any)\nw(c:str)\n")
SIZE = 5_000
TIMES = 4


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
