"""Short texts of grammars, which are members of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from slashgrammar.grammar.convert import compile_lark
from slashgrammar.grammar.ir import ANY_CHAR, EMPTY, Grammar, Literal, Reference, alt, chars, repeat, seq
from slashgrammar.grammar.load import load_file
from slashgrammar.grammar.short_text import LONGEST, short_text
from tests.grammar.random_grammars import grammars, language

CORPUS = Path(__file__).parent / "corpus"


@settings(deadline=None, max_examples=150)
@given(grammars)
def test_none_is_shorter(grammar: Grammar) -> None:
    found, shortest = short_text(grammar), min(map(len, language(grammar, 4)), default=None)
    if shortest is not None:
        assert found is not None
        assert len(found) == shortest
    elif found is not None:
        assert len(found) > 4


@pytest.mark.parametrize("name", ["sql", "json", "http", "email", "chess", "xml", "arithmetic_hidden", "lookarounds"])
def test_it_is_a_member(name: str) -> None:
    path = CORPUS / f"{name}.lark"
    text = short_text(load_file(path))
    assert text
    assert compile_lark(path.read_text(), name=str(path)).matches(text)


def test_it_is_readable_where_it_can_be() -> None:
    assert short_text(Grammar({"start": seq(ANY_CHAR, ~chars("abc"))})) == "ad"


def test_where_there_is_none() -> None:
    assert short_text(Grammar({"start": Reference("start")})) is None
    assert short_text(Grammar({"start": EMPTY})) == ""


def test_it_never_grows_too_long() -> None:
    doubling = {f"r{n}": seq(Reference(f"r{n + 1}"), Reference(f"r{n + 1}")) for n in range(1000)}
    grammar = Grammar({"start": Reference("r0"), **doubling, "r1000": Literal("a")})
    assert short_text(grammar) is None
    assert short_text(Grammar({"start": repeat(Literal("ab"), 10**6)})) is None
    assert short_text(Grammar({"start": alt(repeat(Literal("a"), LONGEST), repeat(Literal("a"), 10**6))})) == "a" * 200
