"""Takes out of rules what can never be finished: a value that needs a value of its own kind, and so on without end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from slashgrammar.grammar.ir import (
    NOTHING,
    Choice,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    repeat,
    seq,
)


def drop_impossible(rules: Mapping[str, Node]) -> tuple[dict[str, Node], Callable[[Node], Node]]:
    """The rules without the parts that match no text, and what does the same to further nodes that refer to them.

    Rules that are referred to but not among the given ones match some text.
    """
    waiting = dict(rules)
    found = True
    while found:
        found = False
        for name in reversed(list(waiting)):  # inner rules are made after outer ones
            if _is_possible(waiting[name], waiting):
                found = True
                del waiting[name]
    if not waiting:
        return dict(rules), lambda node: node

    def clean(node: Node) -> Node:
        match node:
            case Reference(name):
                return NOTHING if name in waiting else node
            case Sequence(items):
                return seq(*map(clean, items))
            case Choice(items):
                return alt(*map(clean, items))
            case Repeat(item, low, high):
                return repeat(clean(item), low, high)
            case _:
                return node

    return {name: clean(node) for name, node in rules.items() if name not in waiting}, clean


def _is_possible(node: Node, waiting: Mapping[str, Node]) -> bool:
    if isinstance(node, Reference):
        return node.name not in waiting
    if isinstance(node, Sequence):
        return all(_is_possible(item, waiting) for item in node.items)
    if isinstance(node, Choice):
        return any(_is_possible(item, waiting) for item in node.items)
    if isinstance(node, Repeat):
        return node.min == 0 or _is_possible(node.item, waiting)
    return node != NOTHING
