from __future__ import annotations

import pytest

from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.llama.closing import Closing
from slashgrammar.llama.limits import Limits
from slashgrammar.tools import ToolSet

TOOLS = ToolSet.from_signatures("read(path:str)\nwrite(path:str, content:str)")
HEADS = ("/read", "/write")


@pytest.fixture(scope="module")
def grammar() -> CompiledGrammar:
    return TOOLS.compile(tool_choice="required", reasoning=True)


def _due(grammar: CompiledGrammar, text: str, limits: Limits, size: int = 60) -> str | None:
    matcher, closing = grammar.matcher(), Closing(limits, 0, 100)
    assert matcher.feed(text)
    closing.follow(text)
    due = closing.due(size, matcher)
    assert due is None or matcher.feed(due)
    return due


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("", "/"),
        ("Well, I", "\n/"),
        ("Well,\n\n", "/"),
        ("See `co", "\n/"),
        ("```python\nprint(", "\n```\n/"),
        ("`````\n```\n``", "\n`````\n/"),
        ("```\na\n```py\nb", "\n```\n```\n/"),
        ("```\na\n```", "\n/"),
        ("<think>\nhm", "\n</think>\n/"),
        ("// no", "\n/"),
        ("/re", None),
        ('/read\npath="a', None),
    ],
)
def test_with_a_quarter_of_the_budget_gone_a_required_call_begins(
    grammar: CompiledGrammar, text: str, due: str | None
) -> None:
    limits = Limits(must_call=HEADS, reasoning=("<think>", "</think>"))
    assert _due(grammar, text, limits) == due
    assert _due(grammar, text, limits, size=24) is None


def test_the_only_tool_is_named() -> None:
    grammar = TOOLS.compile(tool_choice="read")
    assert _due(grammar, "Well", Limits(must_call=("/read",))) == "\n/read"


def test_calls_in_json() -> None:
    grammar = TOOLS.compile(tool_choice="required", dialect="hermes")
    heads = tuple(f'<tool_call>\n{{"name": "{name}"' for name in ("read", "write"))
    assert _due(grammar, "Well", Limits(must_call=heads)) == '\n<tool_call>\n{"name": "'
    assert _due(grammar, "Well", Limits(must_call=heads[:1])) == '\n<tool_call>\n{"name": "read"'


def test_no_call_is_required(grammar: CompiledGrammar) -> None:
    assert _due(grammar, "Well", Limits()) is None


def test_the_budget_of_reasoning(grammar: CompiledGrammar) -> None:
    limits = Limits(reasoning=("<think>", "</think>"), reasoning_tokens=20)
    assert _due(grammar, "<think>\nhm", limits, size=19) is None
    assert _due(grammar, "<think>\nhm", limits, size=20) == "\n</think>"
    assert _due(grammar, "<think>\nhm</think>\nso", limits, size=50) is None
    assert _due(grammar, "No thoughts", limits, size=50) is None
