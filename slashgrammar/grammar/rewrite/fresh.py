"""New rules for a pass that needs some."""

from __future__ import annotations

from collections.abc import Mapping

from slashgrammar.grammar.ir import Node, Reference


class RuleTable:
    """The rules of a grammar, to which a pass adds rules of its own under names that are still free."""

    def __init__(self, rules: Mapping[str, Node]) -> None:
        self.rules: dict[str, Node] = dict(rules)
        self._number = 0

    def name(self) -> str:
        """A name that no rule has yet."""
        while True:
            self._number += 1
            name = f"r{self._number}"
            if name not in self.rules:
                return name

    def add(self, node: Node) -> Reference:
        """Make the node a rule and return the reference to it."""
        name = self.name()
        self.rules[name] = node
        return Reference(name)
