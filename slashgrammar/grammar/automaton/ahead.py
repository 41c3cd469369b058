"""What may come next in a grammar, seen through the classes of an automaton: which of its states are then the same.

Two states need not be told apart where all that can follow leads on from both to the same states. At the end of an
expression behind which a comma must come, that is often all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.minimise import DEAD
from slashgrammar.grammar.beginnings import expand
from slashgrammar.grammar.ir import EMPTY, CharClass, Literal, Node


class Ahead:
    """What may come next at all parts of a grammar that a text is split into by `expand`.

    Sets of classes are bits of a number, by their index in the automaton; one more bit is the end of the text.
    """

    def __init__(self, start: Node, rules: Mapping[str, Node], automaton: Automaton, spend: Callable[[], None]) -> None:
        self._automaton = automaton
        self._end = 1 << len(automaton.classes)
        self._spend = spend
        self._ways: dict[Node, list[tuple[Node, Node]]] = {}
        self._begin: dict[Node, int] = {}
        self._nullable: set[Node] = set()
        self._after: dict[Node, int] = {}
        self._same: dict[tuple[int, tuple[int, ...]], int] = {}
        self._chosen: dict[tuple[int, int], int] = {}
        self._collect(start, rules)
        while self._find_beginnings():
            pass
        self._after[start] = self._end
        while self._find_followers():
            pass

    def before(self, node: Node, state: int) -> int:
        """One of the states that are the same as this one where a node begins; DEAD where no text can be finished."""
        return self._choose(state, self._begin[node] | (self._after[node] if node in self._nullable else 0))

    def behind(self, node: Node, state: int) -> int:
        """One of the states that are the same as this one where a node ends; DEAD where no text can be finished."""
        return self._choose(state, self._after[node])

    def inside(self, node: Node, state: int) -> int:
        """One of the states that are the same as this one before and behind a node."""
        return self._choose(state, self._begin[node] | self._after[node])

    def _choose(self, state: int, classes: int) -> int:
        if state == DEAD:
            return DEAD
        if (state, classes) not in self._chosen:
            row = self._automaton.edges[state]
            targets = [target for index, target in enumerate(row) if classes >> index & 1]
            targets.append(0 if classes & self._end and self._automaton.accepting[state] else DEAD)
            is_dead = all(target == DEAD for target in targets)
            self._chosen[state, classes] = DEAD if is_dead else self._same.setdefault((classes, tuple(targets)), state)
        return self._chosen[state, classes]

    def _collect(self, start: Node, rules: Mapping[str, Node]) -> None:
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if node in self._ways:
                continue
            self._ways[node] = ways = list(expand(node, rules))
            self._begin[node] = self._classes(node)
            self._after[node] = 0
            if node == EMPTY:
                self._nullable.add(node)
            for way in ways:
                self._spend()
                waiting += way

    def _classes(self, leaf: Node) -> int:
        """The classes that a leaf may begin with."""
        members = self._automaton.classes
        if isinstance(leaf, Literal):
            return sum(1 << index for index, found in enumerate(members) if leaf.text[:1] in found and leaf.text)
        if isinstance(leaf, CharClass):
            return sum(1 << index for index, found in enumerate(members) if leaf & found)
        return 0

    def _find_beginnings(self) -> bool:
        found = False
        for node, ways in reversed(self._ways.items()):
            for first, rest in ways:
                self._spend()
                begin = self._begin[first] | (self._begin[rest] if first in self._nullable else 0)
                if first in self._nullable and rest in self._nullable and node not in self._nullable:
                    self._nullable.add(node)
                    found = True
                if begin & ~self._begin[node]:
                    self._begin[node] |= begin
                    found = True
        return found

    def _find_followers(self) -> bool:
        found = False
        for node, ways in self._ways.items():
            for first, rest in ways:
                self._spend()
                behind_first = self._begin[rest] | (self._after[node] if rest in self._nullable else 0)
                for part, after in ((first, behind_first), (rest, self._after[node])):
                    if after & ~self._after[part]:
                        self._after[part] |= after
                        found = True
        return found
