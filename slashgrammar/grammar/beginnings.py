"""How the texts of a node may begin, for what goes along a text from one character to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from slashgrammar.grammar.ir import EMPTY, Choice, Node, Reference, Repeat, Sequence, repeat, seq


def expand(node: Node, rules: Mapping[str, Node]) -> Iterator[tuple[Node, Node]]:
    """What a node that is no leaf may begin with, each with what remains of the node after it."""
    if isinstance(node, Reference):
        yield rules[node.name], EMPTY
    elif isinstance(node, Choice):
        for item in node.items:
            yield item, EMPTY
    elif isinstance(node, Sequence):
        yield node.items[0], seq(*node.items[1:])
    elif isinstance(node, Repeat):
        if node.min == 0:
            yield EMPTY, EMPTY
        if node.max != 0:
            more = None if node.max is None else node.max - 1
            yield node.item, repeat(node.item, max(node.min - 1, 0), more)
