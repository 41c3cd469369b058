"""Texts that are meant to do harm take little time, and twice as much of them not much more than twice as long."""

from __future__ import annotations

from time import process_time

import pytest

from slashgrammar.calls import StreamParser, check
from slashgrammar.errors import TextError
from slashgrammar.tools import ToolSet
from tests.calls.hostile import HOSTILE

TOOLS = ToolSet.from_signatures("a(x:any)\nw(c:str)\n")
SIZE = 30_000


def _seconds(text: str) -> float:
    begin = process_time()
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
    return process_time() - begin


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name: str) -> None:
    make = HOSTILE[name]
    _seconds(make(1_000))
    small = min(_seconds(make(SIZE)), _seconds(make(SIZE)))
    large = _seconds(make(4 * SIZE))
    assert large < 4 * 2.5 * small + 0.2
