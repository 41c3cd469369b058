"""Drop what takes no part in any text of the language."""

from __future__ import annotations

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import (
    NOTHING,
    Choice,
    Grammar,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    references,
    repeat,
    seq,
)
from slashgrammar.grammar.rewrite.analysis import is_text, least_fixpoint, productive


def drop_unreachable(grammar: Grammar) -> Grammar:
    """Drop the rules that the start rule does not lead to. Preserves the language of every rule that is left.

    Raises:
        GrammarError: a rule that is needed does not exist.
    """
    reached = {grammar.start}
    todo = [grammar.start]
    while todo:
        name = todo.pop()
        if name not in grammar.rules:
            raise GrammarError("is referred to, or the start rule, but does not exist; define it", rule=name)
        for other in references(grammar.rules[name]):
            if other not in reached:
                reached.add(other)
                todo.append(other)
    return Grammar({name: node for name, node in grammar.rules.items() if name in reached}, grammar.start)


def drop_unproductive(grammar: Grammar) -> Grammar:
    """Drop the rules and alternatives that match no text at all. Preserves the language of every rule that is left.

    Only the start rule stays where it matches nothing, as `NOTHING`. Literals with lone surrogates match no text.
    """
    members = least_fixpoint(grammar.rules, productive)
    rules = {name: _clean(node, members) for name, node in grammar.rules.items() if name in members}
    rules.setdefault(grammar.start, NOTHING)
    return Grammar(rules, grammar.start)


def _clean(node: Node, members: set[str]) -> Node:
    if isinstance(node, Sequence):
        return seq(*(_clean(item, members) for item in node.items))
    if isinstance(node, Choice):
        return alt(*(_clean(item, members) for item in node.items))
    if isinstance(node, Repeat):
        return repeat(_clean(node.item, members), node.min, node.max)
    if isinstance(node, Reference):
        return node if node.name in members else NOTHING
    return NOTHING if isinstance(node, Literal) and not is_text(node.text) else node
