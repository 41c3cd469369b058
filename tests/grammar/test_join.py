"""What a model may write with tools: the options of `compile`, and what every rendering has to be in."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slashgrammar as sg
from slashgrammar.errors import GrammarError
from slashgrammar.grammar.join import compile_tools

TOOLS = sg.ToolSet.from_signatures(
    "read(path:str, from?:int, to?:int)->lines\n"
    "write(path:str, content:str)->confirmation\n"
    'set(key:"a"|"b", value:float|null, flags?:Array[bool], at?:{x:int, y?:int})->ok\n'
    "ping()->pong"
)
READ = '/read\npath="a"\nfrom=1'
WRITE = '/write\npath="a"\ncontent=\n```\nx\n\n```'
PROSE = "Sure, here it is.\n\n- /usr is a path, // a comment"


def test_auto_takes_prose_then_calls() -> None:
    grammar = TOOLS.compile()
    for text in ("", PROSE, READ, f"{PROSE}\n{READ}", f"{PROSE}\n\n{READ}\n{WRITE}", f"{READ}\n\n/ping", "/ping"):
        assert grammar.matches(text), text
    for text in (
        f"{READ}\n",
        f"\n{READ}",
        f"{READ}\n{PROSE}",
        "/pong",
        "/usr/bin",
        "a\n/x",
        f"{READ} to=2",
        "/ping x=1",
    ):
        assert not grammar.matches(text), text


def test_required_needs_a_call() -> None:
    grammar = TOOLS.compile(tool_choice="required")
    assert grammar.matches(READ)
    assert grammar.matches(f"{PROSE}\n{READ}")
    assert not grammar.matches("")
    assert not grammar.matches(PROSE)


def test_none_takes_prose_only() -> None:
    grammar = TOOLS.compile(tool_choice="none")
    assert grammar.matches(PROSE)
    assert grammar.matches("")
    assert not grammar.matches(READ)
    assert sg.ToolSet().compile().matches(PROSE)


def test_a_named_tool_must_be_called() -> None:
    grammar = TOOLS.compile(tool_choice="write")
    assert grammar.matches(WRITE)
    assert not grammar.matches(READ)
    assert not grammar.matches(PROSE)


def test_at_most_one_call() -> None:
    assert TOOLS.compile(parallel=False).matches(READ)
    assert not TOOLS.compile(parallel=False).matches(f"{READ}\n{READ}")


def test_no_prose() -> None:
    grammar = TOOLS.compile(prose=False)
    assert grammar.matches("")
    assert grammar.matches(f"{READ}\n{READ}")
    assert not grammar.matches(f"x\n{READ}")
    assert not TOOLS.compile(prose=False, tool_choice="required").matches("")


def test_reasoning_comes_first_if_at_all() -> None:
    grammar = TOOLS.compile(reasoning=True)
    thoughts = "<think>\n/read x=1 </think\n```\n<</think>"
    for text in (thoughts, f"{thoughts}\n\n{READ}", f"{thoughts}{PROSE}", READ):
        assert grammar.matches(text), text
    assert not grammar.matches(f"{READ}\n{thoughts}")
    assert not grammar.matches("<think>\n")
    assert not TOOLS.compile().matches(thoughts)


def test_reasoning_that_the_template_has_opened() -> None:
    grammar = compile_tools(TOOLS, reasoning=("", "</think>"))
    text = f"hm\n</thin\n</think>\n\n{READ}"
    assert grammar.matches(text)
    assert not grammar.matches(READ)
    message = TOOLS.parse(text, reasoning=("", "</think>"))
    assert message.reasoning == "hm\n</thin"
    assert [call.name for call in message.calls] == ["read"]


def test_other_delimiters() -> None:
    grammar = compile_tools(TOOLS, reasoning=("[THINK]", "[/THINK]"))
    assert grammar.matches(f"[THINK]<think>[/THINK]\n{READ}")
    assert not grammar.matches("[THINK] hm")
    assert grammar.matches("[THIN")


@pytest.mark.parametrize("closing", ["</think>", "]]>", "aabaab", "--->", "\n\n", "<t>", "]", "^-]\\"])
def test_reasoning_ends_where_the_closing_delimiter_first_stands(closing: str) -> None:
    delimiters = ("<t>", closing)
    grammar = compile_tools(TOOLS, reasoning=delimiters)
    beginnings = [closing[:size] for size in range(len(closing))]
    for thought in map("".join, product(beginnings, ("", "x"), beginnings)):
        text = f"<t>{thought}{closing}\n{READ}"
        if f"{thought}{closing}".find(closing) == len(thought):
            assert grammar.matches(text), text
            assert [call.name for call in TOOLS.parse(text, reasoning=delimiters).calls] == ["read"]
            assert not grammar.matches(f"<t>{thought}")


@pytest.mark.parametrize(
    ("opening", "closing", "problem"),
    [
        ("<t>", "", "the second not empty"),
        ("<t>\n", "</t>", "the first is one line"),
        *((sign + "t", "</t>", "lines may begin with") for sign in "aZ0_/`\"' \t"),
    ],
)
def test_delimiters_that_would_be_ambiguous(opening: str, closing: str, problem: str) -> None:
    with pytest.raises(GrammarError, match=problem):
        compile_tools(TOOLS, reasoning=(opening, closing))


def test_styles() -> None:
    inline = TOOLS.compile(style="inline")
    for text in (
        '/read path="a" from=1',
        "/ping",
        '/write path="a" content="b"',
        '/write path="a" content=\n```\nx\n```',
        '/write path=\n```\nx\n```\ncontent="b"',
        '/set key="a" value=1.5 flags=[true] at={"x": 1}',
    ):
        assert inline.matches(text), text
    for text in (READ, '/write path=\n```\nx\n``` content="b"', '/read  path="a"', '/read path="a" '):
        assert not inline.matches(text), text


@pytest.mark.parametrize("text", ['/read\npath="a\\nb"', '/read\npath="a\\u000ab"', '/read\nfrom=1\npath="a"', "/read"])
def test_what_is_stricter_in_generation(text: str) -> None:
    assert not TOOLS.compile().matches(text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tool_choice": "wrote"}, "write"),
        ({"style": "columns"}, "lines"),
        ({"dialect": "morse"}, "slash"),
        ({"tool_choice": "none", "prose": False}, "nothing to write"),
    ],
)
def test_options_that_contradict_each_other(options: dict[str, object], message: str) -> None:
    with pytest.raises(sg.SlashError, match=message):
        TOOLS.compile(**options)  # type: ignore[arg-type]


def test_a_call_cannot_be_required_of_no_tools() -> None:
    with pytest.raises(sg.GrammarError, match="no tools"):
        sg.ToolSet().compile(tool_choice="required")


def test_explain_says_where_and_in_which_rule() -> None:
    departure = TOOLS.compile(prose=False).explain('/read\npath="a"\nfrom=x')
    assert departure is not None
    assert (departure.line, departure.column, departure.found) == (3, 6, "x")
    assert "7" in departure.allowed
    assert departure.rule in ("INT", "INTEGER", "call")
    early = TOOLS.compile().explain("/wri")
    assert early is not None
    assert (early.offset, early.found, list(early.allowed)) == (4, "", ["t"])
    assert TOOLS.compile().explain(READ) is None


PLAIN_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t`"))
COORDINATES = st.fixed_dictionaries({"x": st.integers(0, 9)}, optional={"y": st.just(1)})
FLOATS = st.floats(-1e307, 1e307, allow_nan=False)
VALUES = {
    "read": st.fixed_dictionaries(
        {"path": PLAIN_TEXT}, optional={"from": st.integers(-(10**19), 10**19), "to": st.just(0)}
    ),
    "write": st.fixed_dictionaries({"path": PLAIN_TEXT, "content": PLAIN_TEXT}),
    "set": st.fixed_dictionaries(
        {"key": st.sampled_from("ab"), "value": st.none() | FLOATS},
        optional={"flags": st.lists(st.booleans()), "at": COORDINATES},
    ),
    "ping": st.just({}),
}
CALLS = st.lists(
    st.sampled_from(sorted(VALUES)).flatmap(lambda name: st.builds(sg.Call, st.just(name), VALUES[name])),
    min_size=1,
    max_size=3,
)


@settings(deadline=None)
@given(CALLS, st.sampled_from(["lines", "inline"]))
def test_every_rendering_is_a_member_and_reads_back(calls: list[sg.Call], style: str) -> None:
    text = TOOLS.render(calls, style=style)  # type: ignore[arg-type]
    grammar = GRAMMARS[style]
    assert grammar.matches(text), grammar.explain(text)
    assert TOOLS.parse(text).calls == calls


GRAMMARS = {style: TOOLS.compile(style=style, prose=False) for style in ("lines", "inline")}  # type: ignore[arg-type]
