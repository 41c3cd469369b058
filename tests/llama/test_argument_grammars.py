"""Arguments in a language of their own, written by a model at a temperature at which it obeys nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Lark

from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.llama import generate
from slashgrammar.tools import Tool, ToolSet

SQL = (Path(__file__).parents[1] / "grammar" / "corpus" / "sql.lark").read_text()
ORDER_NUMBER = r"[A-Z]{2,3}-\d{4}(?:/[a-z]+)?"
LANGUAGES = {"sql": ArgumentGrammar("lark", SQL), "regex": ArgumentGrammar("regex", ORDER_NUMBER)}
QUESTION = [{"role": "user", "content": "Look up the oldest customers."}]


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_model_obeys(llm: Any, name: str) -> None:
    check(name, list(written(llm, LANGUAGES[name], times=2)))


@pytest.mark.slow
@pytest.mark.parametrize("name", LANGUAGES)
def test_a_model_always_obeys(llm: Any, name: str) -> None:
    texts = list(written(llm, LANGUAGES[name], times=50))
    print(*texts, sep="\n")
    assert len(set(texts)) >= 40
    check(name, texts)


def written(llm: Any, language: ArgumentGrammar, times: int) -> Iterator[str]:
    """The arguments of some calls, which have to be texts of the language; each call ends before its budget does."""
    schema = {"type": "string", KEYWORD: language.keyword}
    tools = ToolSet([Tool("look_up", {"type": "object", "properties": {"what": schema}, "required": ["what"]})])
    grammar = tools.compile(tool_choice="look_up", prose=False, parallel=False)
    for seed in range(times):
        generation = generate(llm, QUESTION, tools, grammar=grammar, temperature=1.5, seed=seed, max_tokens=120)
        (call,) = generation.message.calls
        yield call.arguments["what"]


def check(name: str, texts: list[str]) -> None:
    """Fails for a text that Lark's own parser, or Python's `re`, does not take."""
    parser = Lark(SQL, parser="earley", lexer="dynamic_complete")
    for text in texts:
        if name == "sql":
            parser.parse(text)
        else:
            assert re.fullmatch(ORDER_NUMBER, text), text
