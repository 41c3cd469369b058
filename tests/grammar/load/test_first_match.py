"""What `re.match` takes of a text that is a match in full."""

from __future__ import annotations

import re

import pytest

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.load.first_match import first_matches
from tests.grammar.random_patterns import PatternSource


@pytest.mark.parametrize(
    ("pattern", "members", "others"),
    [
        ("a|ab", ["a"], ["ab"]),
        ("ab|a", ["a", "ab"], []),
        ("(?:a|ab)(?:c|bcd)", ["ac", "abc", "abcd"], ["ab", "bcd"]),
        ("a?(?:ab)?", ["", "a", "aab"], ["ab"]),
        ('".*?"', ['""', '"a"'], ['"a"b"']),
        ('"[^"]*"', ['""', '"a"'], ['"a"b"']),
        ("a*?", [""], ["a"]),
        ("a*?b", ["b", "aab"], ["a"]),
        ("a{1,3}?", ["a"], ["aa"]),
        ("(?:a??)*", [""], ["a"]),
        ("(?i:A)|b", ["a", "A", "b"], ["B"]),
    ],
)
def test_first_matches(pattern: str, members: list[str], others: list[str]) -> None:
    automaton = first_matches(pattern)
    assert [text for text in members if not automaton.accepts(text)] == []
    assert [text for text in others if automaton.accepts(text)] == []


def test_agrees_with_re() -> None:
    source = PatternSource(11)
    compared = 0
    while compared < 200:
        pattern, flags = source.draw()
        # Conditions are taken to hold.
        if flags or re.search(r"[$^]|\\[bBAZ]|\(\?[=!<]", pattern):
            continue
        automaton = first_matches(pattern)
        for text in source.texts(pattern, flags, 40):
            found = re.match(pattern, text)
            assert automaton.accepts(text) is (found is not None and found.end() == len(text)), (pattern, text)
        compared += 1


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [(r"(a)\1", "a back reference"), ("(", "missing )"), ("(?:a{200}){200}", "more than 10000 states")],
)
def test_refusals(pattern: str, reason: str) -> None:
    with pytest.raises(GrammarError) as error:
        first_matches(pattern)
    assert reason in str(error.value)
