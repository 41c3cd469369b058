"""The small parts that texts pass through."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.calls import check
from slashgrammar.calls.events import Event, TextDelta
from slashgrammar.calls.passages import Passages
from slashgrammar.calls.patterns import readable
from slashgrammar.calls.pieces import Pieces
from slashgrammar.tools import Tool, ToolSet
from tests.calls.texts import cuts

TEXT = st.text(alphabet="ab \t\r\n\f")


def _trimmed(text: str) -> str:
    """The text without blank lines before it, and without white space behind it."""
    text = text.rstrip(" \t\r\n")
    start = len(text) - len(text.lstrip(" \t\r\n"))
    return text[text.rfind("\n", 0, start) + 1 :] if text else ""


@given(st.lists(TEXT, max_size=4), st.data())
def test_passages(texts: list[str], data: st.DataObject) -> None:
    events: list[Event] = []
    passages = Passages(events, TextDelta)
    closed = []
    for text in texts:
        for piece in data.draw(cuts(text)):
            passages.feed(piece)
        closed.append(passages.close())
    assert closed == [_trimmed(text) for text in texts]
    deltas = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert deltas == "\n".join(filter(None, closed))


@pytest.mark.parametrize("count", [0, 1, 4_095, 4_096, 4_097, 10_000])
def test_pieces(count: int) -> None:
    pieces = Pieces()
    for number in range(count):
        pieces.add(f"{number},")
    assert pieces.text == "".join(f"{number}," for number in range(count))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"pattern": "^a$"}, {"pattern": "^a$"}),
        ({"pattern": "("}, {}),
        ({"properties": {"pattern": {"pattern": "("}}}, {"properties": {"pattern": {}}}),
        ({"enum": [{"pattern": "("}], "items": [{"pattern": "["}]}, {"enum": [{"pattern": "("}], "items": [{}]}),
        (
            {"patternProperties": {"(": {"type": "null"}, "^x": {"pattern": "["}}, "additionalProperties": False},
            {"patternProperties": {"^x": {}}, "additionalProperties": True},
        ),
        (True, True),
    ],
)
def test_readable_patterns(schema: Any, expected: Any) -> None:
    assert readable(schema) == expected


def test_a_pattern_that_nobody_can_read_does_not_stop_a_tool() -> None:
    tools = ToolSet([Tool("a", {"properties": {"x": {"type": "string", "pattern": "(?P<"}, "y": {"type": "null"}}})])
    assert check(tools, '/a x="anything"') == []
    assert [error.path for error in check(tools, "/a x=1 y=2")] == ["x", "y"]
