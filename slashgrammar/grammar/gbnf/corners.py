"""How far llama.cpp looks into a grammar before it takes a character."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from slashgrammar.grammar.ir import EMPTY, Choice, Node, Reference, Repeat, Sequence, references, walk
from slashgrammar.grammar.rewrite.analysis import components, left_corners, nullable


@dataclass(frozen=True, slots=True)
class Reach:
    """What lies between the beginning of a node and the characters that it can begin with.

    Attributes:
        depth: the longest chain of rules, each of which begins with the next.
        paths: the number of rules on all such chains, each counted as often as it is come upon.
        stacks: the number of places in the grammar where the first character can stand, counted likewise.
    """

    depth: int
    paths: int
    stacks: int

    def and_next(self, other: Reach) -> Reach:
        return Reach(max(self.depth, other.depth), self.paths + other.paths, self.stacks + other.stacks)

    def inside(self, rounds: int = 1) -> Reach:
        """The same, seen from a rule that begins with it, or from a chain of so many such rules."""
        return Reach(self.depth + rounds, (self.paths + 1) * rounds, self.stacks * rounds)


class LeftCorners:
    """The reaches of all nodes of a grammar without left recursion, given its nullable rules."""

    def __init__(self, rules: Mapping[str, Node], empty: set[str]) -> None:
        self._rules = rules
        self._empty = empty
        self.graph = {name: list(dict.fromkeys(left_corners(node, empty))) for name, node in rules.items()}
        self._known: dict[int, Reach] = {}  # by the `id` of nodes, all of which the rules keep
        self.rules: dict[str, Reach] = {}
        for (name,) in components(self.graph):
            self.rules[name] = self.of(rules[name]).inside()

    def of(self, node: Node) -> Reach:
        if isinstance(node, Reference):
            return self.rules[node.name]
        if id(node) not in self._known:
            self._known[id(node)] = self._of(node)
        return self._known[id(node)]

    def _of(self, node: Node) -> Reach:
        if isinstance(node, Sequence):
            reach = Reach(0, 0, 0)
            for item in node.items:
                reach = reach.and_next(self.of(item))
                if not nullable(item, self._empty):
                    break
            return reach
        if isinstance(node, Choice):
            reach = Reach(0, 0, 0)
            for item in node.items:
                reach = reach.and_next(self.of(item))
            return reach.inside()
        if isinstance(node, Repeat):
            most = node.min + 1 if node.max is None else node.max
            return self.of(node.item).inside(max(most, 1) if nullable(node.item, self._empty) else 1)
        return Reach(0, 0, 0 if node == EMPTY else 1)

    def most_stacks(self, node: Node) -> int:
        """The most stacks that any place inside the node leads to, as far as the node itself says."""
        most = self.of(node).stacks
        if isinstance(node, Sequence):
            following = 0
            for item in reversed(node.items):
                following = self.of(item).stacks + (following if nullable(item, self._empty) else 0)
                most = max(most, following)
        return max([most, *map(self.most_stacks, node.items)])

    def search_steps(self) -> int:
        """About how many rules llama.cpp looks at while it searches for left recursion.

        It starts from each rule that an earlier search has not come upon, and follows every path from there.
        """
        steps = 0
        seen: set[str] = set()
        for name in self._in_order():
            if name in seen:
                continue
            steps += self.rules[name].paths
            todo = [name]
            while todo:
                other = todo.pop()
                if other not in seen:
                    seen.add(other)
                    todo += self.graph[other]
        groups = (self.of(inner).paths for node in self._rules.values() for inner in walk(node) if inner.items)
        return steps + sum(groups)

    def _in_order(self) -> Iterator[str]:
        for name, node in self._rules.items():
            yield name
            yield from references(node)
