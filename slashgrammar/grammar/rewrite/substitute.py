"""Replace references in a node."""

from __future__ import annotations

from collections.abc import Callable

from slashgrammar.grammar.ir import Choice, Node, Reference, Repeat, Sequence, alt, repeat, seq


def substitute(node: Node, replacement: Callable[[Reference], Node]) -> Node:
    """The node with each reference replaced, tidied up where that changed it."""
    if isinstance(node, Reference):
        return replacement(node)
    if isinstance(node, Repeat):
        item = substitute(node.item, replacement)
        return node if item is node.item else repeat(item, node.min, node.max)
    if isinstance(node, Sequence | Choice):
        items = [substitute(item, replacement) for item in node.items]
        if all(new is old for new, old in zip(items, node.items, strict=True)):
            return node
        return seq(*items) if isinstance(node, Sequence) else alt(*items)
    return node
