"""Takes out of rules what can never be finished: a value that needs a value of its own kind, and so on without end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from slashgrammar.grammar.ir import (
    NOTHING,
    CharClass,
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
    possible: set[str] = set()
    waiting = dict(rules)
    while found := [name for name, node in waiting.items() if _is_possible(node, possible, waiting)]:
        possible.update(found)
        for name in found:
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

    return {name: clean(rules[name]) for name in possible}, clean


def _is_possible(node: Node, possible: set[str], waiting: Mapping[str, Node]) -> bool:
    match node:
        case Reference(name):
            return name in possible or name not in waiting
        case Sequence(items):
            return all(_is_possible(item, possible, waiting) for item in items)
        case Choice(items):
            return any(_is_possible(item, possible, waiting) for item in items)
        case Repeat(item, low, _):
            return low == 0 or _is_possible(item, possible, waiting)
        case CharClass(ranges):
            return bool(ranges)
        case _:
            return True
