"""What patterns ask of the text around their matches, against `re` in all small texts around."""

from __future__ import annotations

import re
from itertools import product

import pytest

from slashgrammar.grammar.regex import parse_regex
from slashgrammar.grammar.regex.lookaround import pattern_automaton
from slashgrammar.grammar.regex.surroundings import surroundings

WORDS = ["".join(word) for length in range(4) for word in product("ab ", repeat=length)]
AROUND = ["", "a", "b", " ", "aa", "ab", "ba", "bb", "a "]


def matches_inside(pattern: str, before: str, word: str, after: str) -> bool:
    """Whether the word can be a match where it stands; the texts around are too short for a longer look."""
    expression = re.compile(rf"(?s:(?<=\A{re.escape(before)}))(?:{pattern})(?=(?s:{re.escape(after)}\Z))")
    found = expression.match(before + word + after, len(before))
    return found is not None and found.end() == len(before) + len(word)


@pytest.mark.parametrize(
    "pattern",
    [
        "ab*",
        "a(?=b)",
        "a(?!b)",
        "(?<=a)b",
        "(?<!a)b",
        r"\bab?\b",
        r"\Ba",
        "^a",
        "b$",
        "a(?=b)b",
        "(?!ab)[ab]{2}",
        "[ab]*(?<!a)",
        "a(?!bb)|b(?<=ab)",
        "(?:a(?! ))*",
    ],
)
def test_surroundings(pattern: str) -> None:
    found = surroundings(parse_regex(pattern), {})
    verdicts = {
        word: {(before, after): matches_inside(pattern, before, word, after) for before in AROUND for after in AROUND}
        for word in WORDS
    }
    assert {word for word in WORDS if found.matches.accepts(word)} == {
        word for word in WORDS if any(verdicts[word].values())
    }
    assert found.before is any(
        len({verdicts[word][before, after] for before in AROUND}) > 1 for word in WORDS for after in AROUND
    )
    assert found.after is any(
        len({verdicts[word][before, after] for after in AROUND}) > 1 for word in WORDS for before in AROUND
    )
    full = pattern_automaton(parse_regex(pattern))
    assert {word for word in WORDS if full.accepts(word)} == {word for word in WORDS if verdicts[word]["", ""]}
