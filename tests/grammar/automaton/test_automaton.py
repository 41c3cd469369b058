"""Automata: set operations against the sets themselves, minimal and equal by language, and back to IR."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.errors import GrammarError
from slashgrammar.grammar import ir
from slashgrammar.grammar.automaton import ANYTHING, NOTHING, Automaton
from slashgrammar.grammar.automaton.alphabet import overlay, partition
from slashgrammar.grammar.automaton.lengths import bound_length, text_lengths
from slashgrammar.grammar.automaton.positions import AutomatonTooLarge
from slashgrammar.grammar.automaton.rules import to_grammar, to_node
from slashgrammar.grammar.compact import either, join
from slashgrammar.grammar.regex import regex_to_ir
from tests.grammar.naive import accepts, accepts_grammar

WORDS = ["".join(word) for length in range(6) for word in itertools.product("abc", repeat=length)]


def automaton(pattern: str) -> Automaton:
    return Automaton.of(regex_to_ir(pattern))


def nodes(depth: int = 3) -> st.SearchStrategy[ir.Node]:
    """Regular nodes over a, b and c."""
    leaves: st.SearchStrategy[ir.Node] = st.sampled_from(
        [ir.Literal("a"), ir.Literal("ab"), ir.Literal(""), ir.chars("ab"), ir.chars("abc"), ir.NOTHING]
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(lambda items: ir.seq(*items)),
            st.lists(inner, min_size=1, max_size=3).map(lambda items: ir.alt(*items)),
            st.tuples(inner, st.integers(0, 2), st.sampled_from([0, 1, 2, None])).map(
                lambda parts: ir.repeat(parts[0], parts[1], None if parts[2] is None else parts[1] + parts[2])
            ),
        ),
        max_leaves=8,
    )


def language(node: ir.Node) -> set[str]:
    return {word for word in WORDS if accepts(node, word)}


def accepted(automaton: Automaton) -> set[str]:
    return {word for word in WORDS if automaton.accepts(word)}


@settings(max_examples=100, deadline=None)
@given(nodes(), nodes())
def test_operations_are_those_of_sets(left: ir.Node, right: ir.Node) -> None:
    a, b = Automaton.of(left), Automaton.of(right)
    one, other = language(left), language(right)
    assert accepted(a) == one
    assert accepted(a & b) == one & other
    assert accepted(a | b) == one | other
    assert accepted(a - b) == one - other
    assert accepted(~a) == set(WORDS) - one
    assert (a & ~b) == a - b
    assert ~(~a | ~b) == a & b
    assert (a - a).is_empty
    assert (a == b) is ((a - b).is_empty and (b - a).is_empty)


@settings(max_examples=100, deadline=None)
@given(nodes())
def test_back_to_ir(node: ir.Node) -> None:
    machine = Automaton.of(node)
    expected = language(node)
    try:
        written = to_node(machine)
    except GrammarError:
        assert len(machine.edges) > 8
    else:
        assert language(written) == expected
        assert Automaton.of(written) == machine
    grammar = to_grammar(machine, "word")
    assert grammar.start == "word"
    assert {word for word in WORDS if accepts_grammar(grammar, word)} == expected


@settings(max_examples=100, deadline=None)
@given(nodes(), st.integers(0, 4), st.one_of(st.none(), st.integers(0, 5)))
def test_bounded_lengths(node: ir.Node, low: int, high: int | None) -> None:
    expected = {word for word in language(node) if low <= len(word) and (high is None or len(word) <= high)}
    for source in (node, Automaton.of(node)):
        grammar = bound_length(source, low, high, "word")
        assert {word for word in WORDS if accepts_grammar(grammar, word)} == expected


ABC = ir.Literal("abc")


@pytest.mark.parametrize(
    ("node", "low", "high", "words"),
    [
        (ir.opt(ABC), 0, 2, [""]),
        (ir.opt(ABC), 1, 2, []),
        (ir.opt(ABC), 1, None, ["abc"]),
        (ir.opt(ir.alt(ABC, ir.Literal("b"))), 0, 1, ["", "b"]),
        (ir.repeat(ir.alt(ir.Literal("ab"), ir.Literal("c"))), 3, 3, ["abc", "cab", "ccc"]),
        (ir.repeat(ir.Literal("ab"), 1, 2), 3, None, ["abab"]),
        (ir.repeat(ir.Literal("ab"), 0, 3), 1, 3, ["ab"]),
        (ir.repeat(ir.Literal("ab"), 2), 0, 3, []),
        (ir.seq(ir.Literal("a"), ir.repeat(ir.Literal("b"))), 2, 3, ["ab", "abb"]),
        (ir.seq(ir.opt(ir.Literal("a")), ir.opt(ir.Literal("b"))), 1, 1, ["a", "b"]),
        (ir.NOTHING, 0, None, []),
        (ir.Literal("ab"), 3, 2, []),
    ],
)
def test_words_of_bounded_length(node: ir.Node, low: int, high: int | None, words: list[str]) -> None:
    grammar = bound_length(node, low, high, "word")
    assert sorted(word for word in WORDS if accepts_grammar(grammar, word)) == words


def test_a_reference_has_no_length_of_its_own() -> None:
    with pytest.raises(ValueError, match="a reference, here to other"):
        text_lengths(ir.seq(ABC, ir.Reference("other")))


def number_of_words(machine: Automaton, state: int) -> int:
    ways = [(chars, to) for chars, to in zip(machine.classes, machine.edges[state], strict=True) if to >= 0]
    return machine.accepting[state] + sum(len(chars) * number_of_words(machine, to) for chars, to in ways)


@settings(max_examples=100, deadline=None)
@given(nodes())
def test_lengths_and_words(node: ir.Node) -> None:
    machine = Automaton.of(node)
    low, high = text_lengths(node)
    if machine.is_empty:
        assert machine.shortest[0] == -1
        return
    assert low <= machine.shortest[0]
    assert high is None or (machine.longest[0] is not None and machine.longest[0] <= high)
    words = machine.words(400)
    if words is None:
        assert machine.longest[0] is None or number_of_words(machine, 0) > 400
    else:
        assert set(words) >= language(node)
        assert all(machine.accepts(word) for word in words)
        assert len(words) == len(set(words)) <= 400
        assert {len(word) for word in words} >= {machine.shortest[0], machine.longest[0]}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(a|b)*", "(a*b*)*"),
        ("a(ba)*", "(ab)*a"),
        ("a?a?a?", "a{0,3}"),
        ("[a-m]|[k-z]", "[a-z]"),
        ("(?s:.)*", "[^a]*(a[^a]*)*"),
    ],
)
def test_equal_languages_have_equal_automata(left: str, right: str) -> None:
    assert automaton(left) == automaton(right)


def test_minimal_sizes() -> None:
    assert len(automaton("(a|b)*a(a|b){5}").edges) == 64
    assert len(automaton("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").edges) == 37
    assert len(automaton(r"\w+").classes) == 1
    assert (NOTHING.is_empty, ANYTHING.is_empty) == (True, False)


@pytest.mark.parametrize(
    ("pattern", "low", "high", "rule"),
    [
        ("[a-z]+", 1, 10_000, ir.repeat(ir.CharClass(((97, 122),)), 1, 10_000)),
        ("a[a-z]*", 0, 10_000, ir.seq(ir.Literal("a"), ir.repeat(ir.CharClass(((97, 122),)), 0, 9_999))),
        ("(?s:.*)\\.py", 0, 10_000, ir.seq(ir.repeat(ir.ANY_CHAR, 0, 9_997), ir.Literal(".py"))),
        ("(ab)+", 3, 9, ir.repeat(ir.Literal("ab"), 2, 4)),
        ("a+|b{7}", 2, 5, ir.repeat(ir.Literal("a"), 2, 5)),
        ("a+", 3, 2, ir.NOTHING),
        ("abc", 4, None, ir.NOTHING),
    ],
)
def test_a_bound_becomes_that_of_a_repetition(pattern: str, low: int, high: int | None, rule: ir.Node) -> None:
    assert bound_length(regex_to_ir(pattern), low, high, "text").rules == {"text": rule}


def test_a_large_bound_behind_exceptions_stays_small() -> None:
    names = automaton("[a-z]+") - automaton("admin|root")
    grammar = bound_length(names, 2, 10_000, "name")
    assert sum(1 for rule in grammar.rules.values() for _ in ir.walk(rule)) < 100
    for word, member in (
        ("admin", False),
        ("admins", True),
        ("a", False),
        ("ab", True),
        ("roo", True),
        ("root", False),
    ):
        assert accepts_grammar(grammar, word) is member
    assert accepts_grammar(grammar, "x" * 10_000)
    assert not accepts_grammar(grammar, "x" * 10_001)


def test_runs_become_repetitions() -> None:
    assert to_grammar(automaton("[a-z]{1,255}"), "x").rules == {"x": ir.repeat(ir.CharClass(((97, 122),)), 1, 255)}
    assert to_grammar(automaton("(ab)*"), "x").rules == {"x": ir.repeat(ir.Literal("ab"))}
    assert to_node(automaton("a+b?")) == ir.seq(ir.repeat(ir.Literal("a"), 1), ir.opt(ir.Literal("b")))


def test_neighbouring_repetitions_are_joined() -> None:
    a, letters = ir.Literal("a"), ir.chars("abc")
    assert join([a, ir.repeat(a)]) == ir.repeat(a, 1)
    assert join([ir.repeat(a, 1, 2), ir.repeat(a, 3, 4)]) == ir.repeat(a, 4, 6)
    assert join([ir.repeat(letters, 1), ir.repeat(a, 0, 5)]) == ir.repeat(letters, 1)
    assert join([ir.opt(a), ir.repeat(letters)]) == ir.repeat(letters)
    assert join([ir.repeat(a, 1), ir.repeat(letters)]) == ir.Sequence((ir.repeat(a, 1), ir.repeat(letters)))
    assert either([ir.repeat(a, 1), ir.EMPTY]) == ir.repeat(a)


def test_names_of_further_rules() -> None:
    grammar = to_grammar(automaton("(a|b)*a(a|b){2}"), "word")
    assert list(grammar.rules) == ["word", *(f"word_{number}" for number in range(1, len(grammar.rules)))]


def test_alphabets() -> None:
    parts = partition([ir.chars("abc"), ir.chars("cd"), ir.NOTHING])
    assert parts == [(ir.chars("ab"), 1), (ir.chars("c"), 3), (ir.chars("d"), 2)]
    assert overlay([ir.chars("ab")], [ir.chars("x"), ir.chars("b")]) == [
        (ir.chars("a"), 0, -1),
        (ir.chars("b"), 0, 1),
        (ir.chars("x"), -1, 0),
    ]


@pytest.mark.parametrize(
    "pattern",
    ["a{20000}", "(a{200}){200}", "((a{0,100}){0,100}){0,100}", "(a|b)*a(a|b){20}", "(a*){5000}b"],
)
def test_size_has_a_limit(pattern: str) -> None:
    with pytest.raises(AutomatonTooLarge, match=r"the automaton has more than \d+ states"):
        automaton(pattern)


def test_bounds_have_a_limit() -> None:
    with pytest.raises(AutomatonTooLarge, match="more than 2000 states"):
        bound_length(regex_to_ir("[a-z]+@[a-z]+"), 0, 5_000, "text")


def test_nothing_repeated_costs_nothing() -> None:
    assert Automaton.of(ir.Repeat(ir.Choice((ir.EMPTY,)), 0, 10**9)).words(1) == [""]
    assert Automaton.of(ir.Repeat(ir.Choice((ir.NOTHING,)), 1, 10**9)).is_empty


def test_rules() -> None:
    rules = {"ab": ir.seq(ir.Reference("a"), ir.Literal("b")), "a": ir.Literal("a")}
    assert Automaton.of(ir.repeat(ir.Reference("ab")), rules) == automaton("(ab)*")
    with pytest.raises(GrammarError, match="rule loop: it refers to itself"):
        Automaton.of(ir.Reference("loop"), {"loop": ir.seq(ir.Literal("a"), ir.Reference("loop"))})
    with pytest.raises(GrammarError, match="rule none: there is no such rule"):
        Automaton.of(ir.Reference("none"))


def test_keywords_are_subtracted_exactly() -> None:
    keywords = ["if", "in", "int", "else", "é"]
    names = automaton(r"[^\W\d]\w*") - automaton("|".join(keywords))
    grammar = to_grammar(names, "NAME")
    for word in [*keywords, "i", "iff", "ints", "els", "elsewhere", "x1", "éa", "1x", ""]:
        member = re.fullmatch(r"[^\W\d]\w*", word) is not None and word not in keywords
        assert (accepts_grammar(grammar, word), names.accepts(word)) == (member, member), word
