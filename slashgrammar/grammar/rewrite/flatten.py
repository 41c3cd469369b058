"""Loops at the end of a rule that repeat the rule, loop and all: `sum: sum "+" sum | number` leaves such ones."""

from __future__ import annotations

from slashgrammar.grammar.ir import Choice, Grammar, Node, Reference, Repeat, Sequence, alt, repeat, seq
from slashgrammar.grammar.rewrite.analysis import least_fixpoint, nullable
from slashgrammar.grammar.rewrite.fresh import RuleTable


def flatten_loops(grammar: Grammar) -> Grammar:
    """`a: x (y a)*` becomes `a: x (y x)*`, where y x matches something. Preserves the language of every rule.

    In the first form each round can also be one of the loop of the `a` before, so that engines follow more and more
    ways to read the same text. That the second form loses nothing: a text of `(y a)*` is one of `(y x (y a)*)*`, and
    inner rounds can as well be outer ones.
    """
    table = RuleTable(grammar.rules)
    empty: set[str] | None = None
    for name, node in grammar.rules.items():
        loop = node.items[-1] if isinstance(node, Sequence) else None
        if not (isinstance(loop, Repeat) and (loop.min, loop.max) == (0, None)):
            continue
        rounds = loop.item.items if isinstance(loop.item, Choice) else (loop.item,)
        if not any(_ends_with(item, name) for item in rounds):
            continue
        if empty is None:
            empty = least_fixpoint(grammar.rules, nullable)
        first = seq(*node.items[:-1])
        flat = alt(*(_without(item, name, first) for item in rounds))
        if nullable(flat, empty):
            continue
        first = table.add(first)
        flat = alt(*(_without(item, name, first) for item in rounds))
        table.rules[name] = seq(first, repeat(flat))
    return Grammar(table.rules, grammar.start)


def _ends_with(node: Node, name: str) -> bool:
    return (node.items[-1] if isinstance(node, Sequence) else node) == Reference(name)


def _without(node: Node, name: str, first: Node) -> Node:
    """The node with `first` in the place of the rule that it ends with, if it does."""
    if not _ends_with(node, name):
        return node
    return seq(*node.items[:-1], first) if isinstance(node, Sequence) else first
