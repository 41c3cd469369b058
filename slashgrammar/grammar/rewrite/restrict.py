"""Keep characters out of a language."""

from __future__ import annotations

from slashgrammar.grammar.ir import NOTHING, CharClass, Grammar, Literal, Node, character
from slashgrammar.grammar.rewrite.depth import bound_depth
from slashgrammar.grammar.rewrite.rebuild import with_parts
from slashgrammar.grammar.rewrite.useless import drop_unproductive


def restrict(grammar: Grammar, allowed: CharClass) -> Grammar:
    """The texts of the grammar that consist of allowed characters only.

    The same holds for every rule that is left; a rule without any such text is dropped, unless it is the start rule,
    which becomes `NOTHING`.
    """

    def restricted(node: Node) -> Node:
        if isinstance(node, Literal):
            return node if all(char in allowed for char in node.text) else NOTHING
        if isinstance(node, CharClass):
            common = node & allowed
            return node if common == node else character(common)
        return with_parts(node, restricted)

    rules = {name: restricted(node) for name, node in bound_depth(grammar).rules.items()}
    return drop_unproductive(Grammar(rules, grammar.start))
