"""Sequences and choices that say nothing twice: `x x*` is `x+`, and `.* [a-z]*` is `.*`."""

from __future__ import annotations

from collections.abc import Iterable

from slashgrammar.grammar.ir import EMPTY, CharClass, Literal, Node, Repeat, Sequence, alt, chars, opt, repeat, seq


def join(items: Iterable[Node]) -> Node:
    """The sequence of the items, in which neighbouring repetitions are one where that is the same."""
    joined: list[Node] = []
    whole = seq(*items)
    for item in whole.items if isinstance(whole, Sequence) else (whole,):
        both = _merge(joined[-1], item) if joined else None
        if both is None:
            joined.append(item)
        else:
            joined[-1] = both
    return seq(*joined)


def either(ways: Iterable[Node]) -> Node:
    """The choice of the ways, in which an empty one makes the rest optional."""
    kept = list(ways)
    if EMPTY not in kept:
        return alt(*kept)
    rest = alt(*(way for way in kept if way != EMPTY))
    return repeat(rest.item, 0, rest.max) if isinstance(rest, Repeat) and rest.min <= 1 else opt(rest)


def _merge(left: Node, right: Node) -> Node | None:
    first, second = _as_repeat(left), _as_repeat(right)
    if first is None or second is None:
        return None
    if first.item == second.item:
        high = None if first.max is None or second.max is None else first.max + second.max
        return repeat(first.item, first.min + second.min, high)
    if first.max is None and second.min == 0 and _is_part(second.item, first.item):
        return left
    if second.max is None and first.min == 0 and _is_part(first.item, second.item):
        return right
    return None


def _as_repeat(node: Node) -> Repeat | None:
    if isinstance(node, Repeat):
        return node
    return Repeat(node, 1, 1) if _class(node) is not None else None


def _class(node: Node) -> CharClass | None:
    if isinstance(node, CharClass):
        return node
    return chars(node.text) if isinstance(node, Literal) and len(node.text) == 1 else None


def _is_part(inner: Node, outer: Node) -> bool:
    """Whether each text of the inner node is one character that the outer one holds too."""
    part, whole = _class(inner), _class(outer)
    return part is not None and whole is not None and part & whole == part
