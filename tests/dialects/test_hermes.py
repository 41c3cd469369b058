from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slashgrammar as sg
from slashgrammar.dialects import hermes
from tests.grammar.engines import llama
from tests.grammar.sampling import Sampler, mutate
from tests.grammar.test_agreement import TOOL_SETS

TOOLS = sg.ToolSet.from_signatures("read(path:str, from?:int)->text\nping()->pong")
READ = '<tool_call>\n{"name": "read", "arguments": {"path": "a</tool_call>\\n", "from": 3}}\n</tool_call>'
TEXT = st.text(st.characters(codec="utf-8"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.parametrize("name", ["files", "seed", "enums", "nested", "unions", "names"])
def test_texts_of_the_grammar_parse_and_engines_agree(name: str) -> None:
    tools = sg.ToolSet.from_signatures(TOOL_SETS[name])
    grammar = tools.compile(dialect="hermes", reasoning=name == "files")
    assert grammar.report == []
    sampler = Sampler(grammar.ir, seed=1)
    texts = [sampler.draw(160) for _ in range(15)]
    for text in texts:
        hermes.parse(text, tools)
        assert grammar.matches(text), text
        assert llama(grammar.gbnf, text), text
    rng = random.Random(2)
    for _ in range(30):
        text = mutate(rng.choice(texts), rng)
        verdict = grammar.matches(text)
        assert llama(grammar.gbnf, text) == verdict, text
        if verdict:
            hermes.parse(text, tools)


def test_both_dialects_on_some_real_calls(shared_data: Path) -> None:
    assert _check_both_dialects(shared_data, 30) >= 20


@pytest.mark.slow
def test_both_dialects_on_all_real_calls(shared_data: Path) -> None:
    print(_check_both_dialects(shared_data, None))


def _check_both_dialects(folder: Path, count: int | None) -> int:
    """Renders real calls in both dialects; what validates is in both grammars and comes back. Gives how many did."""
    lines = gzip.decompress((folder / "bfcl-half.jsonl.gz").read_bytes()).decode().splitlines()
    checked = 0
    for line in lines[:: len(lines) // count if count else 1]:
        row = json.loads(line)
        tools = sg.ToolSet.load(row["tools"])
        calls = [sg.Call(call["name"], call["arguments"]) for call in row["calls"]]
        if not calls or tools.check(tools.render(calls, dialect="hermes"), dialect="hermes"):
            continue
        for dialect in ("hermes", "slash"):
            written = tools.render(calls, dialect=dialect)
            assert tools.parse(written, dialect=dialect).calls == calls
            assert tools.compile(dialect=dialect, tool_choice="required").matches(written), written
        checked += 1
    return checked


def test_both_dialects_are_sound_for_some_real_tools(shared_data: Path) -> None:
    assert _check_soundness(shared_data, 8) == 8 * 2 * 3


@pytest.mark.slow
def test_both_dialects_are_sound_for_many_real_tools(shared_data: Path) -> None:
    print(_check_soundness(shared_data, 400))


def _check_soundness(folder: Path, count: int) -> int:
    """Draws texts from the grammars of real tools, which must parse, and validate where the report is empty."""
    lines = gzip.decompress((folder / "bfcl-half.jsonl.gz").read_bytes()).decode().splitlines()
    checked = 0
    for number, line in enumerate(lines[:: len(lines) // count][:count]):
        tools = sg.ToolSet.load(json.loads(line)["tools"])
        for dialect in ("hermes", "slash"):
            grammar = tools.compile(dialect=dialect, tool_choice="required")
            sampler = Sampler(grammar.ir, seed=number)
            for _ in range(3):
                text = sampler.draw(200)
                assert grammar.matches(text), text
                assert llama(grammar.gbnf, text) or "\0" in text, text
                errors = tools.check(text, dialect=dialect)
                assert all(isinstance(error, sg.ArgumentError) for error in errors if grammar.report), text
                assert grammar.report or not errors, text
                checked += 1
    return checked


def test_a_message_with_everything() -> None:
    message = hermes.parse(f"<think>\nhm\n</think>\nI read.\n{READ}\n" + hermes.render([sg.Call("ping")]), TOOLS)
    assert message.reasoning == "hm"
    assert message.text == "I read."
    assert message.calls == [sg.Call("read", {"path": "a</tool_call>\n", "from": 3}), sg.Call("ping")]
    assert hermes.parse("plain <b>text</b>", TOOLS).text == "plain <b>text</b>"
    assert hermes.parse("hm</think>x", TOOLS, reasoning=("", "</think>")).reasoning == "hm"
    assert hermes.parse("<think>x", None, reasoning=None).text == "<think>x"


@given(st.dictionaries(TEXT, JSON, max_size=4), st.sampled_from(hermes.KEYS))
def test_round_trip(arguments: dict[str, Any], key: str) -> None:
    calls = [sg.Call("f", arguments), sg.Call("g", {})]
    text = hermes.render(calls, key=key)
    assert hermes.parse(text).calls == calls
    assert hermes.parse(text.removesuffix("</tool_call>")).calls == calls


@pytest.mark.parametrize(
    ("text", "kind", "complaint"),
    [
        ('<tool_call>\n{"name": "raed", "arguments": {}}', sg.UnknownTool, "line 1, column 1.*did you mean /read"),
        ('<tool_call>{"name": "read", "arguments": {}}', sg.MissingArgument, "path is missing"),
        ('<tool_call>\n{"name": "read"}', sg.MissingArgument, "path is missing"),
        ('<tool_call>\n{"name": "read", "arguments": {"path": 5}}', sg.InvalidArgument, "line 2, column 40"),
        ('<tool_call>\n{"name": "read", "arguments": {"path": "", "to": 5}}', sg.UnknownArgument, "no argument to"),
        ('<tool_call>\n{"name": "ping", "arguments": {"a": 1, "a": 2}}', sg.DuplicateArgument, "given twice"),
        ('<tool_call>\n{"name": "ping", "arguments": {"a": "\\ud800"}}', sg.InvalidArgument, "lone surrogate"),
        ('<tool_call>\n{"name": "ping", "arguments": {"a": ' + "1" * 5000 + "}}", sg.InvalidArgument, "5000 digits"),
        ('<tool_call>\n{"name": "ping", "arguments": {"a": NaN}}', sg.SlashSyntaxError, "NaN is no JSON"),
        ('<tool_call>\n{"name": "ping", "arguments": {"a": [1,]}}', sg.SlashSyntaxError, "line 2, column 4"),
        ("<tool_call>\n" + '{"name":' + "[" * 100_000, sg.TextError, "nested too deeply|inside a call"),
        ('<tool_call>\n{"name": 5, "arguments": {}}', sg.SlashSyntaxError, "this is no call"),
        ("<tool_call>\n[]\n</tool_call>", sg.SlashSyntaxError, "this is no call"),
        ('<tool_call>\n{"name": "ping", "id": 5}', sg.SlashSyntaxError, "a call has no id"),
        ('<tool_call>\n{"name": "ping", "arguments": {}, "parameters": {}}', sg.SlashSyntaxError, "either"),
        ('<tool_call>\n{"name": "ping", "arguments": []}', sg.SlashSyntaxError, "no object"),
        ('<tool_call>\n{"name": "ping", "arguments": {}}\nand so on', sg.SlashSyntaxError, "behind the call"),
        ('<tool_call>\n{"name": "ping", "argum', sg.IncompleteCall, "ends inside a call"),
        ('<tool_call>\n{"name": "ping", ', sg.IncompleteCall, "ends inside a call"),
        ("<tool_call>\n", sg.IncompleteCall, "ends inside a call"),
    ],
)
def test_errors(text: str, kind: type[sg.TextError], complaint: str) -> None:
    with pytest.raises(kind, match=complaint):
        hermes.parse(text, TOOLS)
    assert len(hermes.check(f"{text}\n</tool_call>\n<tool_call>\n5\n</tool_call>\n{READ}", TOOLS)) >= 1


def test_every_error_is_listed() -> None:
    text = '<tool_call>\n5\n</tool_call>\nso\n<tool_call>\n{"name": "reed"}\n</tool_call>\n' + READ
    assert [(error.line, error.code) for error in hermes.check(text, TOOLS)] == [
        (2, "SlashSyntaxError"),
        (5, "UnknownTool"),
    ]


@given(st.text('<>/tool_cal{}"name:, rgumets1[]\n\\u'))
def test_nothing_breaks_it(text: str) -> None:
    for error in hermes.check(f"<tool_call>{text}", TOOLS):
        assert isinstance(error, sg.TextError)
