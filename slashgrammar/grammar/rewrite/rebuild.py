"""Make a node anew with other parts; the node itself where its parts stay the same objects.

Most passes leave most of a grammar as it is, so this is what keeps them fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_

from slashgrammar.grammar.ir import Choice, Node, Reference, Repeat, Sequence, alt, repeat, seq


def substitute(node: Node, replacements: Mapping[str, Node]) -> Node:
    """The node with the given nodes in the place of references to the rules of these names."""
    if isinstance(node, Reference):
        return replacements.get(node.name, node)
    items: list[Node] = []
    for item in node.items:  # without a call for the leaves, of which there are most
        if item.items:
            item = substitute(item, replacements)
        elif isinstance(item, Reference):
            item = replacements.get(item.name, item)
        items.append(item)
    return _tidied(node, items)


def with_parts(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with each node directly inside it changed, and tidied up as by `seq`, `alt` and `repeat`."""
    return _tidied(node, list(map(change, node.items)))


def with_groups(node: Node, change: Callable[[Node], Node]) -> Node:
    """As `with_parts`, for a change that leaves literals, classes and references as they are."""
    return _tidied(node, [change(item) if item.items else item for item in node.items])


def _tidied(node: Node, items: list[Node]) -> Node:
    if all(map(is_, items, node.items)):
        return node
    if isinstance(node, Repeat):
        return repeat(items[0], node.min, node.max)
    return seq(*items) if isinstance(node, Sequence) else alt(*items)


def with_items(node: Node, items: tuple[Node, ...]) -> Node:
    """The node with these nodes inside it, not tidied up."""
    if all(map(is_, items, node.items)):
        return node
    if isinstance(node, Repeat):
        return Repeat(items[0], node.min, node.max)
    return Sequence(items) if isinstance(node, Sequence) else Choice(items)
