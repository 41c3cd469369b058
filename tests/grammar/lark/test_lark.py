"""Printed Lark text means the same to Lark and to llguidance as the grammar it was printed from."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings

import slashgrammar as sg
from slashgrammar.grammar.ir import Choice, Grammar, Literal, Repeat
from slashgrammar.grammar.lark import to_lark, to_llguidance
from slashgrammar.grammar.rewrite import prepare
from tests.grammar import engines
from tests.grammar.random_grammars import ALPHABET, grammars, language
from tests.grammar.sampling import Sampler, mutate

TEXTS = ["".join(letters) for size in range(4) for letters in product(ALPHABET, repeat=size)]


@settings(deadline=None, max_examples=60)
@given(grammars)
def test_random_grammars(grammar: Grammar) -> None:
    members = language(grammar, 3)
    prepared = prepare(grammar)
    if not members - {""}:
        return
    for text in TEXTS:
        assert engines.lark(to_lark(prepared), text) == (text in members), text
        assert engines.llguidance(to_llguidance(prepared, "exact"), text) == (text in members), text


def test_messages_with_calls() -> None:
    """Few texts without blocks: Earley's parser takes its time over every way to begin a fence."""
    tools = sg.ToolSet.from_signatures('set(a?:int, b:"x"|null, c?:Array[{d:bool}])->ok')
    grammar = tools.compile(prose=False)
    rng = random.Random(5)
    texts = Sampler(grammar.ir, seed=5).draw_all(60)[:20]
    for text in texts + [mutate(text, rng) for text in texts]:
        verdict = grammar.matches(text)
        assert engines.lark(grammar.lark, text) == verdict, text
        assert engines.llguidance(to_llguidance(grammar.ir, "exact"), text) == verdict, text


def test_what_may_be_absent_is_not_written_out() -> None:
    names = [f"a{number}" for number in range(40)]
    tools = sg.ToolSet.from_signatures(f"f({', '.join(f'{name}?:bool' for name in names)})->x")
    text = "/f\na3=true\na7=false\na39=true"
    assert engines.lark(tools.compile(prose=False).lark, text)


@pytest.mark.parametrize("bounds", [(0, 1), (0, 2), (0, None), (1, None), (2, None), (1, 2)])
@pytest.mark.parametrize("inner", [(0, 1), (0, None), (1, None), (2, 2), (2, None)])
def test_repetitions_in_repetitions(bounds: tuple[int, int | None], inner: tuple[int, int | None]) -> None:
    grammar = Grammar({"start": Repeat(Repeat(Choice((Literal("ab"), Literal("ba"))), *inner), *bounds)})
    members = language(grammar, 8)
    for count in range(1, 5):
        text = "ab" * count
        assert engines.lark(to_lark(grammar), text) == (text in members)
        assert engines.llguidance(to_llguidance(grammar, "exact"), text) == (text in members)
        assert engines.llguidance(to_llguidance(grammar, "fast"), text) == (text in members)
