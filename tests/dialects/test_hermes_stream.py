"""Hermes texts in pieces: cut anywhere they give the same, and their end is what `check` and `parse` say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slashgrammar as sg
from slashgrammar.calls import locate
from slashgrammar.calls.events import ArgumentDelta, ArgumentEnd, ArgumentStart, CallEnd, CallStart, Event, TextDelta
from slashgrammar.calls.message import PartialCall
from slashgrammar.calls.values import decode_at
from slashgrammar.dialects import hermes
from slashgrammar.dialects.hermes_stream import HermesParser
from tests.calls.test_stream import check_consistent, stream
from tests.calls.texts import cuts, mutated

TOOLS = sg.ToolSet.from_signatures("read(path:str, from?:int)->text\nping()->pong\na(x:any, ...)")
CASES = [
    '<think>\nhm\n</think>\nI read.\n<tool_call>\n{"name": "read", "arguments": {"path": "a\\n", "from": 3}}\n'
    "</tool_call>",
    '<tool_call>{"parameters": {"x": [1, {"y": "</tool_call>"}], "z": -1.5e3}, "name": "a"}</tool_call>\nand\n'
    '<tool_call>{"name": "ping"}</tool_call>',
    " \n <think>never ended </thin",
    'a < b <tool_cal <tool_call>\n{"name": "a", "arguments": {"x": "\\ud83d\\ude00\\u00e9", "y": null}} \n',
    '<tool_call>{"arguments": {"path": "b"}, "name": "read"}\n</tool_call>  ',
    "prose alone\n\nin two paragraphs ",
]
PIECES = [
    *("<tool_call>", "</tool_call>", "<tool", "</", "<", ">", "<think>", "</think>", "\n", " ", "\t", "word"),
    *('{"name": "a", "arguments": {', '"name"', '"arguments"', '"parameters": {}', ": ", ", ", "{", "}", "[", "]"),
    *(
        '"x": ',
        '"x": "s"',
        '"x": [1, 2]',
        "1",
        "true",
        "nul",
        '"',
        "\\",
        "\\ud83d",
        "\\n",
        "é",
        "\ud800",
        "NaN",
        "\x00",
    ),
]
TEXTS = mutated(CASES) | st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
KNOWN = st.sampled_from([None, TOOLS])
DELIMITERS = st.sampled_from([("<think>", "</think>"), ("", "</think>"), None, ("[THINK]", "[/THINK]")])


@settings(max_examples=300)
@given(st.data())
def test_chunk_blind_and_as_checked(data: st.DataObject) -> None:
    text, tools, reasoning = data.draw(TEXTS), data.draw(KNOWN), data.draw(DELIMITERS)
    whole = stream([text], tools, reasoning, HermesParser)
    check_consistent(whole)
    assert stream(data.draw(cuts(text)), tools, reasoning, HermesParser) == whole
    errors = hermes.check(text, tools, reasoning=reasoning)
    assert whole.error == (str(errors[0]) if errors else None)
    parser = HermesParser(tools, reasoning=reasoning)
    parser.feed(text)
    parser.close()
    assert errors or parser._cause is None


@pytest.mark.slow
@settings(max_examples=20_000)
@given(st.data())
def test_chunk_blind_and_as_checked_for_many(data: st.DataObject) -> None:
    test_chunk_blind_and_as_checked.hypothesis.inner_test(data)  # type: ignore[attr-defined]


def _events(text: str) -> list[Event]:
    parser = HermesParser(TOOLS)
    return [event for char in text for event in parser.feed(char)] + parser.close()


def test_arguments_come_as_they_are_written() -> None:
    assert _events('<tool_call>\n{"name": "read", "arguments": {"path": "a\\n", "from": 3}}') == [
        CallStart("read"),
        ArgumentStart("path"),
        ArgumentDelta("a"),
        ArgumentDelta("\n"),
        ArgumentEnd("path", "a\n"),
        ArgumentStart("from"),
        ArgumentEnd("from", 3),
        CallEnd(sg.Call("read", {"path": "a\n", "from": 3})),
    ]


def test_arguments_before_the_name_wait_for_it() -> None:
    parser = HermesParser(TOOLS)
    assert parser.feed('<tool_call>{"arguments": {"path": "b"}, "name": "rea') == []
    assert parser.message.partial is None
    events = parser.feed('d"')
    assert events[:3] == [CallStart("read"), ArgumentStart("path"), ArgumentDelta("b")]
    assert parser.message.partial == PartialCall("read", {"path": "b"})


def test_what_may_be_a_tag_is_held_back() -> None:
    parser = HermesParser(TOOLS)
    assert parser.feed("a <tool_") == [TextDelta("a")]
    assert parser.feed("x") == [TextDelta(" <"), TextDelta("tool_x")]


def test_nothing_comes_behind_an_error() -> None:
    for wrong in ('"name": "raed"', '"id": 1', '"name": 5', '"arguments": [', '"name": "ping", "name"'):
        events = _events("<tool_call>{" + wrong + "}\n</tool_call>\n" + hermes.render([sg.Call("ping")]))
        assert all(isinstance(event, CallStart) for event in events)
        assert len(events) == wrong.count("ping")


def test_a_text_that_is_cut_off_tells_of_the_open_call() -> None:
    with pytest.raises(sg.IncompleteCall) as caught:
        hermes.parse('<tool_call>{"name": "read", "arguments": {"from": 3, "path": "ab', TOOLS)
    assert caught.value.message.partial == PartialCall("read", {"from": 3}, "path", "ab")
    with pytest.raises(sg.IncompleteCall):
        hermes.parse('<tool_call>{"name": "ping"}</tool', TOOLS)


def test_spans() -> None:
    text = f"x\n{hermes.render([sg.Call('ping'), sg.Call('ping')])}\n"
    calls = hermes.parse(text).calls
    assert [text[slice(*call.span)] for call in calls] == [hermes.render([sg.Call("ping")])] * 2


def test_many_arguments_are_located_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[int] = []
    monkeypatch.setattr(locate, "decode_at", lambda text, start: decoded.append(start) or decode_at(text, start))
    members = ", ".join(f'"k{number}": 1' for number in range(500))
    text = '<tool_call>{"arguments": {' + members + '}, "name": "f"}</tool_call>'
    assert len(hermes.parse(text).calls[0].arguments) == 500
    assert len(decoded) < 5_000
