"""What a grammar and an automaton have in common, against the languages of both."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.intersect import intersect
from slashgrammar.grammar.ir import ANY_CHAR, NOTHING, Grammar, Literal, Repeat, chars, repeat, seq
from slashgrammar.grammar.load import load_file
from slashgrammar.grammar.matcher import Matcher
from slashgrammar.grammar.regex import regex_to_ir
from slashgrammar.grammar.rewrite import prepare
from tests.grammar.random_grammars import ALPHABET, grammars, language
from tests.grammar.sampling import Sampler, mutate

CORPUS = Path(__file__).parents[1] / "corpus"
WORDS = ["".join(letters) for size in range(5) for letters in product(ALPHABET, repeat=size)]
EXPRESSIONS = ["[ab]*", "(..)*", "a.*|", ".{1,3}", "(?!.*aa).*", "(a|bc)*c?", "b", ""]


def members(grammar: Grammar, texts: list[str]) -> list[str]:
    prepared = prepare(grammar)
    found = []
    for text in texts:
        matcher = Matcher(prepared)
        if matcher.feed(text) and matcher.is_member:
            found.append(text)
    return found


@settings(deadline=None, max_examples=150)
@given(grammars, st.sampled_from(EXPRESSIONS))
def test_random_grammars(grammar: Grammar, expression: str) -> None:
    automaton = Automaton.of(regex_to_ir(expression))
    expected = {text for text in language(grammar, 4) if automaton.accepts(text)}
    assert set(members(intersect(grammar, automaton), WORDS)) == expected


@pytest.mark.parametrize(
    ("name", "expression"),
    [
        ("json", r"[^\\]{0,6}"),
        ("json", r"[^\n]*(\n[^ \n][^\n]*)*"),
        ("sql", r"(?!.*'')[^(]*"),
        ("lisp", r"(?s)(?!.*#).*"),
        ("arithmetic_hidden", r".(.{2})*"),
        ("palindromes", r"n.*|.{7}"),
    ],
)
def test_grammars_of_the_corpus(name: str, expression: str) -> None:
    grammar = load_file(CORPUS / f"{name}.lark")
    automaton = Automaton.of(regex_to_ir(expression))
    common = intersect(grammar, automaton)
    sampler, narrow = Sampler(prepare(grammar), seed=1), Sampler(prepare(common), seed=1)
    texts = [sampler.draw(60) for _ in range(20)] + [narrow.draw(60) for _ in range(20)]
    rng = random.Random(1)
    texts += [mutate(rng.choice(texts), rng) for _ in range(40)]
    found = members(common, texts)
    assert found == [text for text in members(grammar, texts) if automaton.accepts(text)]
    assert len(found) >= 20


def test_nothing_in_common() -> None:
    grammar = Grammar({"start": Literal("ab")})
    assert intersect(grammar, Automaton.of(Literal("a"))).rules == {"start": NOTHING}


def test_characters_that_change_nothing_are_not_counted() -> None:
    grammar = Grammar({"start": repeat(chars("ab"), 2, 5_000)})
    no_line = Automaton.of(repeat(ANY_CHAR - chars("\n")))
    assert Repeat(chars("ab"), 2, 5_000) in prepare(intersect(grammar, no_line)).rules.values()


@pytest.mark.parametrize("name", ["sql", "program", "toml", "lisp", "csv"])
def test_states_that_nothing_tells_apart_count_as_one(name: str) -> None:
    grammar = load_file(CORPUS / f"{name}.lark")
    no_fence = Automaton.of(regex_to_ir(r"(?!`{8})[^\n]*(\n(?!`{8})[^\n]*)*"))
    assert len(no_fence.edges) == 9
    assert len(intersect(grammar, no_fence).rules) < 10 * len(grammar.rules)


def test_what_grows_too_large_is_refused() -> None:
    parts = [repeat(Literal("ab"), 0, count) for count in range(50)]
    grammar = Grammar({"start": seq(*parts)})
    with pytest.raises(GrammarError, match="too much in common with a regular language"):
        intersect(grammar, Automaton.of(repeat(repeat(ANY_CHAR, 97, 97))))
