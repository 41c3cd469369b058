"""Bounds on the length of a text, in code points, in regular languages.

Most languages with a bound have one part that may grow, such as `[a-z]+` in `id-[a-z]+`; there the bound becomes that
of a repetition, however large it is. Other languages need a state for each length that is reached in each state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.minimise import DEAD
from slashgrammar.grammar.automaton.positions import AutomatonTooLarge
from slashgrammar.grammar.automaton.rules import END, START, Graph, graph_to_grammar, steps
from slashgrammar.grammar.compact import either, join
from slashgrammar.grammar.ir import (
    EMPTY,
    NOTHING,
    Choice,
    Grammar,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    repeat,
)

MAX_BOUNDED_STATES: Final = 2_000


def bound_length(language: Node | Automaton, low: int, high: int | None, name: str) -> Grammar:
    """The texts of a language that are at least `low` and at most `high` code points long; None: no upper bound.

    Args:
        language: a regular node without references, or an automaton.
        name: the name of the start rule of the result.

    Raises:
        AutomatonTooLarge: the bound needs more than 2,000 states.
    """
    if high is not None and low > high:
        return Grammar({name: NOTHING}, name)
    if not isinstance(language, Automaton):
        node = _bound(language, low, high)
        if node is not None:
            return Grammar({name: node}, name)
        language = Automaton.of(language)
    return graph_to_grammar(_bounded_graph(language, low, high), name)


def text_lengths(node: Node) -> tuple[int, int | None]:
    """The lengths of the shortest and of the longest text of a regular node without references; None: no bound.

    Where some part of the node matches nothing, the true bounds may be narrower.
    """
    match node:
        case Literal(text):
            return len(text), len(text)
        case Sequence(items):
            bounds = [text_lengths(item) for item in items]
            return sum(low for low, _ in bounds), _unless_open(sum, [high for _, high in bounds])
        case Choice(items):
            bounds = [text_lengths(item) for item in items]
            return min(low for low, _ in bounds), _unless_open(max, [high for _, high in bounds])
        case Repeat(item, least, most):
            low, high = text_lengths(item)
            if high == 0:
                return 0, 0
            return low * least, None if high is None or most is None else high * most
        case Reference(name):
            raise ValueError(f"a node with a reference, here to {name}, has no bounds of its own")
    return 1, 1


def _unless_open(combine: Callable[[list[int]], int], highs: list[int | None]) -> int | None:
    known = [high for high in highs if high is not None]
    return combine(known) if len(known) == len(highs) else None


def _bound(node: Node, low: int, high: int | None) -> Node | None:
    """The node with its lengths bounded, or None where a repetition bound cannot say it."""
    shortest, longest = text_lengths(node)
    if (longest is not None and longest < low) or (high is not None and shortest > high):
        return NOTHING
    if shortest >= low and (high is None or (longest is not None and longest <= high)):
        return node
    match node:
        case Choice(items):
            return _either([_bound(item, low, high) for item in items])
        case Sequence(items):
            return _bound_sequence(items, low, high)
        case Repeat(item, 0, 1):
            return _either([_bound(item, low, high), EMPTY if low <= 0 else NOTHING])
        case Repeat(item, least, most):
            size, largest = text_lengths(item)
            if size != largest:
                return None
            least = max(least, -(-low // size))
            if high is not None:
                most = high // size if most is None else min(most, high // size)
            return repeat(item, least, most) if most is None or least <= most else NOTHING
    return None


def _either(ways: list[Node | None]) -> Node | None:
    known = [way for way in ways if way is not None]
    return either(known) if len(known) == len(ways) else None


def _bound_sequence(items: tuple[Node, ...], low: int, high: int | None) -> Node | None:
    """The bounds of a sequence in which one item only may be of several lengths."""
    sizes = [text_lengths(item) for item in items]
    open_items = [index for index, (least, most) in enumerate(sizes) if least != most]
    fixed = sum(least for least, most in sizes if least == most)
    if len(open_items) != 1:
        return None
    (index,) = open_items
    inner = _bound(items[index], low - fixed, None if high is None else high - fixed)
    return None if inner is None else join((*items[:index], inner, *items[index + 1 :]))


def _bounded_graph(automaton: Automaton, low: int, high: int | None) -> Graph:
    """The automaton with a copy of each state for each length at which it is met, as far as that matters there."""
    numbers: dict[tuple[int, int | None], int] = {}
    waiting: list[tuple[int, int | None]] = []

    def number(state: int, length: int | None) -> int | None:
        """The copy of a state after a text of some length; None where no text of a right length goes on there."""
        if length is not None:
            least, most = automaton.shortest[state], automaton.longest[state]
            if least < 0 or (high is not None and length + least > high):
                return None
            if most is not None and length + most < low:
                return None
            if length + least >= low and (high is None or (most is not None and length + most <= high)):
                length = None
        if (state, length) not in numbers:
            if len(numbers) == MAX_BOUNDED_STATES:
                raise AutomatonTooLarge(MAX_BOUNDED_STATES)
            numbers[state, length] = len(numbers)
            waiting.append((state, length))
        return numbers[state, length]

    labels = steps(automaton)
    graph: Graph = {}
    if number(START, 0) is None:
        return {START: {END: NOTHING}}
    for state, length in waiting:
        edges = graph[numbers[state, length]] = {}
        loop = _loop(automaton, state)
        if loop is not None and length is not None:
            edges[END] = repeat(loop, max(low - length, 0), None if high is None else high - length)
            continue
        following = None if length is None else length + 1
        for target, label in labels[state].items():
            after = number(target, following)
            if after is not None:
                edges[after] = label
        if automaton.accepting[state] and (length is None or length >= low):
            edges[END] = EMPTY
    return graph


def _loop(automaton: Automaton, state: int) -> Node | None:
    """The characters that an accepting state reads, where all of them lead back to it; else None."""
    if not automaton.accepting[state] or set(automaton.edges[state]) - {state, DEAD}:
        return None
    ways = zip(automaton.classes, automaton.edges[state], strict=True)
    return alt(*(chars for chars, target in ways if target == state))
