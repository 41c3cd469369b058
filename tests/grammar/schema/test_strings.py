from __future__ import annotations

import random
import re
from itertools import product
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.ir import Reference
from slashgrammar.grammar.schema.facts import Count, Fact, Matches, OneOf
from slashgrammar.grammar.schema.formats import UNSPOKEN, format_of
from slashgrammar.grammar.schema.language import automaton_of, language_of
from slashgrammar.grammar.schema.strings import Strings
from tests.grammar.schema.helpers import calls, compiled, remarks, taken, texts_of

FORMATS = {
    "date": ["2020-02-29", "2021-02-29", "2000-02-29", "1900-02-29", "2021-04-31", "2021-12-31", "2021-1-1"],
    "time": ["12:00:00Z", "12:00:00", "24:00:00Z", "23:59:60Z", "22:59:60-01:00", "05:29:60+05:30", "12:59:60Z"],
    "date-time": ["2020-02-29t12:00:00.5z", "2020-02-29 12:00:00Z", "1998-12-31T15:59:60.123-08:00"],
    "duration": ["P1D", "P1Y2D", "PT1H", "PT1H1S", "P1W", "P1W2D", "P", "PT", "P1YT1S", "P1D2Y"],
    "email": ["a@b", "a.b@c.d", ".a@b", "a..b@c", '"a b"@c', '"a\\ b"@c', "a@[127.0.0.1]", "a@[IPv6:::1]", "a@b_c"],
    "hostname": ["a", "a.b", "-a", "a-", "a--b", "ab--c", "xn--bcher-kva", "a_b", "x" * 63, "x" * 64, "a.", "ab-.c"],
    "ipv4": ["1.2.3.4", "255.255.255.255", "256.1.1.1", "01.2.3.4", "1.2.3"],
    "ipv6": ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4::5:6:7:8", "::1.2.3.4", "1:2:3:4:5:6::1.2.3.4", "12345::"],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"],
    "uri": [
        "http://a/b?c#d",
        "a:",
        "//a",
        "http://[::1]/",
        "http://[::1",
        "http://a b",
        "http://a/%4",
        "urn:x:y",
        "é:a",
    ],
    "uri-reference": ["", "a", "/a", "//a", "1:b", "./1:b", "#a", "a b", "?a[b]"],
    "json-pointer": ["", "/", "/a~0b", "/a~2", "a"],
    "relative-json-pointer": ["0", "1/a", "0#", "01", "1#/a"],
}


def validator(schema: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)


@pytest.mark.parametrize("name", FORMATS)
def test_formats_are_those_of_the_standards(name: str) -> None:
    known, judge = format_of(name), validator({"format": name})
    assert known is not None
    automaton = Automaton.of(known.node)
    for text in FORMATS[name]:
        assert automaton.accepts(text) == judge.is_valid(text), text


@pytest.mark.parametrize("name", FORMATS)
def test_random_texts_of_formats_are_decided_as_validation_does(name: str) -> None:
    known, judge, rng = format_of(name), validator({"format": name}), random.Random(name)
    assert known is not None
    automaton = Automaton.of(known.node)
    for _ in range(300):
        text = walked(automaton, rng)
        assert judge.is_valid(text) or known.wider, text
        changed = mutated(text, rng)
        assert automaton.accepts(changed) or not judge.is_valid(changed), changed


def walked(automaton: Automaton, rng: random.Random) -> str:
    """A random way through an automaton, that goes straight for the end after a while."""
    state, text = 0, ""
    while not (automaton.accepting[state] and rng.random() < 0.2):
        ways = [way for way in zip(automaton.classes, automaton.edges[state], strict=True) if way[1] >= 0]
        if len(text) > 40:
            ways = [way for way in ways if automaton.shortest[way[1]] < automaton.shortest[state]]
        if not ways:
            break
        chars, state = rng.choice(ways)
        low, high = rng.choice(chars.ranges)
        text += chr(rng.randint(low, min(high, low + 100)))
    return text


def mutated(text: str, rng: random.Random) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice([*"0:-.T@/aZ+%é", ""]) + text[place + rng.randrange(2) :]


@pytest.mark.parametrize("name", sorted(UNSPOKEN))
def test_other_formats_are_reported(name: str) -> None:
    assert remarks({"type": "string", "format": name}) == ["format"]


def test_formats_that_nobody_checks_leave_a_string_free() -> None:
    (shape,) = compiled({"type": "string", "format": "markdown"}).shapes
    assert shape[0].arguments[0].value.block == Reference("block")
    assert remarks({"type": "string", "format": "markdown"}) == []


@pytest.mark.parametrize(
    ("schema", "texts"),
    [
        ({"minLength": 2, "maxLength": 3}, ["a", "ab", "abc", "abcd", "\U0001f600é", "\U0001f600"]),
        ({"pattern": "^[a-z]+$", "maxLength": 2}, ["a", "ab", "abc", "A", ""]),
        ({"pattern": "b"}, ["abc", "b", "ac", ""]),
        ({"pattern": "^\\d{2}\\s\\w\\b"}, ["12 a", "12 ab", "1 a", "12\u00a0b"]),
        ({"pattern": "^(?!admin)[a-z]+$"}, ["user", "admin", "administrator", "adm"]),
        ({"pattern": "^(?=.*\\d)[a-z\\d]{2,3}$"}, ["a1", "ab", "1", "ab1", "abc1"]),
        ({"not": {"pattern": "^x"}}, ["x", "ax", "", "xy"]),
        ({"not": {"enum": ["a", "ab", "é"]}}, ["a", "ab", "abc", "", "b", "é"]),
        ({"format": "date", "pattern": "^2"}, ["2024-02-29", "1999-01-01", "2023-02-29"]),
        (
            {"format": "uuid", "not": {"pattern": "^0"}},
            ["0" * 8 + "-0000-0000-0000-" + "0" * 12, "1" * 8 + "-1111" * 3 + "-" + "1" * 12],
        ),
        ({"allOf": [{"pattern": "^a"}, {"pattern": "z$"}, {"maxLength": 4}]}, ["az", "abz", "abcdz", "a", "z"]),
        ({"enum": ["a", "b", "bb"], "pattern": "^b", "maxLength": 1}, ["a", "b", "bb"]),
        ({"enum": ["2024-02-30", "2024-02-29"], "format": "date"}, ["2024-02-29", "2024-02-30"]),
        ({"enum": ['q"\\', "\n\t", "é", "\x7f"]}, ['q"\\', "\n\t", "é", "\x7f", "e"]),
    ],
)
def test_constraints_are_kept_together(schema: dict[str, Any], texts: list[str]) -> None:
    judge = validator(schema)
    assert taken({"type": "string", **schema}, texts) == [text for text in texts if judge.is_valid(text)]
    assert remarks({"type": "string", **schema}) == []


@pytest.mark.parametrize("text", ['"a"', '"\\u0061"', '"\\ud83d\\ude00"', '"😀"', '"\\n"', '"\\u00e9"'])
def test_a_character_counts_one_however_it_is_written(text: str) -> None:
    known = calls({"type": "string", "minLength": 1, "maxLength": 1})
    assert known.take_text(f"/t\nv={text}")
    assert not known.take_text(f"/t\nv={text[:-1]}{text[1:]}")


def test_lone_surrogates_are_no_characters() -> None:
    known = calls({"type": "string", "maxLength": 5})
    assert not known.take_text('/t\nv="\\ud83d"')
    assert not known.take_text('/t\nv="\\ude00\\ud83d"')


def test_bounds_hold_up_to_ten_thousand_and_are_reported_above() -> None:
    assert taken({"type": "string", "maxLength": 10_000}, ["a" * 10_000, "a" * 10_001]) == ["a" * 10_000]
    assert remarks({"type": "string", "maxLength": 10_000}) == []
    assert remarks({"type": "string", "maxLength": 10_001}) == ["maxLength"]
    assert remarks({"type": "string", "minLength": 10_000, "maxLength": 10_001}) == ["maxLength"]


@pytest.mark.parametrize(
    ("schema", "text", "right"),
    [
        ({"minLength": 1}, "a\nb", True),
        ({"minLength": 2}, "\n", False),
        ({"maxLength": 300}, "x\n" * 150, True),
        ({"maxLength": 300}, "x\n" * 151, False),
        ({"pattern": "^a"}, "a\n```\nb", True),
        ({"pattern": "^a"}, "b\na", False),
        ({"pattern": "^a", "maxLength": 20}, "a\nb", True),
        ({"pattern": "^a", "maxLength": 20}, "b\na", False),
        ({"pattern": "^a", "maxLength": 20}, "a\n" * 11, False),
        ({"enum": ["a\nb", "c"]}, "a\nb", True),
        ({"enum": ["a\nb", "c"]}, "c\nb", False),
    ],
)
def test_texts_of_several_lines_are_blocks_that_obey(schema: dict[str, Any], text: str, right: bool) -> None:
    known = calls({"type": "string", **schema})
    assert "```" in known.text({"v": text})
    assert known.take({"v": text}) is right


def test_where_no_line_break_is_possible_there_is_no_block() -> None:
    (shape,) = compiled({"type": "string", "pattern": "^[a-z]*$"}).shapes
    assert shape[0].arguments[0].value.block is None


def test_what_is_too_large_is_widened_and_reported() -> None:
    assert remarks({"type": "string", "pattern": "^(a|bb|ccc)*$", "minLength": 100, "maxLength": 9000}) == ["maxLength"]
    assert remarks({"type": "string", "not": {"pattern": "a.{40}b"}}) == ["pattern"]
    assert remarks({"type": "string", "pattern": "(a)\\1"}) == ["pattern"]


TEXTS = ["".join(chars) for size in range(5) for chars in product("ab1", repeat=size)] + ["aaaaa", "ababab"]
FACTS = st.lists(
    st.one_of(
        st.builds(Count, st.integers(0, 3), st.none() | st.integers(1, 5)),
        st.builds(
            Matches,
            st.just("pattern"),
            st.sampled_from(["^a", "b$", "^[ab]*$", "\\d", "^(ab|1)+$", "a.b", "^(?!a)", "(?<=a)1", "^$", "^.{2,3}$"]),
            st.booleans(),
        ),
        st.builds(
            lambda texts, positive: OneOf(tuple(texts), frozenset(texts), positive),
            st.lists(st.sampled_from(["", "a", "ab", "a1b", "bbbb"]), max_size=3),
            st.booleans(),
        ),
    ),
    max_size=4,
)


def holds(fact: Fact, text: str) -> bool:
    """Whether a fact is true of a text."""
    match fact:
        case Count(least, most):
            return least <= len(text) and (most is None or len(text) <= most)
        case Matches(_, pattern, positive):
            return (re.search(pattern, text) is not None) is positive
        case OneOf(values, _, positive):
            return (text in values) is positive
    raise TypeError(fact)


@given(FACTS)
def test_sets_of_strings_are_those_for_which_all_facts_hold(facts: list[Fact]) -> None:
    strings = Strings.of(facts)
    members = [text for text in TEXTS if all(holds(fact, text) for fact in facts)]
    if strings is None:
        assert members == []
    elif strings.values is not None:
        assert sorted(strings.values) == sorted(members)
    else:
        assert [text for text in TEXTS if strings.accepts(text)] == members
        language, small = language_of(strings), automaton_of(strings, 40)
        assert language.remarks == ()
        assert texts_of(language.grammar, TEXTS) == members
        assert small is not None
        assert [text for text in TEXTS if small.accepts(text)] == members


def test_languages_have_small_grammars() -> None:
    assert len(language_of(Strings(most=10_000)).grammar.rules) == 1
