"""What facts about strings mean together, and which kinds of keys patterns make."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.grammar.automaton import ANYTHING
from slashgrammar.grammar.automaton.positions import AutomatonTooLarge
from slashgrammar.grammar.schema import conditions
from slashgrammar.grammar.schema.conditions import automaton_of_fact, automaton_of_facts
from slashgrammar.grammar.schema.facts import Matches
from slashgrammar.grammar.schema.kinds_of_keys import KIND_LIMIT, kinds_of_keys
from slashgrammar.grammar.schema.language import language_of
from slashgrammar.grammar.schema.strings import Strings

PATTERNS = ["^a", "b$", "ab", "^[ab]*$", "^(?:a|bb)+$", "^$", "^.{2}$", "[^a]", "^(?!ab)", "b(?=a)"]
TEXTS = ["", *"abc", *(a + b for a in "abc" for b in "abc"), "abab", "bba", "aab", "cab", "bbbb"]
LARGE = tuple(Matches("pattern", f"^(?:.{{{length}}})*$") for length in (101, 103))


def holds(fact: Matches, text: str) -> bool:
    return (re.search(fact.argument, text) is not None) is fact.positive


@given(st.lists(st.builds(Matches, st.just("pattern"), st.sampled_from(PATTERNS), st.booleans()), max_size=4))
def test_facts_together(facts: list[Matches]) -> None:
    together = automaton_of_facts(tuple(facts))
    assert [text for text in TEXTS if together.accepts(text)] == [
        text for text in TEXTS if all(holds(fact, text) for fact in facts)
    ]
    assert automaton_of_facts(tuple(reversed(facts))) == together


def test_no_facts_take_everything() -> None:
    assert automaton_of_facts(()) == ANYTHING


def test_what_some_facts_mean_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = (Matches("pattern", f"^{word}.*kept") for word in ("x", "[xy]", ".x?"))
    both = automaton_of_facts((first, second))
    asked = []

    def counted(fact: Matches) -> object:
        asked.append(fact)
        return automaton_of_fact(fact)

    monkeypatch.setattr(conditions, "automaton_of_fact", counted)
    assert automaton_of_facts((first, second)) is both
    automaton_of_facts((first, second, third))
    assert asked == [third]


def test_too_many_states_together_leave_the_first_fact() -> None:
    with pytest.raises(AutomatonTooLarge, match="more than 10000 states"):
        automaton_of_facts(LARGE)
    language = language_of(Strings(matches=LARGE))
    assert [remark.keyword for remark in language.remarks] == ["pattern"]
    assert language.remarks[0].reason.startswith("one of several is kept: the automaton has more than 10000 states")


@given(st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=4, unique=True))
def test_kinds_of_keys_are_those_that_there_are(patterns: list[str]) -> None:
    kinds = kinds_of_keys(tuple(patterns))
    assert kinds is not None
    for text in TEXTS:
        (kind,) = (kind for kind in kinds if all(holds(fact, text) for fact in kind.facts))
        assert kind.matched == {pattern for pattern in patterns if re.search(pattern, text)}
    assert not any(automaton_of_facts(kind.facts).is_empty for kind in kinds)


def test_too_many_kinds_are_not_told_apart() -> None:
    assert kinds_of_keys(tuple(f"letter {letter}" for letter in "abcdef")) is None
    assert len(kinds_of_keys(tuple(f"^{letter}" for letter in "abcdef")) or ()) == 7 < KIND_LIMIT
