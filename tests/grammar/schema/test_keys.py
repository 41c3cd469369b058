"""Keys that are none of some names: no name slips in, and nothing else is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.keys import write_key
from slashgrammar.grammar.schema.keys import keys_but, words_but

ASCII = [chr(code) for code in range(128)]
NAMES = st.frozensets(
    st.text(alphabet="ab-9é", max_size=4) | st.sampled_from(["path", "paths", "pa", "x" * 40, "[", 'q"\\', "\n"]),
    max_size=4,
)


def near(names: frozenset[str]) -> Iterator[str]:
    """The names, what begins like them, and some with another end."""
    yield from ("", "a", "_", "é", "😀", "\x1f")
    for name in names:
        yield from (name[:size] for size in range(len(name) + 1))
        yield from (name + "x", name[:-1] + "y", name[:1] + "." + name[1:], "z" + name)


@given(NAMES)
def test_all_keys_but_the_names_are_keys(names: frozenset[str]) -> None:
    text = keys_but(names)
    automaton = Automaton.of(text.node, text.rules)
    for key in near(names):
        assert automaton.accepts(json.dumps(key, ensure_ascii=False)) == (key not in names), key


@given(NAMES)
def test_all_words_but_the_names_are_words(names: frozenset[str]) -> None:
    text = words_but(names)
    automaton = Automaton.of(text.node, text.rules)
    for key in near(names):
        assert automaton.accepts(key) == (key not in names and write_key(key) == key), key


@pytest.mark.parametrize("names", [frozenset(), frozenset({"a"}), frozenset({"ab", "a-"})])
def test_every_character_of_ascii_begins_and_goes_on_with_what_it_may(names: frozenset[str]) -> None:
    keys, words = (Automaton.of(text.node, text.rules) for text in (keys_but(names), words_but(names)))
    for key in [*ASCII, *("a" + char for char in ASCII)]:
        assert keys.accepts(json.dumps(key, ensure_ascii=False)) == (key not in names), key
        assert words.accepts(key) == (key not in names and write_key(key) == key), key


@pytest.mark.parametrize("spelling", ['"\\u0061"', '"\\u0062"', '"\\/"', '"\\u000a"', '"\\u0020"', '"\n"', '"', '"""'])
def test_a_key_has_one_spelling(spelling: str) -> None:
    text = keys_but(frozenset({"a"}))
    assert not Automaton.of(text.node, text.rules).accepts(spelling)
