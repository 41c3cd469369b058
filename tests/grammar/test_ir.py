"""Classes of characters are sets; what builds nodes keeps their language, and says nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.grammar import ir
from slashgrammar.grammar.compact import either, join
from slashgrammar.grammar.ir import CharClass, Choice, Literal, Node, Reference, Repeat, Sequence
from tests.grammar.naive import accepts

LOW, HIGH = ir.SURROGATES
EDGES = [0, 1, LOW - 2, LOW - 1, LOW, LOW + 5, HIGH, HIGH + 1, HIGH + 2, ir.MAX_CODE_POINT - 1, ir.MAX_CODE_POINT]
CODES = st.integers(95, 105) | st.sampled_from(EDGES)
RANGES = st.lists(st.tuples(CODES, CODES), max_size=5)
AROUND = [*range(93, 108), *EDGES, LOW + 6]


def members(ranges: list[tuple[int, int]]) -> set[int]:
    found = {code for code in AROUND if any(low <= code <= high for low, high in ranges)}
    return {code for code in found if not LOW <= code <= HIGH}


def found(chars: CharClass) -> set[int]:
    return {code for code in AROUND if chr(code) in chars}


@given(RANGES, RANGES)
def test_classes_are_sets_of_characters(left: list[tuple[int, int]], right: list[tuple[int, int]]) -> None:
    one, other = ir.char_class(left), ir.char_class(right)
    characters = {code for code in AROUND if not LOW <= code <= HIGH}
    assert found(one) == members(left)
    assert found(one | other) == members(left) | members(right)
    assert found(one & other) == members(left) & members(right)
    assert found(one - other) == members(left) - members(right)
    assert found(~one) == characters - members(left)
    for chars in (one, one | other, one & other, one - other, ~one):
        assert all(low <= high for low, high in chars.ranges)
        assert all(before[1] + 1 < after[0] for before, after in zip(chars.ranges, chars.ranges[1:], strict=False))
        assert chars == ir.char_class(chars.ranges)
        assert bool(chars) == (len(chars) > 0)


@pytest.mark.parametrize("text", ["", "a", "azé", "\x00\U0010ffff", "ba", "aa"])
def test_members_of_a_class(text: str) -> None:
    assert list(ir.chars(text)) == sorted(set(text))
    assert len(ir.chars(text)) == len(set(text))
    assert ir.character(ir.chars(text)) == (Literal(text[0]) if len(set(text)) == 1 else ir.chars(text))
    assert not any(other in ir.chars(text) for other in ("ab", "", 97, None))


LEAVES: st.SearchStrategy[Node] = st.text("abc", max_size=2).map(Literal) | st.text("abc", max_size=3).map(ir.chars)
BOUNDS = st.tuples(st.integers(0, 2), st.none() | st.integers(0, 2))
WORDS = ["".join(word) for size in range(5) for word in product("abc", repeat=size)]


def built(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    items = st.lists(inner, min_size=1, max_size=3)
    repeats = st.builds(lambda item, b: ir.repeat(item, b[0], None if b[1] is None else b[0] + b[1]), inner, BOUNDS)
    return repeats | items.map(lambda nodes: ir.seq(*nodes)) | items.map(lambda nodes: ir.alt(*nodes))


NODES = st.recursive(LEAVES, built, max_leaves=5)


def language(node: Node) -> list[str]:
    return [word for word in WORDS if accepts(node, word)]


@given(st.lists(NODES, max_size=4))
def test_sequences_and_choices_keep_their_language(nodes: list[Node]) -> None:
    sequence, choice = language(Sequence(tuple(nodes))), language(Choice(tuple(nodes)))
    assert language(ir.seq(*nodes)) == language(join(nodes)) == sequence
    assert language(ir.alt(*nodes)) == language(either(nodes)) == choice


@given(NODES, BOUNDS)
def test_repetitions_keep_their_language(node: Node, bounds: tuple[int, int | None]) -> None:
    least, most = bounds[0], None if bounds[1] is None else bounds[0] + bounds[1]
    assert language(ir.repeat(node, least, most)) == language(Repeat(node, least, most))
    assert language(ir.opt(node)) == [word for word in WORDS if not word or accepts(node, word)]


A, B, R = Literal("a"), Literal("b"), Reference("r")


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (ir.seq(), ir.EMPTY),
        (ir.seq(R), R),
        (ir.seq(A, ir.EMPTY, B, ir.seq(A, R), B, A), Sequence((Literal("aba"), R, Literal("ba")))),
        (ir.seq(A, ir.NOTHING, R), ir.NOTHING),
        (ir.alt(), ir.NOTHING),
        (ir.alt(R), R),
        (ir.alt(R, A, ir.alt(ir.EMPTY, B), R, ir.EMPTY), Choice((R, ir.chars("ab"), ir.EMPTY))),
        (ir.alt(A, A), A),
        (ir.repeat(A, 1, 1), A),
        (ir.repeat(A, 0, 0), ir.EMPTY),
        (ir.repeat(ir.EMPTY, 2, 5), ir.EMPTY),
        (ir.repeat(ir.NOTHING, 0, 5), ir.EMPTY),
        (ir.repeat(ir.NOTHING, 1, 5), ir.NOTHING),
        (ir.repeat(R, 1, 2), Repeat(R, 1, 2)),
        (join([A, ir.repeat(A)]), Repeat(A, 1, None)),
        (join([A, ir.opt(A), ir.repeat(R, 2, 3), ir.repeat(R, 1, 4)]), Sequence((Repeat(A, 1, 2), Repeat(R, 3, 7)))),
        (join([ir.repeat(ir.ANY_CHAR), ir.repeat(ir.chars("ab")), ir.opt(A)]), Repeat(ir.ANY_CHAR, 0, None)),
        (join([ir.opt(A), ir.repeat(ir.chars("ab"), 2)]), Repeat(ir.chars("ab"), 2, None)),
        (either([R, ir.EMPTY]), Repeat(R, 0, 1)),
        (either([ir.repeat(R, 1), ir.EMPTY]), Repeat(R, 0, None)),
        (either([ir.repeat(R, 2, 3), ir.EMPTY]), Repeat(Repeat(R, 2, 3), 0, 1)),
    ],
)  # fmt: skip
def test_what_is_built_says_nothing_twice(node: Node, expected: Node) -> None:
    assert node == expected


@pytest.mark.parametrize(("least", "most"), [(-1, None), (-1, 1), (2, 1), (1, 0)])
def test_bounds_that_contradict_each_other(least: int, most: int | None) -> None:
    with pytest.raises(ValueError, match=rf"repetition bounds {least}\.\.{most} contradict each other"):
        ir.repeat(A, least, most)


@pytest.mark.parametrize("kind", [Sequence, Choice, lambda items: Repeat(items[0], 0, 1)])
def test_nodes_are_equal_by_what_they_hold(kind: Callable[[Any], Node]) -> None:
    assert kind((A, B)) == kind((A, B))
    assert hash(kind((A, B))) == hash(kind((A, B)))
    assert kind((A, B)) != kind((R, B))
    assert len({kind((A, B)), kind((A, B)), kind((B, A))}) == 2


def test_all_nodes_below_one_parents_first() -> None:
    inner = Choice((R, Repeat(R, 0, None)))
    node = Sequence((A, inner, Reference("s")))
    assert list(ir.walk(node)) == [node, A, inner, R, inner.items[1], R, Reference("s")]
    assert list(ir.references(node)) == ["r", "r", "s"]
