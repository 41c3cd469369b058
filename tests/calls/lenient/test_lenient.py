"""Texts that are almost right are taken for what was meant; those that are right stay what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.calls import Call, parse, render
from slashgrammar.calls.events import ArgumentEnd
from slashgrammar.calls.lenient import LenientParser
from slashgrammar.calls.lenient import __doc__ as documentation
from slashgrammar.calls.message import Message
from slashgrammar.errors import TextError
from slashgrammar.tools import ToolSet
from tests.calls.test_render import CALLS
from tests.calls.test_stream import Outcome, check_consistent, merged
from tests.calls.texts import CASES, TOOLS, cuts, mutated, texts
from tests.spec.examples import Example, read_examples, segments

BEFORE = st.sampled_from(["", "  /read x\n", "```\n/a\n```\n", "a: b\n"])
AFTER = st.sampled_from(["", "\nx = 1", "\n  /read"])
LENIENT = read_examples(Path(__file__).parent / "cases.md")


@pytest.mark.parametrize("case", LENIENT, ids=lambda case: case.place)
def test_case(case: Example) -> None:
    if case.is_error:
        with pytest.raises(TextError) as raised:
            parse(case.text, case.tools, lenient=True)
        error = raised.value
        assert [{"error": error.code, "line": error.line, "column": error.column}] == case.expected
        with pytest.raises(TextError, match="line"):
            parse(case.text, case.tools)
        return
    message = parse(case.text, case.tools, lenient=True)
    kinds = [repair.kind for repair in message.repairs]
    assert [*segments(message), {"repairs": kinds}] == case.expected
    for repair in message.repairs:
        line = case.text.split("\n")[repair.line - 1]
        assert line[repair.column - 1 :].startswith(repair.before.split("\n")[0]) or repair.kind in ("name", "type")


def test_every_kind_is_documented_and_has_a_case() -> None:
    kinds = {kind for case in LENIENT if not case.is_error for kind in case.expected[-1]["repairs"]}
    assert documentation is not None
    listed = {line.split()[0] for line in documentation.splitlines() if line.startswith("    ") and line.strip()}
    assert kinds == listed - {"Message.repairs"}


@pytest.mark.parametrize("case", [case for case in CASES if not case.is_error], ids=lambda case: case.place)
def test_right_texts_that_call_something_are_not_changed(case: Example) -> None:
    strict = parse(case.text, case.tools, reasoning=case.reasoning)
    lenient = parse(case.text, case.tools, reasoning=case.reasoning, lenient=True)
    assert lenient == strict or not strict.calls


@settings(max_examples=100, deadline=None)
@given(CALLS, BEFORE, AFTER)
def test_rendered_calls_are_not_changed(calls: list[Call], before: str, after: str) -> None:
    text = before + render(calls) + after
    message = parse(text, lenient=True)
    assert message.repairs == ()
    assert message == parse(text)


TEXTS = texts() | mutated([case.text for case in LENIENT])


def test_tools_parse_and_stream_leniently() -> None:
    tools = LENIENT[0].tools
    assert tools is not None
    parser = tools.stream(lenient=True)
    parser.feed("/read path='a'")
    assert parser.finish() == tools.parse("/read path='a'", lenient=True)
    with pytest.raises(TextError):
        tools.parse("/read path='a'")


def _lenient(pieces: list[str], tools: ToolSet | None) -> Outcome:
    parser = LenientParser(tools)
    events = []
    for piece in pieces:
        events += parser.feed(piece)
        assert isinstance(parser.message, Message)
    events += parser.close()
    try:
        return Outcome(merged(events), parser.finish(), None)
    except TextError as error:
        return Outcome(merged(events), parser.message, str(error))


def _chunk_blind(data: st.DataObject) -> None:
    text, tools = data.draw(TEXTS), data.draw(st.sampled_from([None, TOOLS, LENIENT[0].tools]))
    whole = _lenient([text], tools)
    if whole.error is None:
        check_consistent(whole)
    assert _lenient(data.draw(cuts(text)), tools) == whole
    assert _lenient(list(text), tools) == whole
    try:
        strict = parse(text, tools)
    except TextError as error:
        assert whole.error in (None, str(error))  # noqa: PT017
        assert whole.error is not None or whole.message.repairs
    else:
        assert whole.error is None
        assert whole.message == strict or (whole.message.repairs and not strict.calls)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_chunk_blind(data: st.DataObject) -> None:
    _chunk_blind(data)


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None)
@given(st.data())
def test_chunk_blind_for_many(data: st.DataObject) -> None:
    _chunk_blind(data)


@pytest.mark.parametrize("argument", ["path=2", "path=true", "path='a'", "path=a", "from='1'", 'from="x"', 'path=[""]'])
def test_deltas_make_up_what_was_meant(argument: str) -> None:
    whole = _lenient([f"/read {argument}\n"], TOOLS)
    check_consistent(whole)
    assert any(isinstance(event, ArgumentEnd) for event in whole.events)


PIECES = st.lists(st.sampled_from(["a", "b", " ", "é", "\n", "\\", *"'\"1,:[]{}()-=#/"]), max_size=6).map("".join)
PYTHON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | PIECES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abé"), inner, max_size=3),
    max_leaves=5,
)


@given(st.lists(PYTHON, max_size=3) | st.dictionaries(st.sampled_from("abé"), PYTHON, max_size=3), st.booleans())
def test_values_of_python(value: Any, trailing_comma: bool) -> None:
    text = repr(value)
    if trailing_comma and len(text) > 2:
        text = f"{text[:-1]}, {text[-1]}"
    message = parse(f"/any x={text}\n/list", LENIENT[0].tools, lenient=True)
    assert message.calls == [Call("any", {"x": value}), Call("list", {})]


def test_brackets_that_are_closed_again_are_not_deep() -> None:
    for many in ("[" + "[], " * 300 + "'a']", "{" + ", ".join(f"'k{number}': {{}}" for number in range(300)) + "}"):
        message = parse(f"/any x={many}", LENIENT[0].tools, lenient=True)
        assert [repair.kind for repair in message.repairs] == ["json"]
        assert len(message.calls[0].arguments["x"]) in (300, 301)


def test_so_many_parts_of_a_value_are_converted() -> None:
    tools = LENIENT[0].tools
    message = parse(f"/search query='a' kinds={[*range(19)]}", tools, lenient=True)
    assert message.calls[0].arguments["kinds"] == [str(number) for number in range(19)]
    with pytest.raises(TextError):
        parse(f"/search query='a' kinds={[*range(20)]}", tools, lenient=True)


def test_a_line_that_is_very_long_is_read_as_it_is() -> None:
    message = parse("p" * 1_000_001 + "\n/read path='x'", LENIENT[0].tools, lenient=True)
    assert message.calls == [Call("read", {"path": "x"})]
    with pytest.raises(TextError):
        parse("/any x='" + "a" * 1_000_001 + "'", LENIENT[0].tools, lenient=True)


def test_spans_and_places_are_those_of_the_original() -> None:
    text = "Hi.\n  /read path='a'  from=“1”\n/write_file\npath: b\n\tcontent=\n```\nx\n```\nDone"
    message = parse(text, LENIENT[0].tools, lenient=True)
    assert [text[slice(*call.span)] for call in message.calls] == [
        "/read path='a'  from=“1”",
        "/write_file\npath: b\n\tcontent=\n```\nx\n```",
    ]
    assert [(repair.kind, repair.line, repair.column) for repair in message.repairs] == [
        ("indentation", 2, 1),
        ("quotes", 2, 14),
        ("quotes", 2, 24),
        ("type", 2, 24),
        ("colon", 4, 5),
        ("bare-word", 4, 7),
    ]


def test_events_come_as_soon_as_the_text_is_known_to_be_wrong() -> None:
    parser = LenientParser(LENIENT[0].tools)
    first = parser.feed("Hi\n/list\n/read path='x'\n")
    assert [type(event).__name__ for event in first] == [
        *("TextDelta", "CallStart", "CallEnd", "CallStart", "ArgumentStart", "ArgumentDelta", "ArgumentEnd"),
    ]
    assert parser.feed("from=1") == []
    assert [type(event).__name__ for event in parser.feed("\n\n")] == ["ArgumentStart", "ArgumentEnd"]


def test_events_are_held_back_while_the_text_may_be_right() -> None:
    parser = LenientParser(LENIENT[0].tools)
    assert [type(event).__name__ for event in parser.feed("Hi\n  /list\nand so\n/li")] == ["TextDelta"]
    assert parser.message.text == "Hi"
    assert parser.feed("st\n") == []
    assert [type(event).__name__ for event in parser.close()] == ["TextDelta", "CallStart", "CallEnd"]
    assert parser.finish() == parse("Hi\n  /list\nand so\n/list\n")


@pytest.mark.parametrize(
    "text",
    [
        "/any x=" + "[" * 100_000,
        "/any x='" + "a\n" * 50_000,
        "/any x=" + "'a' " * 25_000,
        "/any " + "x = 1 " * 20_000,
        "/read(" + "path=1, " * 20_000,
        "/any x={" + "'a': [" * 3_000,
        "```\n/list\n" + "```\n" * 20_000,
        "/write_file content=\n" + "```\na\n" * 20_001,
        "/write_file content=\n  ```\n" + "  a\n" * 50_000,
        "/write_file content=\n" + "\n" * 100_000,
        "  /list\n" * 20_000,
        "/any\n" + "x: 1\n" * 20_000,
        '/any x="' + "\\q" * 50_000 + '"',
        '/any x="' + "\\" * 100_001 + '"',
        "/any x=[1,\n" * 3_000,
        "/any x='\n" * 3_000,
        "/any x=1,\n" * 5_000,
    ],
    ids=lambda text: text[:20],
)
def test_hostile_texts(text: str) -> None:
    try:
        parse(text, LENIENT[0].tools, lenient=True)
    except TextError as error:
        assert error.line >= 1  # noqa: PT017
