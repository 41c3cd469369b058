"""Write rules that end with themselves as repetitions."""

from __future__ import annotations

from typing import TypeGuard

from slashgrammar.grammar.ir import (
    EMPTY,
    Choice,
    Grammar,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    repeat,
    seq,
)
from slashgrammar.grammar.rewrite.analysis import called, least_fixpoint, nullable


def loops_from_right_recursion(grammar: Grammar) -> Grammar:
    """`a: x a | y` becomes `a: x* y`, where neither x nor y holds a again. Preserves the language of every rule."""
    empty: set[str] | None = None
    rules = dict(grammar.rules)
    for name, node in grammar.rules.items():
        again = [item for item in _alternatives(node) if _ends_with(item, name)]
        if not again:
            continue
        rounds = alt(*(seq(*item.items[:-1]) for item in again))
        end = alt(*(item for item in _alternatives(node) if not _ends_with(item, name)))
        if empty is None:
            empty = least_fixpoint(grammar.rules, nullable)
        if name not in called(rounds) and name not in called(end) and not nullable(rounds, empty):
            rules[name] = seq(repeat(rounds), end)
    return Grammar(rules, grammar.start)


def _alternatives(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Repeat) and (node.min, node.max) == (0, 1):
        return (*_alternatives(node.item), EMPTY)
    return node.items if isinstance(node, Choice) else (node,)


def _ends_with(node: Node, name: str) -> TypeGuard[Sequence]:
    return isinstance(node, Sequence) and node.items[-1] == Reference(name)
