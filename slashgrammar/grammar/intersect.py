"""The texts of a grammar that an automaton accepts, as a grammar again.

Every context-free language stays one when it is intersected with a regular one (Bar-Hillel, Perles, Shamir, 1961): for
each part of the grammar there is a rule for each pair of states between which its texts can lead.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.ir import (
    EMPTY,
    NOTHING,
    CharClass,
    Choice,
    Grammar,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    character,
    repeat,
    seq,
)
from slashgrammar.grammar.minimise import DEAD
from slashgrammar.grammar.rewrite.depth import bound_depth
from slashgrammar.grammar.rewrite.inline import inline
from slashgrammar.grammar.rewrite.useless import drop_unproductive, drop_unreachable

MAX_STEPS: Final = 300_000

_Place: TypeAlias = "tuple[Node, int]"
"""A part of the grammar, and the state in which its text begins."""


def intersect(grammar: Grammar, automaton: Automaton, name: str = "start") -> Grammar:
    """The common texts as rules, the start rule under the given name; where there are none, it is `NOTHING`.

    Raises:
        GrammarError: that takes more than `MAX_STEPS` steps: about the rules times the states squared.
    """
    grammar = bound_depth(drop_unproductive(drop_unreachable(grammar)))
    return _Product(grammar, automaton, name).run()


class _Product:
    def __init__(self, grammar: Grammar, automaton: Automaton, name: str) -> None:
        self._name = name
        self._grammar = grammar
        self._automaton = automaton
        self._ends: dict[_Place, set[int]] = {}
        self._names: dict[tuple[Node, int, int], str] = {}
        self._waiting: deque[tuple[Node, int, int]] = deque()
        self._steps_left = MAX_STEPS

    def run(self) -> Grammar:
        start = Reference(self._grammar.start)
        self._find_ends((start, 0))
        accepting = [state for state in sorted(self._ends[start, 0]) if self._automaton.accepting[state]]
        rules: dict[str, Node] = {self._name: alt(*(self._between(start, 0, state) for state in accepting))}
        while self._waiting:
            part = self._waiting.popleft()
            rules[self._names[part]] = self._rule(*part)
        return inline(drop_unreachable(drop_unproductive(Grammar(rules, self._name))))

    def _find_ends(self, start: _Place) -> None:
        """Finds out in which states texts end, for all places that can be reached from one, as a least fixed point."""
        users: defaultdict[_Place, set[_Place]] = defaultdict(set)
        self._ends[start] = set()
        waiting = deque([start])
        while waiting:
            place = waiting.popleft()
            before = len(self._ends[place])
            for first, rest in _expand(place[0], self._grammar.rules):
                for middle in self._ends_of((first, place[1]), place, users, waiting):
                    self._spend()
                    self._ends[place] |= self._ends_of((rest, middle), place, users, waiting)
            if len(self._ends[place]) > before:
                waiting.extend(users[place])

    def _ends_of(
        self, place: _Place, user: _Place, users: Mapping[_Place, set[_Place]], waiting: deque[_Place]
    ) -> set[int]:
        known = self._known_ends(*place)
        if known is not None:
            return known
        users[place].add(user)
        if place not in self._ends:
            self._ends[place] = set()
            waiting.append(place)
        return set(self._ends[place])

    def _known_ends(self, node: Node, state: int) -> set[int] | None:
        """Where texts of a node end, of those that need no rules to find that out."""
        if isinstance(node, Literal | CharClass):
            return set(self._steps(node, state))
        if isinstance(node, Repeat) and isinstance(node.item, CharClass):
            # Characters that change nothing need not be counted one by one.
            return {state} if set(self._steps(node.item, state)) == {state} else None
        return None

    def _steps(self, node: Literal | CharClass, state: int) -> dict[int, Node]:
        """The states that texts of a leaf lead to, each with those texts."""
        if isinstance(node, Literal):
            for char in node.text:
                state = self._step(state, char)
            return {} if state == DEAD else {state: node}
        found: defaultdict[int, CharClass] = defaultdict(lambda: NOTHING)
        for members, target in zip(self._automaton.classes, self._automaton.edges[state], strict=True):
            if target != DEAD and (common := node & members):
                found[target] |= common
        return {target: character(members) for target, members in found.items()}

    def _step(self, state: int, char: str) -> int:
        if state != DEAD:
            for members, target in zip(self._automaton.classes, self._automaton.edges[state], strict=True):
                if char in members:
                    return target
        return DEAD

    def _between(self, node: Node, start: int, end: int) -> Node:
        """What a node's texts from one state to another are; of all but leaves, a reference."""
        if isinstance(node, Literal | CharClass):
            return self._steps(node, start).get(end, NOTHING)
        part = (node, start, end)
        if part not in self._names:
            self._names[part] = f"{self._name}-{len(self._names) + 1}"
            self._waiting.append(part)
        return Reference(self._names[part])

    def _rule(self, node: Node, start: int, end: int) -> Node:
        if isinstance(node, Repeat) and start == end and self._ends_at(node.item, start) == {start}:
            return repeat(self._between(node.item, start, start), node.min, node.max)
        ways = []
        for first, rest in _expand(node, self._grammar.rules):
            for middle in sorted(self._ends_at(first, start)):
                self._spend()
                if end in self._ends_at(rest, middle):
                    ways.append(seq(self._between(first, start, middle), self._between(rest, middle, end)))
        return alt(*ways)

    def _ends_at(self, node: Node, state: int) -> set[int]:
        known = self._known_ends(node, state)
        return self._ends.get((node, state), set()) if known is None else known

    def _spend(self) -> None:
        self._steps_left -= 1
        if not self._steps_left:
            raise GrammarError("it has too much in common with a regular language of so many states")


def _expand(node: Node, rules: Mapping[str, Node]) -> Iterator[tuple[Node, Node]]:
    """What a node may begin with, each with what remains of the node after it."""
    if isinstance(node, Reference):
        yield rules[node.name], EMPTY
    elif isinstance(node, Choice):
        for item in node.items:
            yield item, EMPTY
    elif isinstance(node, Sequence):
        yield node.items[0], seq(*node.items[1:])
    elif isinstance(node, Repeat):
        if node.min == 0:
            yield EMPTY, EMPTY
        if node.max != 0:
            more = None if node.max is None else node.max - 1
            yield node.item, repeat(node.item, max(node.min - 1, 0), more)
