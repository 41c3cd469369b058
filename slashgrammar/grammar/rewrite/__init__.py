"""Passes over a grammar, each a function from grammar to grammar in its own file, and `prepare`, which runs them."""

from __future__ import annotations

from slashgrammar.grammar.ir import Grammar
from slashgrammar.grammar.rewrite.depth import bound_depth
from slashgrammar.grammar.rewrite.useless import drop_unproductive, drop_unreachable


def prepare(grammar: Grammar) -> Grammar:
    """Bring a grammar into the form that the printers and the matcher want. Preserves the language.

    Afterwards nodes are nested no deeper than `depth.MAX_DEPTH`, and every rule is reachable and matches some text (but
    for a start rule that matches none, which is `NOTHING`).
    """
    return drop_unreachable(drop_unproductive(bound_depth(drop_unreachable(grammar))))
