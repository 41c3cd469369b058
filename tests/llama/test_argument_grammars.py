"""Arguments in a language of their own, written by a model at a temperature at which it obeys nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Lark

from slashgrammar.errors import IncompleteCall
from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.grammar.matcher import Matcher
from slashgrammar.grammar.rewrite import prepare
from slashgrammar.llama import generate
from slashgrammar.tools import Tool, ToolSet

SQL = (Path(__file__).parents[1] / "grammar" / "corpus" / "sql.lark").read_text()
ORDER_NUMBER = r"[A-Z]{2,3}-\d{4}(?:/[a-z]+)?"
LANGUAGES = {"sql": ArgumentGrammar("lark", SQL), "regex": ArgumentGrammar("regex", ORDER_NUMBER)}
QUESTION = [{"role": "user", "content": "Look up the oldest customers."}]


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_model_obeys(llm: Any, name: str) -> None:
    check(llm, name, times=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", LANGUAGES)
def test_a_model_always_obeys(llm: Any, name: str) -> None:
    assert len(check(llm, name, times=50)) > 5


def check(llm: Any, name: str, times: int) -> set[str]:
    """Fails where an argument is none of its language for Lark's own parser or Python's `re`; returns the arguments.

    Of a call that was cut off, the argument has to begin like a text of the language.
    """
    parser = Lark(SQL, parser="earley", lexer="dynamic_complete")
    found = set()
    for text, is_whole in written(llm, LANGUAGES[name], times):
        print(text if is_whole else f"{text}…")
        if not is_whole:
            assert Matcher(prepare(LANGUAGES[name].ir)).feed(text), text
        elif name == "sql":
            parser.parse(text)
        else:
            assert re.fullmatch(ORDER_NUMBER, text), text
        found.add(text)
    return found


def written(llm: Any, language: ArgumentGrammar, times: int) -> Iterator[tuple[str, bool]]:
    """The arguments of so many calls, each with whether the call is whole."""
    schema = {"type": "string", KEYWORD: language.keyword}
    tools = ToolSet([Tool("look_up", {"type": "object", "properties": {"what": schema}, "required": ["what"]})])
    grammar = tools.compile(tool_choice="look_up", prose=False, parallel=False)
    for seed in range(times):
        generation = generate(llm, QUESTION, tools, grammar=grammar, temperature=1.5, seed=seed, max_tokens=60)
        try:
            (call,) = generation.message.calls
            yield call.arguments["what"], True
        except IncompleteCall as error:
            partial = error.message.partial
            yield (partial.text or "") if partial else "", False
