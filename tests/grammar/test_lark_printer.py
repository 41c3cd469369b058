"""Printed Lark text means the same to Lark and to llguidance as the grammar it was printed from."""

from __future__ import annotations

import random
from itertools import product

from hypothesis import given, settings

import slashgrammar as sg
from slashgrammar.grammar.ir import Grammar
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
        assert engines.llguidance(to_llguidance(prepared), text) == (text in members), text


def test_messages_with_calls() -> None:
    """Few texts without blocks: Earley's parser takes its time over every way to begin a fence."""
    tools = sg.ToolSet.from_signatures('set(a?:int, b:"x"|null, c?:Array[{d:bool}])->ok')
    grammar = tools.compile(prose=False)
    rng = random.Random(5)
    texts = Sampler(grammar.ir, seed=5).draw_all(60)[:20]
    for text in texts + [mutate(text, rng) for text in texts]:
        verdict = grammar.matches(text)
        assert engines.lark(grammar.lark, text) == verdict, text
        assert engines.llguidance(to_llguidance(grammar.ir), text) == verdict, text
