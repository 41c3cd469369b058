"""How much of a printed grammar a node takes up."""

from __future__ import annotations

from slashgrammar.grammar.ir import CharClass, Literal, Node, Reference

# A reference to a rule with a generated name, and such a rule's name, `::=` and line break.
REFERENCE = 4
RULE = 10
# A rule that is used once and prints longer stays a rule: its name costs little then, and makes good reading.
LONG = 60


def printed_length(node: Node) -> int:
    """About how many characters the node takes up in GBNF."""
    if isinstance(node, Literal):
        return len(node.text) + 3
    if isinstance(node, CharClass):
        return 2 + sum(_code_length(low) + (_code_length(high) + 1 if high > low else 0) for low, high in node.ranges)
    if isinstance(node, Reference):
        return len(node.name) + 1
    return 2 + sum(printed_length(child) + 1 for child in node.items)


def _code_length(code: int) -> int:
    return 1 if code < 0x80 else 6


def is_longer(node: Node, limit: int) -> bool:
    """Whether the node takes up more than so many characters; looks no further than necessary."""
    stack = [node]
    while stack:
        current = stack.pop()
        inner = current.items
        limit -= 2 + len(inner) if inner else printed_length(current)
        if limit < 0:
            return True
        stack.extend(inner)
    return False
