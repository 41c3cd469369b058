"""Bound how deeply nodes are nested, so that every later pass may simply recurse."""

from __future__ import annotations

from slashgrammar.grammar.ir import Choice, Grammar, Node, Reference, Repeat, Sequence, children
from slashgrammar.grammar.rewrite.fresh import RuleTable

MAX_DEPTH = 40
# A node that stands in several places is one object, but several copies once printed: from this weight on it is a rule.
MAX_WEIGHT = 1000


def bound_depth(grammar: Grammar) -> Grammar:
    """Make rules of what is nested over `MAX_DEPTH` levels deep or consists of over `MAX_WEIGHT` nodes.

    Preserves the language and all existing rules' names. Works without recursion, in time linear in the number of
    distinct node objects, however often each of them is used.
    """
    table = RuleTable(grammar.rules)
    seen: dict[int, tuple[Node, int, int]] = {}  # id of a node -> what replaces it, its depth, its weight
    for name, root in grammar.rules.items():
        stack: list[tuple[Node, bool]] = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if id(node) in seen:
                continue
            inner = children(node)
            if inner and not ready:
                stack.append((node, True))
                stack.extend((child, False) for child in inner)
                continue
            done = [seen[id(child)] for child in inner]
            depth = 1 + max((entry[1] for entry in done), default=0)
            weight = 1 + sum(entry[2] for entry in done)
            new = rebuild(node, tuple(entry[0] for entry in done))
            if depth >= MAX_DEPTH or weight >= MAX_WEIGHT:
                if node is root:
                    table.rules[name] = new
                    seen[id(node)] = (Reference(name), 1, 1)
                else:
                    seen[id(node)] = (table.add(new), 1, 1)
            else:
                seen[id(node)] = (new, depth, weight)
        new_root = seen[id(root)][0]
        if new_root != Reference(name):
            table.rules[name] = new_root
    return Grammar(table.rules, grammar.start)


def rebuild(node: Node, items: tuple[Node, ...]) -> Node:
    """The node with other children; the node itself where they are the same objects."""
    if all(new is old for new, old in zip(items, children(node), strict=True)):
        return node
    if isinstance(node, Sequence):
        return Sequence(items)
    if isinstance(node, Choice):
        return Choice(items)
    assert isinstance(node, Repeat)
    return Repeat(items[0], node.min, node.max)
