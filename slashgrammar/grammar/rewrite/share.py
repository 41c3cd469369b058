"""Write equal parts of a grammar once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from slashgrammar.grammar.ir import Grammar, Node, Reference, Repeat, children
from slashgrammar.grammar.rewrite.analysis import call_graph, components
from slashgrammar.grammar.rewrite.cost import REFERENCE, RULE, printed_length
from slashgrammar.grammar.rewrite.depth import rebuild
from slashgrammar.grammar.rewrite.fresh import RuleTable

# What prints shorter stays where it is: many tiny rules save little and make poor reading.
_SHORT = 16


def share(grammar: Grammar) -> Grammar:
    """Merge rules with equal bodies, and make rules of equal nodes where that makes the printed grammar shorter.

    Preserves the language of the rules that are left. Of recursive rules only those are merged whose bodies are equal
    to the letter.
    """
    nodes = _UniqueNodes()
    bodies: dict[str, Node] = {}
    owners: dict[int, str] = {}  # id of a body -> the rule that has it
    for component in components(call_graph(grammar.rules)):
        for name in component:
            body = nodes.unique(grammar.rules[name])
            nodes.uses[id(body)] += 1
            owner = owners.setdefault(id(body), name)
            if owner == name or name == grammar.start:
                bodies[name] = body
            else:
                nodes.merged[name] = owner
    rules = {name: bodies[name] for name in grammar.rules if name in bodies}
    return Grammar(_Writer(RuleTable(rules), owners, nodes).written(), grammar.start)


class _UniqueNodes:
    """Makes equal nodes one object, and counts the places where each stands."""

    def __init__(self) -> None:
        self.merged: dict[str, str] = {}
        self.uses: Counter[int] = Counter()
        self.in_order: list[Node] = []  # parts before wholes
        self._known: dict[Hashable, Node] = {}

    def unique(self, node: Node) -> Node:
        items = tuple(self.unique(item) for item in children(node))
        key: Hashable = node
        if isinstance(node, Reference):
            key = node = self.current(node)
        elif items:
            bounds = (node.min, node.max) if isinstance(node, Repeat) else None
            key = (type(node), bounds, *map(id, items))
        if key not in self._known:
            node = rebuild(node, items)
            self._known[key] = node
            self.in_order.append(node)
            self.uses.update(map(id, items))
        return self._known[key]

    def current(self, reference: Reference) -> Reference:
        """The rule that has taken the place of the rule referred to."""
        return Reference(self.merged.get(reference.name, reference.name))


class _Writer:
    """Writes unique nodes, with references to those of them that become rules."""

    def __init__(self, table: RuleTable, owners: dict[int, str], nodes: _UniqueNodes) -> None:
        self._table = table
        self._owners = owners
        self._nodes = nodes
        self._shared: set[int] = set()
        lengths: dict[int, int] = {}
        for node in nodes.in_order:
            items = children(node)
            length = 2 + sum(lengths[id(item)] + 1 for item in items) if items else printed_length(node)
            uses = nodes.uses[id(node)]
            if length >= _SHORT and (uses - 1) * length > uses * REFERENCE + RULE:
                self._shared.add(id(node))
                length = REFERENCE
            lengths[id(node)] = length

    def written(self) -> dict[str, Node]:
        for name, body in list(self._table.rules.items()):
            self._table.rules[name] = self._parts(body)
        return self._table.rules

    def _parts(self, node: Node) -> Node:
        if isinstance(node, Reference):
            return self._nodes.current(node)
        return rebuild(node, tuple(self._reference(item) for item in children(node)))

    def _reference(self, node: Node) -> Node:
        if id(node) not in self._shared:
            return self._parts(node)
        if id(node) not in self._owners:
            self._owners[id(node)] = self._table.add(self._parts(node)).name
        return Reference(self._owners[id(node)])
