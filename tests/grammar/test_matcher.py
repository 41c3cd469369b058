"""The matcher against the languages of random grammars by brute force, and its limits."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from slashgrammar.grammar import matcher as matcher_module
from slashgrammar.grammar.ir import (
    ANY_CHAR,
    CharClass,
    Grammar,
    Literal,
    Reference,
    alt,
    char_class,
    chars,
    opt,
    repeat,
    seq,
)
from slashgrammar.grammar.matcher import Automaton, Matcher
from slashgrammar.grammar.rewrite import prepare
from tests.grammar.random_grammars import ALPHABET, grammars, language

LENGTH = 4
TEXTS = ["".join(letters) for size in range(LENGTH + 1) for letters in product(ALPHABET, repeat=size)]


@settings(deadline=None)
@given(grammars)
def test_members_are_those_of_the_language(grammar: Grammar) -> None:
    members = language(grammar, LENGTH)
    automaton = Automaton(prepare(grammar))
    for text in TEXTS:
        matcher = Matcher(automaton)
        alive = matcher.feed(text)
        assert matcher.is_member == (text in members), text
        assert alive == matcher.is_alive
        if any(member.startswith(text) for member in members):
            assert alive, text


@settings(deadline=None)
@given(grammars, st.sampled_from(TEXTS))
def test_next_chars_and_forced_text_agree_with_feeding(grammar: Grammar, text: str) -> None:
    matcher = Matcher(prepare(grammar))
    if not matcher.feed(text):
        assert not matcher.next_chars()
        assert matcher.forced() == ""
        return
    for char in ALPHABET:
        assert (char in matcher.next_chars()) == matcher.copy().feed(char)
    assert bool(matcher.next_chars()) or matcher.is_member
    forced = matcher.forced()
    for char in forced:
        assert list(matcher.next_chars()) == [char]
        assert not matcher.is_member
        matcher.feed(char)
    assert matcher.is_member or len(matcher.next_chars()) != 1


@given(grammars, st.text(ALPHABET, max_size=8), st.integers(0, 8))
@settings(deadline=None)
def test_a_text_may_come_in_pieces(grammar: Grammar, text: str, cut: int) -> None:
    automaton = Automaton(prepare(grammar))
    whole, parts = Matcher(automaton), Matcher(automaton)
    assert whole.feed(text) == (parts.feed(text[:cut]) and parts.feed(text[cut:]))
    assert whole.is_member == parts.is_member


_SELF = Reference("q")
_BACK_TO_ITSELF = Grammar({"start": alt(_SELF, Literal("a")), "q": alt(chars("bc"), repeat(_SELF, 0, 3))})


@given(grammars)
@example(_BACK_TO_ITSELF)
@settings(deadline=None, max_examples=50)
def test_forgetting_changes_nothing(grammar: Grammar) -> None:
    prepared = prepare(grammar)
    forgetful, retentive = Automaton(prepared, state_limit=1), Automaton(prepared)
    for text in TEXTS[:60]:
        first, second = Matcher(forgetful), Matcher(retentive)
        assert first.feed(text) == second.feed(text)
        assert first.is_member == second.is_member
        assert first.next_chars() == second.next_chars()


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 100
    nested = Grammar({"start": alt(seq(Literal("("), Reference("start"), Literal(")")), Literal("x"))})
    automaton = Automaton(nested, state_limit=limit)
    matcher = Matcher(automaton)
    depth = 5_000
    assert matcher.feed("(" * depth + "x" + ")" * depth)
    assert matcher.is_member
    assert len(automaton._states) <= limit + 1
    monkeypatch.setattr(matcher_module, "CHARS_LIMIT", 10)
    wide = Automaton(Grammar({"start": repeat(char_class([(0x4E00, 0x9FFF)]))}))
    assert Matcher(wide).feed("".join(map(chr, range(0x4E00, 0x4F00))))
    assert len(wide.start.next) <= 10


def test_ambiguous_grammars_stay_small() -> None:
    twice = Grammar({"start": alt(seq(Literal("a"), Reference("start"), Reference("start")), Literal("a"))})
    automaton = Automaton(twice)
    matcher = Matcher(automaton)
    assert matcher.feed("a" * 301)
    assert matcher.is_member
    assert max(len(state.entries) for state in automaton._states.values()) < 10


def test_texts_with_many_readings_are_followed_once_in_any_depth() -> None:
    start = Reference("start")
    either = alt(seq(Literal("a"), start, Literal("a")), seq(Literal("a"), start), Literal("a"))
    automaton = Automaton(prepare(Grammar({"start": either})))
    matcher = Matcher(automaton)
    assert matcher.feed("a" * 270)  # so many that stacks were forgotten on the way
    assert matcher.is_member
    assert max(len(state.entries) for state in automaton._states.values()) < 5


def test_bounded_repetition_is_exact() -> None:
    grammar = Grammar({"start": seq(repeat(chars("ab"), 3, 2_500), opt(Literal("!")))})
    for length, member in ((2, False), (3, True), (2_500, True), (2_501, False)):
        matcher = Matcher(grammar)
        matcher.feed("ab" * (length // 2) + "a" * (length % 2))
        assert matcher.is_member == member


def test_lone_surrogates_never_match() -> None:
    matcher = Matcher(Grammar({"start": repeat(ANY_CHAR)}))
    assert not matcher.feed("a\ud800")
    assert not matcher.is_member


def test_a_text_that_left_stays_out() -> None:
    matcher = Matcher(Grammar({"start": repeat(Literal("a"))}))
    assert not matcher.feed("b")
    assert not matcher.feed("a")
    assert matcher.next_chars() == CharClass(())
