"""Write equal parts of a grammar once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable

from slashgrammar.grammar.ir import Choice, Grammar, Literal, Node, Reference, Repeat, Sequence, alt
from slashgrammar.grammar.rewrite.analysis import call_graph, components
from slashgrammar.grammar.rewrite.cost import REFERENCE, RULE, printed_length
from slashgrammar.grammar.rewrite.fresh import RuleTable
from slashgrammar.grammar.rewrite.rebuild import with_items

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
        self.uses: defaultdict[int, int] = defaultdict(int)
        self.in_order: list[Node] = []  # parts before wholes
        self._known: dict[Hashable, Node] = {}

    def unique(self, node: Node) -> Node:
        items: tuple[Node, ...] = ()
        key: Hashable
        if isinstance(node, Literal):
            key = node.text
        elif isinstance(node, Reference):
            key = (self.current(node).name,)
        elif isinstance(node, (Sequence, Choice)):
            items = tuple(map(self.unique, node.items))
            if isinstance(node, Choice) and len(distinct := {id(item): item for item in items}) < len(items):
                return self.unique(alt(*distinct.values()))
            key = (type(node), *map(id, items))
        elif isinstance(node, Repeat):
            items = (self.unique(node.item),)
            key = (node.min, node.max, id(items[0]))
        else:
            key = node
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.current(node) if isinstance(node, Reference) else with_items(node, items)
            self.in_order.append(known)
            for item in items:
                self.uses[id(item)] += 1
        return known

    def current(self, reference: Reference) -> Reference:
        """The rule that has taken the place of the rule referred to."""
        name = self.merged.get(reference.name)
        return reference if name is None else Reference(name)


class _Writer:
    """Writes unique nodes, with references to those of them that become rules."""

    def __init__(self, table: RuleTable, owners: dict[int, str], nodes: _UniqueNodes) -> None:
        self._table = table
        self._owners = owners
        self._nodes = nodes
        self._shared: set[int] = set()
        self._unchanged: set[int] = set()
        lengths: dict[int, int] = {}
        for node in nodes.in_order:
            items = node.items
            inner = list(map(id, items))
            length = 2 + len(inner) + sum(map(lengths.__getitem__, inner)) if inner else printed_length(node)
            uses = nodes.uses[id(node)]
            if length >= _SHORT and (uses - 1) * length > uses * REFERENCE + RULE:
                self._shared.add(id(node))
                length = REFERENCE
            elif self._unchanged.issuperset(inner) and not self._is_merged(node):
                self._unchanged.add(id(node))
            lengths[id(node)] = length

    def written(self) -> dict[str, Node]:
        for name, body in list(self._table.rules.items()):
            self._table.rules[name] = self._parts(body)
        return self._table.rules

    def _is_merged(self, node: Node) -> bool:
        return isinstance(node, Reference) and node.name in self._nodes.merged

    def _parts(self, node: Node) -> Node:
        if isinstance(node, Reference):
            return self._nodes.current(node)
        items = tuple(map(self._reference, node.items))
        if isinstance(node, Choice) and len(set(items)) < len(items):  # references to rules that were merged
            return alt(*items)
        return with_items(node, items)

    def _reference(self, node: Node) -> Node:
        if id(node) in self._unchanged:
            return node
        if id(node) not in self._shared:
            return self._parts(node)
        if id(node) not in self._owners:
            self._owners[id(node)] = self._table.add(self._parts(node)).name
        return Reference(self._owners[id(node)])
