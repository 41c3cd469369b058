"""Arguments in a language of their own, written by a model at a temperature at which it obeys nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from lark import Lark

from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.llama import generate
from slashgrammar.tools import Tool, ToolSet

# No part of it goes on for ever, so that every text ends within the budget.
SQL = """
start: "SELECT " columns " FROM " NAME (" JOIN " NAME " ON " field " = " field)~0..1 [where] [limit]
columns: "*" | NAME (", " NAME)~0..3
where: " WHERE " condition ((" AND " | " OR ") condition)~0..2
condition: field " IS " ["NOT "] "NULL" | field (" = " | " < " | " > ") (NUMBER | STRING) | field " LIKE " STRING
field: [NAME "."] NAME
limit: " LIMIT " NUMBER
NAME: /[a-z][a-z_]{0,11}/
NUMBER: /[0-9]{1,4}/
STRING: /'[A-Za-z %]{0,12}'/
"""
ORDER_NUMBER = r"[A-Z]{2,3}-\d{4}(?:/[a-z]{1,12})?"
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
    """Fails where an argument is none of its language for Lark's own parser or Python's `re`; returns the arguments."""
    parser = Lark(SQL, parser="earley", lexer="dynamic_complete")
    found = set()
    for text in written(llm, LANGUAGES[name], times):
        print(text)
        if name == "sql":
            parser.parse(text)
        else:
            assert re.fullmatch(ORDER_NUMBER, text), text
        found.add(text)
    return found


def written(llm: Any, language: ArgumentGrammar, times: int) -> Iterator[str]:
    """The arguments of so many calls."""
    schema = {"type": "string", KEYWORD: language.keyword}
    tools = ToolSet([Tool("look_up", {"type": "object", "properties": {"what": schema}, "required": ["what"]})])
    grammar = tools.compile(tool_choice="look_up", prose=False, parallel=False)
    for seed in range(times):
        generation = generate(llm, QUESTION, tools, grammar=grammar, temperature=1.5, seed=seed, max_tokens=200)
        (call,) = generation.message.calls
        yield call.arguments["what"]
