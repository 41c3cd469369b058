"""Bound how deeply nodes are nested, so that every later pass may simply recurse."""

from __future__ import annotations

from collections.abc import Iterable

from slashgrammar.grammar.ir import Grammar, Node, Reference
from slashgrammar.grammar.rewrite.fresh import RuleTable
from slashgrammar.grammar.rewrite.rebuild import with_items

MAX_DEPTH = 40
# A node that stands in several places is one object, but several copies once printed: from this weight on it is a rule.
MAX_WEIGHT = 1000
# Up to so many nodes the second bound can be neglected.
_FEW = 100_000


def bound_depth(grammar: Grammar) -> Grammar:
    """Make rules of what is nested over `MAX_DEPTH` levels deep, or is large enough to matter if it is used repeatedly.

    Preserves the language and all existing rules' names. Works without recursion, in time linear in the number of
    distinct node objects, however often each of them is used.
    """
    if is_shallow(grammar.rules.values()):
        return grammar
    table = RuleTable(grammar.rules)
    seen: dict[int, tuple[Node, int, int]] = {}  # id of a node -> what replaces it, its depth, its weight
    for name, root in grammar.rules.items():
        stack: list[tuple[Node, bool]] = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if id(node) in seen:
                continue
            inner = node.items
            if inner and not ready:
                stack.append((node, True))
                stack.extend((child, False) for child in inner)
                continue
            done = [seen[id(child)] for child in inner]
            depth = 1 + max((entry[1] for entry in done), default=0)
            weight = 1 + sum(entry[2] for entry in done)
            new = with_items(node, tuple(entry[0] for entry in done))
            if depth < MAX_DEPTH and weight < MAX_WEIGHT:
                seen[id(node)] = (new, depth, weight)
            elif node is root:
                table.rules[name] = new
                seen[id(node)] = (Reference(name), 1, 1)
            else:
                seen[id(node)] = (table.add(new), 1, 1)
        new_root = seen[id(root)][0]
        if new_root != Reference(name):
            table.rules[name] = new_root
    return Grammar(table.rules, grammar.start)


def is_shallow(nodes: Iterable[Node]) -> bool:
    """Whether the nodes, with every occurrence of each counted, are few and within the bound on depth."""
    level = list(nodes)
    weight = 0
    for _ in range(MAX_DEPTH):
        weight += len(level)
        if weight > _FEW:
            return False
        level = [child for parent in level for child in parent.items]
        if not level:
            return True
    return False
