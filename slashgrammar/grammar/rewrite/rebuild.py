"""Make a node anew with other parts; the node itself where its parts stay the same objects.

Most passes leave most of a grammar as it is, so this is what keeps them fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_

from slashgrammar.grammar.ir import Choice, Node, Reference, Repeat, Sequence, alt, repeat, seq

GROUPS = (Sequence, Choice, Repeat)
"""The nodes that have others inside."""


def substitute(node: Node, replacements: Mapping[str, Node]) -> Node:
    """The node with the given nodes in the place of references to the rules of these names."""
    if isinstance(node, Reference):
        return replacements.get(node.name, node)
    if isinstance(node, (Sequence, Choice)):
        return _tidied(node, tuple([substitute(item, replacements) for item in node.items]))
    if isinstance(node, Repeat):
        return _tidied(node, (substitute(node.item, replacements),))
    return node


def with_parts(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with each node directly inside it changed, and tidied up as by `seq`, `alt` and `repeat`."""
    if isinstance(node, (Sequence, Choice)):
        return _tidied(node, tuple(map(change, node.items)))
    return _tidied(node, (change(node.item),)) if isinstance(node, Repeat) else node


def with_groups(node: Node, change: Callable[[Node], Node]) -> Node:
    """As `with_parts`, for a change that leaves literals, classes and references as they are."""
    if isinstance(node, (Sequence, Choice)):
        return _tidied(node, tuple([change(item) if isinstance(item, GROUPS) else item for item in node.items]))
    if isinstance(node, Repeat) and isinstance(node.item, GROUPS):
        return _tidied(node, (change(node.item),))
    return node


def _tidied(node: Sequence | Choice | Repeat, items: tuple[Node, ...]) -> Node:
    if isinstance(node, Repeat):
        return node if items[0] is node.item else repeat(items[0], node.min, node.max)
    if all(map(is_, items, node.items)):
        return node
    return seq(*items) if isinstance(node, Sequence) else alt(*items)


def with_items(node: Node, items: tuple[Node, ...]) -> Node:
    """The node with these nodes inside it, not tidied up."""
    if isinstance(node, (Sequence, Choice)):
        return node if all(map(is_, items, node.items)) else type(node)(items)
    if isinstance(node, Repeat):
        return node if items[0] is node.item else Repeat(items[0], node.min, node.max)
    return node
