"""Which terminals can stand directly behind which others in the texts of a Lark grammar."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from slashgrammar.grammar.ir import NOTHING, Choice, Node, Reference, Repeat, Sequence, references


@dataclass(frozen=True, slots=True)
class _Edges:
    """The terminals that a node's texts begin and end with, and whether a text may have none."""

    first: frozenset[str]
    last: frozenset[str]
    nullable: bool


_NO_TEXT = _Edges(frozenset(), frozenset(), False)
_EMPTY = _Edges(frozenset(), frozenset(), True)


def following_terminals(rules: Mapping[str, Node], start: str, terminals: Mapping[str, bool]) -> dict[str, set[str]]:
    """For each terminal those that can follow with nothing in between; for "" those that a text can begin with.

    Args:
        rules: their references are to each other and to terminals.
        start: the rule or terminal that a text matches.
        terminals: the names of the terminals, each with whether it matches the empty text.
    """
    found = _Follows(rules, terminals)
    return {"": set(found.edges[start].first), **found.follows}


class _Follows:
    def __init__(self, rules: Mapping[str, Node], terminals: Mapping[str, bool]) -> None:
        self.edges = {name: _Edges(frozenset([name]), frozenset([name]), empty) for name, empty in terminals.items()}
        self.edges.update((name, _NO_TEXT) for name in rules)
        self.follows: dict[str, set[str]] = {name: set() for name in terminals}
        users: defaultdict[str, set[str]] = defaultdict(set)
        for name, node in rules.items():
            for reference in references(node):
                users[reference].add(name)
        waiting = deque(dict.fromkeys(rules))
        queued = set(rules)
        while waiting:
            name = waiting.popleft()
            queued.discard(name)
            edges = self._of(rules[name])
            if edges != self.edges[name]:
                self.edges[name] = edges
                fresh = users[name] - queued
                queued |= fresh
                waiting.extend(fresh)

    def _of(self, node: Node) -> _Edges:
        match node:
            case Reference(name):
                return self.edges[name]
            case Sequence(items):
                return self._sequence([self._of(item) for item in items])
            case Choice(items):
                parts = [self._of(item) for item in items]
                first = frozenset().union(*(part.first for part in parts))
                last = frozenset().union(*(part.last for part in parts))
                return _Edges(first, last, any(part.nullable for part in parts))
            case Repeat(item, low, high):
                part = self._of(item)
                if high is None or high > 1:
                    self._meet(part.last, part.first)
                return _Edges(part.first, part.last, part.nullable or low == 0)
        # Rules hold no characters of their own but the empty text and what matches nothing.
        return _NO_TEXT if node == NOTHING else _EMPTY

    def _sequence(self, parts: Collection[_Edges]) -> _Edges:
        whole = _EMPTY
        for part in parts:
            self._meet(whole.last, part.first)
            whole = _Edges(
                whole.first | part.first if whole.nullable else whole.first,
                whole.last | part.last if part.nullable else part.last,
                whole.nullable and part.nullable,
            )
        return whole

    def _meet(self, before: Collection[str], after: Collection[str]) -> None:
        for name in before:
            self.follows[name].update(after)
