"""Keep characters out of a language."""

from __future__ import annotations

from slashgrammar.grammar.ir import (
    NOTHING,
    CharClass,
    Choice,
    Grammar,
    Literal,
    Node,
    Repeat,
    Sequence,
    alt,
    character,
    repeat,
    seq,
)
from slashgrammar.grammar.rewrite.depth import bound_depth
from slashgrammar.grammar.rewrite.useless import drop_unproductive


def restrict(grammar: Grammar, allowed: CharClass) -> Grammar:
    """The texts of the grammar that consist of allowed characters only.

    The same holds for every rule that is left; a rule without any such text is dropped, unless it is the start rule,
    which becomes `NOTHING`.
    """
    rules = {name: _restrict(node, allowed) for name, node in bound_depth(grammar).rules.items()}
    return drop_unproductive(Grammar(rules, grammar.start))


def _restrict(node: Node, allowed: CharClass) -> Node:
    if isinstance(node, Literal):
        return node if all(char in allowed for char in node.text) else NOTHING
    if isinstance(node, CharClass):
        return character(node & allowed)
    if isinstance(node, Repeat):
        return repeat(_restrict(node.item, allowed), node.min, node.max)
    if isinstance(node, Sequence):
        return seq(*(_restrict(item, allowed) for item in node.items))
    if isinstance(node, Choice):
        return alt(*(_restrict(item, allowed) for item in node.items))
    return node
