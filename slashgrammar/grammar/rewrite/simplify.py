"""Tidy up nodes: repetitions of repetitions, neighbouring repetitions, choices with the empty text."""

from __future__ import annotations

from operator import is_
from typing import TypeGuard

from slashgrammar.grammar.ir import (
    EMPTY,
    NOTHING,
    Choice,
    Grammar,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    character,
    repeat,
    seq,
)
from slashgrammar.grammar.rewrite.analysis import nullable


def simplify(grammar: Grammar) -> Grammar:
    """Write equal things in one way, the one with the fewest readings. Preserves the language of every rule.

    `(x+)*`, `(x*)?` and `x* x*` become `x*`, `(x+ | y)*` becomes `(x | y)*`, `x x*` becomes `x+`, `x? x?` becomes
    `x{0,2}`, `x | ""` and `x? | x` become `x?`; nested sequences and choices are opened, literals joined, characters
    gathered in classes.
    """
    return Grammar({name: _simplify(node) for name, node in grammar.rules.items()}, grammar.start)


def _simplify(node: Node) -> Node:
    if isinstance(node, (Literal, Reference)):
        return node
    if isinstance(node, Sequence):
        items = tuple(map(_simplify, node.items))
        return node if _is_same(items, node.items) and _is_tidy(items) else _sequence(seq(*items))
    if isinstance(node, Choice):
        choice = _choice(alt(*map(_simplify, node.items)))
        return node if isinstance(choice, Choice) and _is_same(choice.items, node.items) else choice
    if isinstance(node, Repeat):
        item = _simplify(node.item)
        new = _repeat(item, node.min, node.max)
        return (
            node if isinstance(new, Repeat) and new.item is node.item and _has_bounds(new, node.min, node.max) else new
        )
    return character(node)


def _repeat(item: Node, least: int, most: int | None) -> Node:
    if (least, most) == (0, 1) and nullable(item, set()):  # whatever rules match: `a: a?` would lose the empty text
        return item
    if isinstance(item, Repeat) and _covers_range(item, least, most):
        return repeat(item.item, item.min * least, None if item.max is None or most is None else item.max * most)
    if least <= 1 and most is None and isinstance(item, Choice):
        item = alt(*(part.item if _has_bounds(part, 1, None) else part for part in item.items))
    return repeat(item, least, most)


def _covers_range(inner: Repeat, least: int, most: int | None) -> bool:
    """Whether `least` to `most` times the inner repetition are all numbers of items from the lowest to the highest."""
    if least == 0 and inner.min > 1:
        return False
    rounds = max(least, 1)  # if no number is left out between these rounds and the next, none is later on
    if inner.max is None or (most is not None and most <= rounds):
        return True
    return (rounds + 1) * inner.min <= rounds * inner.max + 1


def _has_bounds(node: Node, least: int, most: int | None) -> TypeGuard[Repeat]:
    return isinstance(node, Repeat) and node.min == least and node.max == most


def _is_same(items: tuple[Node, ...], others: tuple[Node, ...]) -> bool:
    return len(items) == len(others) and all(map(is_, items, others))


def _is_tidy(items: tuple[Node, ...]) -> bool:
    """Whether neither `seq` nor `_sequence` would change anything."""
    if len(items) == 1:
        return False
    last: Node = NOTHING
    for item in items:
        if isinstance(item, Literal):
            if not item.text or isinstance(last, Literal):
                return False
        elif isinstance(item, Sequence) or item == NOTHING:
            return False
        if (isinstance(item, Repeat) or isinstance(last, Repeat)) and _times(item)[0] == _times(last)[0]:
            return False
        last = item
    return True


def _sequence(node: Node) -> Node:
    if not isinstance(node, Sequence) or not any(isinstance(item, Repeat) for item in node.items):
        return node
    merged: list[Node] = []
    for item in node.items:
        if merged and (isinstance(item, Repeat) or isinstance(merged[-1], Repeat)):
            body, least, most = _times(item)
            last_body, last_least, last_most = _times(merged[-1])
            if body == last_body:
                total = None if most is None or last_most is None else most + last_most
                merged[-1] = repeat(body, least + last_least, total)
                continue
        merged.append(item)
    return seq(*merged)


def _times(node: Node) -> tuple[Node, int, int | None]:
    return (node.item, node.min, node.max) if isinstance(node, Repeat) else (node, 1, 1)


def _choice(node: Node) -> Node:
    if not isinstance(node, Choice) or not any(item == EMPTY or _has_bounds(item, 0, 1) for item in node.items):
        return node
    needed = alt(*(item.item if _has_bounds(item, 0, 1) else item for item in node.items if item != EMPTY))
    return _repeat(needed, 0, 1)
