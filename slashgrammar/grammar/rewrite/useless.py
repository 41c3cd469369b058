"""Drop what takes no part in any text of the language."""

from __future__ import annotations

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import NOTHING, Grammar, Literal, Node, Reference
from slashgrammar.grammar.rewrite.analysis import called, is_text, least_fixpoint, productive
from slashgrammar.grammar.rewrite.rebuild import with_parts


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
        new = [other for other in called(grammar.rules[name]) if other not in reached]
        reached.update(new)
        todo.extend(new)
    if len(reached) == len(grammar.rules):
        return grammar
    return Grammar({name: node for name, node in grammar.rules.items() if name in reached}, grammar.start)


def drop_unproductive(grammar: Grammar) -> Grammar:
    """Drop the rules that match no text at all, with the alternatives that need them.

    Preserves the language of every rule that is left. Only the start rule stays where it matches nothing, as `NOTHING`.
    Literals with lone surrogates match no text.
    """
    members = least_fixpoint(grammar.rules, productive)
    if len(members) == len(grammar.rules):
        return grammar

    def clean(node: Node) -> Node:
        if isinstance(node, Reference):
            return node if node.name in members else NOTHING
        if isinstance(node, Literal):
            return node if is_text(node.text) else NOTHING
        return with_parts(node, clean)

    rules = {name: clean(node) for name, node in grammar.rules.items() if name in members}
    rules.setdefault(grammar.start, NOTHING)
    return Grammar(rules, grammar.start)
