"""Puts nodes in the place of references."""

from __future__ import annotations

from collections.abc import Mapping

from slashgrammar.grammar.ir import Choice, Node, Reference, Repeat, Sequence, alt, repeat, seq


def substitute(node: Node, replacements: Mapping[str, Node]) -> Node:
    """The node with the given nodes for references of these names."""
    match node:
        case Reference(name):
            return replacements.get(name, node)
        case Sequence(items):
            return seq(*(substitute(item, replacements) for item in items))
        case Choice(items):
            return alt(*(substitute(item, replacements) for item in items))
        case Repeat(item, low, high):
            return repeat(substitute(item, replacements), low, high)
    return node
