"""Regular languages as minimal deterministic automata: for what IR nodes cannot say, intersection and difference.

    words = Automaton.of(regex_to_ir("[a-z]+")) - Automaton.of(regex_to_ir("if|else"))
    grammar = to_grammar(words, "name")      # in `automaton.rules`

Edges carry character classes and not characters, so that all of Unicode costs as little as a letter.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add
from typing import TypeVar

from slashgrammar.grammar.automaton.alphabet import overlay, partition, readable_member
from slashgrammar.grammar.automaton.minimise import DEAD, merge_states
from slashgrammar.grammar.automaton.positions import MAX_STATES, AutomatonTooLarge, Positions, bits
from slashgrammar.grammar.ir import ANY_CHAR, CharClass, Node, Range, char_class, repeat

_MAX_STEPS = 2_000_000

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True)
class Automaton:
    """A minimal deterministic automaton; equal languages have equal automata.

    Attributes:
        classes: the classes of characters that edges carry, disjoint, in the order of their first character.
        edges: for each state the state that each class leads to, or `DEAD`; state 0 is the start.
        accepting: for each state whether a text may end there.
    """

    classes: tuple[CharClass, ...]
    edges: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]

    @classmethod
    def of(cls, node: Node, rules: Mapping[str, Node] | None = None) -> Automaton:
        """The automaton of an IR node, and of the rules that it refers to.

        Raises:
            GrammarError: a rule refers to itself.
            AutomatonTooLarge: more than `MAX_STATES` states, before or after it was made deterministic.
        """
        positions = Positions.of(node, rules or {})
        parts = partition(positions.classes)
        readers = [members for _, members in parts]
        follow, end = positions.follow, 1 << len(positions.classes)
        # Where anything may follow, nothing else that might be going on matters.
        anything = positions.then_anything()
        after: dict[int, int] = {0: 0}
        steps = 0

        def step(state: int, symbol: int) -> int:
            nonlocal steps
            reading = state & readers[symbol]
            if reading not in after:
                result = 0
                for position in bits(reading):
                    result |= follow[position]
                    steps += 1
                if steps > _MAX_STEPS:
                    raise AutomatonTooLarge
                after[reading] = anything if anything & ~result == 0 and anything else result
            return after[reading]

        return explore([chars for chars, _ in parts], positions.first, step, lambda state: bool(state & end))

    @property
    def size(self) -> int:
        """The number of edges, dead ones included."""
        return len(self.edges) * len(self.classes)

    @property
    def is_empty(self) -> bool:
        """Whether no text at all is accepted."""
        return not any(self.accepting)

    def accepts(self, text: str) -> bool:
        """Whether the automaton accepts a text."""
        state = 0
        for char in text:
            symbol = next((index for index, chars in enumerate(self.classes) if char in chars), None)
            state = DEAD if symbol is None else self.edges[state][symbol]
            if state == DEAD:
                return False
        return self.accepting[state]

    def __and__(self, other: Automaton) -> Automaton:
        return self._combine(other, lambda left, right: left and right, left_only=False, right_only=False)

    def __or__(self, other: Automaton) -> Automaton:
        return self._combine(other, lambda left, right: left or right, left_only=True, right_only=True)

    def __sub__(self, other: Automaton) -> Automaton:
        return self._combine(other, lambda left, right: left and not right, left_only=True, right_only=False)

    def __invert__(self) -> Automaton:
        return ANYTHING - self

    def _combine(
        self, other: Automaton, accept: Callable[[bool, bool], bool], *, left_only: bool, right_only: bool
    ) -> Automaton:
        """The product; `left_only` says whether texts that only the left one can still accept are of interest."""
        parts = [
            (chars, i, j)
            for chars, i, j in overlay(self.classes, other.classes)
            if (i >= 0 or right_only) and (j >= 0 or left_only)
        ]
        # A pair of states is one number, so that a row of pairs is made by one addition of two rows.
        end, width = len(self.edges), len(other.edges) + 1
        lefts = _rows(self.edges, [i for _, i, _ in parts], width)
        rights = _rows(other.edges, [j for _, _, j in parts], 1)

        def is_dead(left: int, right: int) -> bool:
            if left == end:
                return not right_only or right == width - 1
            return right == width - 1 and not left_only

        numbers = _Pairs(width, is_dead)
        edges = []
        for left, right in numbers.pairs:
            edges.append(list(map(numbers.__getitem__, map(add, lefts[left], rights[right]))))
        accepting = [
            accept(left < end and self.accepting[left], right < width - 1 and other.accepting[right])
            for left, right in numbers.pairs
        ]
        return _canonical([chars for chars, _, _ in parts], edges, accepting)

    @cached_property
    def shortest(self) -> tuple[int, ...]:
        """For each state the length of the shortest text that is accepted from there; -1 where there is none."""
        into: list[set[int]] = [set() for _ in self.edges]
        for state, row in enumerate(self.edges):
            for target in row:
                if target != DEAD:
                    into[target].add(state)
        lengths = [0 if accepts else -1 for accepts in self.accepting]
        queue = deque(state for state, accepts in enumerate(self.accepting) if accepts)
        while queue:
            target = queue.popleft()
            for state in into[target]:
                if lengths[state] < 0:
                    lengths[state] = lengths[target] + 1
                    queue.append(state)
        return tuple(lengths)

    @cached_property
    def longest(self) -> tuple[int | None, ...]:
        """For each state the length of the longest text that is accepted from there; None where there is no bound."""
        targets = [{target for target in row if target != DEAD} for row in self.edges]
        open_exits = [len(after) for after in targets]
        into: list[list[int]] = [[] for _ in self.edges]
        for state, after in enumerate(targets):
            for target in after:
                into[target].append(state)
        lengths: list[int | None] = [None] * len(self.edges)
        done = [state for state, exits in enumerate(open_exits) if exits == 0]
        while done:
            state = done.pop()
            lengths[state] = max((1 + (lengths[target] or 0) for target in targets[state]), default=0)
            for before in into[state]:
                open_exits[before] -= 1
                if open_exits[before] == 0:
                    done.append(before)
        return tuple(lengths)

    @property
    def example(self) -> str | None:
        """One of the shortest accepted texts, readable where there is a choice; None where there is none."""
        if self.is_empty:
            return None
        text, state = "", 0
        while self.shortest[state] > 0:
            ways = zip(self.classes, self.edges[state], strict=True)
            nearer = [(chars, to) for chars, to in ways if to != DEAD and self.shortest[to] < self.shortest[state]]
            chars, state = nearer[0]
            text += readable_member(chars)
        return text

    def words(self, limit: int) -> list[str] | None:
        """All accepted texts in order, or None where there are more than `limit`."""
        if self.longest[0] is None:
            return None
        found: list[str] = []
        level = {0: [""]}
        while level:
            following: dict[int, list[str]] = {}
            for state, texts in level.items():
                found += texts if self.accepting[state] else []
                for chars, target in zip(self.classes, self.edges[state], strict=True):
                    if target == DEAD:
                        continue
                    if len(texts) * len(chars) > limit:
                        return None
                    following.setdefault(target, []).extend(text + char for text in texts for char in chars)
            if len(found) > limit or sum(map(len, following.values())) > limit * len(self.edges):
                return None
            level = following
        return sorted(found)


def _rows(edges: Sequence[Sequence[int]], columns: Sequence[int], factor: int) -> list[list[int]]:
    """For each state, the dead one last, the states that other classes lead to, times a factor.

    Args:
        columns: for each of these classes the class of the automaton that holds it, or -1.
    """
    numbers = [factor * number for number in range(len(edges) + 1)]  # the last one is that of `DEAD`
    rows = [[numbers[DEAD if column < 0 else row[column]] for column in columns] for row in edges]
    return [*rows, [numbers[DEAD]] * len(columns)]


class _Pairs(dict[int, int]):
    """The numbers of pairs of states, `DEAD` for dead ones; a new pair gets the next one when it is asked for."""

    def __init__(self, width: int, is_dead: Callable[[int, int], bool]) -> None:
        super().__init__({0: 0})
        self.pairs = [(0, 0)]
        self._width = width
        self._is_dead = is_dead

    def __missing__(self, code: int) -> int:
        pair = divmod(code, self._width)
        if self._is_dead(*pair):
            number = DEAD
        elif len(self.pairs) == MAX_STATES:
            raise AutomatonTooLarge(MAX_STATES)
        else:
            number = len(self.pairs)
            self.pairs.append(pair)
        self[code] = number
        return number


def explore(
    classes: Sequence[CharClass],
    start: State,
    step: Callable[[State, int], State | None],
    final: Callable[[State], bool],
    limit: int = MAX_STATES,
) -> Automaton:
    """The minimal automaton of states that are met by stepping on from the first one.

    Args:
        classes: disjoint classes of characters.
        step: the state after a state and a character of the class with that index; None or a false value where a text
            cannot be accepted any more.
        final: whether a text may end in a state.

    Raises:
        AutomatonTooLarge: there are more states than `limit`.
    """
    numbers: dict[State, int] = {start: 0}
    states = [start]
    edges: list[list[int]] = []
    for state in states:
        row: list[int] = []
        for symbol in range(len(classes)):
            target = step(state, symbol)
            if not target:
                row.append(DEAD)
                continue
            number = numbers.get(target)
            if number is None:
                if len(states) == limit:
                    raise AutomatonTooLarge(limit)
                number = numbers[target] = len(states)
                states.append(target)
            row.append(number)
        edges.append(row)
    return _canonical(classes, edges, [final(state) for state in states])


def _canonical(classes: Sequence[CharClass], edges: Sequence[Sequence[int]], accepting: Sequence[bool]) -> Automaton:
    """The automaton with equal states and equal classes merged, both in an order that the language determines."""
    block_of = merge_states(edges, accepting)
    if block_of[0] == DEAD:
        return NOTHING
    example = {block: state for state, block in enumerate(block_of) if block != DEAD}
    block_at = [*block_of, DEAD].__getitem__  # also of `DEAD`
    columns: dict[tuple[int, ...], list[Range]] = {}
    table = zip(*(map(block_at, edges[state]) for state in example.values()), strict=True)
    for chars, column in zip(classes, table, strict=True):
        columns.setdefault(column, []).extend(chars.ranges)
    columns.pop((DEAD,) * len(example), None)
    merged = sorted(
        ((char_class(ranges), column) for column, ranges in columns.items()), key=lambda pair: pair[0].ranges
    )
    rows = {block: [column[index] for _, column in merged] for index, block in enumerate(example)}
    numbers = {block_of[0]: 0, DEAD: DEAD}
    order = [block_of[0]]
    for block in order:
        for target in rows[block]:
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
    return Automaton(
        tuple(chars for chars, _ in merged),
        tuple(tuple(numbers[target] for target in rows[block]) for block in order),
        tuple(accepting[example[block]] for block in order),
    )


NOTHING = Automaton((), ((),), (False,))
ANYTHING = Automaton.of(repeat(ANY_CHAR))
