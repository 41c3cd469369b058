"""Texts that come in pieces: the pieces make no difference, and nothing is taken back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.calls import Call, Message, StreamParser, parse
from slashgrammar.calls.events import (
    ArgumentDelta,
    ArgumentEnd,
    ArgumentStart,
    CallEnd,
    CallStart,
    Event,
    ReasoningDelta,
    TextDelta,
)
from slashgrammar.calls.message import PartialCall
from slashgrammar.calls.values import MAX_DEPTH, SURROGATE
from slashgrammar.errors import IncompleteCall, InvalidArgument, SlashSyntaxError, TextError, UnknownTool
from slashgrammar.tools import ToolSet
from tests.calls.texts import TOOLS, cuts, texts

DELTAS = (TextDelta, ReasoningDelta, ArgumentDelta)


@dataclass
class Outcome:
    """What a stream gave: its events with neighbouring deltas merged, the message in the end, and the error."""

    events: list[Event]
    message: Message
    error: str | None


def stream(
    pieces: list[str] | list[bytes],
    tools: ToolSet | None,
    reasoning: tuple[str, str] | None,
    kind: type[StreamParser] = StreamParser,
) -> Outcome:
    parser = kind(tools, reasoning=reasoning)
    events: list[Event] = []
    for piece in pieces:
        events += parser.feed(piece)
        _check_well_formed(parser.message)
    events += parser.close()
    try:
        return Outcome(merged(events), parser.finish(), None)
    except TextError as error:
        return Outcome(merged(events), parser.message, str(error))


def merged(events: list[Event]) -> list[Event]:
    """The events with deltas of one kind in a row as one."""
    result: list[Event] = []
    for event in events:
        if isinstance(event, DELTAS) and result and type(result[-1]) is type(event):
            result[-1] = type(event)(result[-1].text + event.text)  # type: ignore[union-attr]
        else:
            result.append(event)
    return result


def _check_well_formed(message: Message) -> None:
    for segment in message.segments:
        assert isinstance(segment, Call) or segment.text
    if message.partial is not None:
        assert message.partial.name
        assert message.partial.key is not None or message.partial.text is None
        assert message.partial.key not in message.partial.arguments


def check_consistent(outcome: Outcome) -> None:
    """The events tell of one course of things, which ends in the message."""
    calls: list[Call] = []
    prose: list[str] = []
    reasoning: list[str] = []
    name: str | None = None
    key: str | None = None
    delta: str | None = None
    arguments: dict[str, Any] = {}
    for event in outcome.events:
        if isinstance(event, TextDelta | ReasoningDelta):
            assert name is None
            assert event.text
            (prose if isinstance(event, TextDelta) else reasoning).append(event.text)
        elif isinstance(event, CallStart):
            assert name is None
            name, arguments = event.name, {}
        elif isinstance(event, ArgumentStart):
            assert name is not None
            assert key is None
            assert event.name not in arguments
            key, delta = event.name, None
        elif isinstance(event, ArgumentDelta):
            assert key is not None
            delta = event.text
        elif isinstance(event, ArgumentEnd):
            assert key == event.name
            assert (delta or "") == event.value if isinstance(event.value, str) else delta is None
            arguments[event.name] = event.value
            key = None
        else:
            assert isinstance(event, CallEnd)
            assert event.call == Call(name or "", arguments)
            calls.append(event.call)
            name = None
    message = outcome.message
    assert message.calls == calls
    assert message.reasoning == "".join(reasoning)
    assert message.text == "".join(prose)
    if message.partial is None:
        assert name is None
    else:
        assert (message.partial.name, message.partial.arguments, message.partial.key) == (name, arguments, key)
        assert message.partial.text is None or message.partial.text == (delta or "")


KNOWN = st.sampled_from([None, TOOLS])
DELIMITERS = st.sampled_from([("<think>", "</think>"), ("", "</think>"), None])


def _chunk_blind(data: st.DataObject) -> None:
    text, tools, reasoning = data.draw(texts()), data.draw(KNOWN), data.draw(DELIMITERS)
    whole = stream([text], tools, reasoning)
    check_consistent(whole)
    assert stream(data.draw(cuts(text)), tools, reasoning) == whole
    assert stream(list(text), tools, reasoning) == whole
    if not SURROGATE.search(text):
        assert stream([bytes([byte]) for byte in text.encode()], tools, reasoning) == whole
    if whole.error is None:
        assert parse(text, tools, reasoning=reasoning) == whole.message
        return
    with pytest.raises(TextError) as raised:
        parse(text, tools, reasoning=reasoning)
    assert str(raised.value) == whole.error
    assert not isinstance(raised.value, IncompleteCall) or raised.value.message == whole.message


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_chunk_blind(data: st.DataObject) -> None:
    _chunk_blind(data)


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None)
@given(st.data())
def test_chunk_blind_for_many(data: st.DataObject) -> None:
    _chunk_blind(data)


@pytest.mark.parametrize(
    "value",
    [
        '["\\ud800\ud800"]',
        '["\ud800\\ud800"]',
        '["\\ud83d\ude00"]',
        '[{"a": 1, "a": 2}, "\ud800"]',
        '["\ud800", {"a": 1, "a": 2}]',
        "[1e999, nul]",
        '{"a": 1e999, "\ud800": 1, "a": 2}',
        "1\n`````````\ud800",
        "1\n`````````a\ud800",
        "1e\ud800",
        '"a"\ud800',
        "```\n``````\ud800",
        "```\n`````````\ud800",
    ],
)
def test_the_first_fault_is_the_same_wherever_it_is_cut(value: str) -> None:
    text = f"/a x={value}\n"
    whole = stream([text], TOOLS, None)
    assert whole.error is not None
    assert stream(list(text), TOOLS, None) == whole


READ = Call("read", {"path": "aéb😀", "from": 120, "text": "xy\n\n``a\n``` js\n``` ", "list": [1, "a"]})
STEPS: list[tuple[str, list[Event]]] = [
    ("Hi,  ", [TextDelta("Hi,")]),
    ("you", [TextDelta("  you")]),
    ("\n\n/re", []),
    ("ad", []),
    (" ", [CallStart("read")]),
    ("path", []),
    ("=", [ArgumentStart("path")]),
    ('"a', [ArgumentDelta("a")]),
    ("\\u00e", []),
    ("9b\\ud83d", [ArgumentDelta("éb")]),
    ("\\ude0", []),
    ("0", [ArgumentDelta("😀")]),
    ('"', [ArgumentEnd("path", "aéb😀")]),
    (" from=12", [ArgumentStart("from")]),
    ("0\n", [ArgumentEnd("from", 120)]),
    ("text=\n``", [ArgumentStart("text")]),
    ("`py", []),
    ("\nx", [ArgumentDelta("x")]),
    ("y\n", [ArgumentDelta("y")]),
    ("\n", [ArgumentDelta("\n")]),
    ("``", []),
    ("a\n", [ArgumentDelta("\n``a")]),
    ("```", []),
    (" js", [ArgumentDelta("\n``` js")]),
    ("\n```", []),
    (" \n", [ArgumentDelta("\n``` ")]),
    ("``` ", []),
    ("\n", [ArgumentEnd("text", "xy\n\n``a\n``` js\n``` ")]),
    ("list=[1,", [ArgumentStart("list")]),
    ('"a"]', [ArgumentEnd("list", [1, "a"])]),
    ("\n", []),
    ("w", []),
    ("ord", []),
    (" ", [CallEnd(READ), TextDelta("\nword")]),
    ("\n<thi", []),
    ("nk>\n a", [ReasoningDelta(" a")]),
    (" </th", []),
    ("e", [ReasoningDelta(" </the")]),
    ("</think>", []),
    ("\nb", [TextDelta("\nb")]),
]


def test_held_back_is_only_what_is_undecided() -> None:
    parser = StreamParser()
    for chunk, events in STEPS:
        assert (chunk, parser.feed(chunk)) == (chunk, events)
    assert parser.close() == []
    assert parser.finish() == parse("".join(chunk for chunk, _ in STEPS))


def test_partial_message() -> None:
    parser = StreamParser()
    parser.feed('Hi.\n/write path="a.py" from=1\ncontent=\n```\nx = 1\ny')
    message = parser.message
    assert message.text == "Hi."
    assert not message.calls
    assert message.partial == PartialCall("write", {"path": "a.py", "from": 1}, "content", "x = 1\ny")
    with pytest.raises(IncompleteCall) as raised:
        parser.finish()
    assert raised.value.message == message == parser.message


def test_iterators() -> None:
    pieces = ["Hi.\n/re", "ad path=", '"a', '"\n']

    async def chunks() -> AsyncIterator[str]:
        for piece in pieces:
            await asyncio.sleep(0)
            yield piece

    async def collect(parser: StreamParser) -> list[Event]:
        return [event async for event in parser.aread(chunks())]

    by_hand, parser, other = StreamParser(), StreamParser(), StreamParser()
    events = [*(event for piece in pieces for event in by_hand.feed(piece)), *by_hand.close()]
    assert list(parser.read(pieces)) == events
    assert asyncio.run(collect(other)) == events
    assert parser.finish() == other.finish() == by_hand.finish()


def test_bytes_that_are_no_text() -> None:
    parser = StreamParser()
    parser.feed("é\n/a x=1\n".encode())
    assert parser.feed(b"\xff") == []
    assert parser.feed("more") == []
    with pytest.raises(TextError, match="line 3, column 1: bytes that are no UTF-8"):
        parser.finish()
    with pytest.raises(TextError, match="UTF-8"):
        parser.finish()


@given(st.binary(max_size=8), st.data())
def test_bytes_that_are_no_text_cut_anywhere(end: bytes, data: st.DataObject) -> None:
    source = b"Hi \xc3\xa9\n/a x=1\n" + end + b"/b\n"
    ends = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=5)))
    pieces = [source[start:end] for start, end in zip([0, *ends], [*ends, len(source)], strict=True)]
    assert stream(pieces, None, None) == stream([source], None, None)


def test_half_a_character_at_the_end() -> None:
    parser = StreamParser()
    parser.feed("aé".encode()[:-1])
    with pytest.raises(TextError, match="line 1, column 2: bytes that are no UTF-8"):
        parser.finish()


def test_finished_is_finished() -> None:
    parser = StreamParser()
    parser.feed("a")
    assert parser.finish() == parser.finish()
    with pytest.raises(ValueError, match="new parser"):
        parser.feed("b")


def test_an_error_ends_the_events() -> None:
    parser = StreamParser(TOOLS)
    assert parser.feed("text\n/a x=") == [TextDelta("text"), CallStart("a"), ArgumentStart("x")]
    assert parser.feed("oops\n/a x=1\n") == []
    with pytest.raises(SlashSyntaxError):
        parser.finish()


def test_a_tool_that_is_not_there_ends_the_events() -> None:
    parser = StreamParser(TOOLS)
    parser.feed("/b x=1\n")
    assert parser.feed("/a x=1\n") == []
    with pytest.raises(UnknownTool):
        parser.finish()


def test_spans() -> None:
    text = 'Hi\n/a x=1 y=[1,\n2]  \n\n/b\n\n/c x=\n```\na\n``` \n\n  y="b" z=\n````\n````\nprose\n/d'
    spans = [text[slice(*call.span)] for call in parse(text).calls]
    assert spans == ["/a x=1 y=[1,\n2]", "/b", '/c x=\n```\na\n``` \n\n  y="b" z=\n````\n````', "/d"]
    parser = StreamParser()
    for char in text:
        parser.feed(char)
    assert [text[slice(*call.span)] for call in parser.finish().calls] == spans


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"k": ', "}"), ('[{"k": ', "}]")])
def test_brackets_that_come_one_by_one_may_be_nested_as_deep(opening: str, closing: str) -> None:
    def read(depth: int) -> list[Call]:
        parser = StreamParser()
        for char in f'/f x={opening * depth}1{closing * depth} y="a"':
            parser.feed(char)
        return parser.finish().calls

    depth = MAX_DEPTH // len(closing)
    assert read(depth)[0].arguments["y"] == "a"
    with pytest.raises(InvalidArgument, match="brackets nested too deeply"):
        read(depth + 1)
