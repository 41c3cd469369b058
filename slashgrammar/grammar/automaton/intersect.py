"""The texts of a grammar that an automaton accepts, as a grammar again.

Every context-free language stays one when it is intersected with a regular one (Bar-Hillel, Perles, Shamir, 1961): for
each part of the grammar there is a rule for each pair of states between which its texts can lead. States that nothing
which may follow tells apart count as one: otherwise a reader would have to guess which of them a text will end in.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.ahead import Ahead
from slashgrammar.grammar.automaton.minimise import DEAD
from slashgrammar.grammar.beginnings import expand
from slashgrammar.grammar.ir import (
    NOTHING,
    CharClass,
    Grammar,
    Literal,
    Node,
    Reference,
    Repeat,
    alt,
    character,
    repeat,
    seq,
)
from slashgrammar.grammar.rewrite.depth import bound_depth
from slashgrammar.grammar.rewrite.inline import inline
from slashgrammar.grammar.rewrite.useless import drop_unproductive, drop_unreachable

MAX_STEPS: Final = 100_000

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
        self._rules = grammar.rules
        self._start = Reference(grammar.start)
        self._automaton = automaton
        self._ends: dict[_Place, set[int]] = {}
        self._names: dict[tuple[Node, int, int], str] = {}
        self._waiting: deque[tuple[Node, int, int]] = deque()
        self._steps_left = MAX_STEPS
        self._ahead = Ahead(self._start, self._rules, automaton, self._spend)

    def run(self) -> Grammar:
        start = self._ahead.before(self._start, 0)
        if start != DEAD:
            self._find_ends((self._start, start))
        ends = [end for end in sorted(self._ends.get((self._start, start), ())) if self._automaton.accepting[end]]
        rules: dict[str, Node] = {self._name: alt(*(self._between(self._start, start, end) for end in ends))}
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
            node, state = place = waiting.popleft()
            before = len(self._ends[place])
            for first, rest in expand(node, self._rules):
                for middle in self._ends_of(first, state, place, users, waiting):
                    self._spend()
                    ends = self._ends_of(rest, middle, place, users, waiting)
                    self._ends[place] |= self._behind(node, ends)
            if len(self._ends[place]) > before:
                waiting.extend(users[place])

    def _ends_of(
        self, node: Node, state: int, user: _Place, users: Mapping[_Place, set[_Place]], waiting: deque[_Place]
    ) -> set[int]:
        place = node, self._ahead.before(node, state)
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
        if state == DEAD:
            return set()
        if isinstance(node, (Literal, CharClass)):
            return self._behind(node, self._steps(node, state))
        if isinstance(node, Repeat) and isinstance(node.item, CharClass) and self._stays(node, state):
            return self._behind(node, [state])
        return None

    def _stays(self, node: Repeat, state: int) -> bool:
        """Whether a repetition's items change nothing, so that they need not be counted one by one."""
        ends = self._ends_at(node.item, state) if node.max != 0 else ()
        return bool(ends) and {self._ahead.inside(node, end) for end in ends} == {self._ahead.inside(node, state)}

    def _behind(self, node: Node, states: Iterable[int]) -> set[int]:
        return {same for state in states if (same := self._ahead.behind(node, state)) != DEAD}

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

    def _between(self, node: Node, state: int, end: int) -> Node:
        """What a node's texts from one state to another are; of all but leaves, a reference."""
        start = self._ahead.before(node, state)
        if isinstance(node, (Literal, CharClass)):
            steps = self._steps(node, start)
            return alt(*(text for target, text in steps.items() if self._ahead.behind(node, target) == end))
        part = (node, start, end)
        if part not in self._names:
            self._names[part] = f"{self._name}-{len(self._names) + 1}"
            self._waiting.append(part)
        return Reference(self._names[part])

    def _rule(self, node: Node, start: int, end: int) -> Node:
        if isinstance(node, Repeat) and self._stays(node, start) and self._ahead.behind(node, start) == end:
            item = alt(*(self._between(node.item, start, middle) for middle in sorted(self._ends_at(node.item, start))))
            return repeat(item, node.min, node.max)
        ways = []
        for first, rest in expand(node, self._rules):
            for middle in sorted(self._ends_at(first, start)):
                for last in sorted(self._ends_at(rest, middle)):
                    self._spend()
                    if self._ahead.behind(node, last) == end:
                        ways.append(seq(self._between(first, start, middle), self._between(rest, middle, last)))
        return alt(*ways)

    def _ends_at(self, node: Node, state: int) -> set[int]:
        start = self._ahead.before(node, state)
        known = self._known_ends(node, start)
        return self._ends.get((node, start), set()) if known is None else known

    def _spend(self) -> None:
        self._steps_left -= 1
        if self._steps_left < 0:
            raise GrammarError("it has too much in common with a regular language of so many states")
