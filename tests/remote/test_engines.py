"""The engines behind vLLM and SGLang read our grammars as we do."""

from __future__ import annotations

import random

import pytest

import slashgrammar as sg
from slashgrammar.grammar.lark import to_llguidance
from tests.grammar.engines import llguidance, xgrammar
from tests.grammar.sampling import Sampler, mutate
from tests.grammar.test_agreement import TOOL_SETS


def _agree(name: str, dialect: str, count: int) -> None:
    tools = sg.ToolSet.from_signatures(TOOL_SETS[name])
    grammar = tools.compile(dialect=dialect)
    written = to_llguidance(grammar.ir)
    sampler, rng = Sampler(grammar.ir, seed=3), random.Random(4)
    for number in range(count):
        text = sampler.draw(100)
        if number % 2:
            text = mutate(text, rng)
        if "\0" not in text:
            verdict = grammar.matches(text)
            assert xgrammar(grammar.gbnf, text) == verdict, text
            assert llguidance(written, text) == verdict, text


@pytest.mark.parametrize("dialect", ["slash", "hermes"])
def test_xgrammar_and_llguidance(dialect: str) -> None:
    _agree("nested", dialect, 30)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["slash", "hermes"])
@pytest.mark.parametrize("name", TOOL_SETS)
def test_xgrammar_and_llguidance_on_many_texts(name: str, dialect: str) -> None:
    _agree(name, dialect, 500)
