"""Passes over a grammar, each a function from grammar to grammar in its own file, and `prepare`, which runs them."""

from __future__ import annotations

from slashgrammar.grammar.ir import Grammar
from slashgrammar.grammar.rewrite.depth import bound_depth
from slashgrammar.grammar.rewrite.factor import factor
from slashgrammar.grammar.rewrite.flatten import flatten_loops
from slashgrammar.grammar.rewrite.inline import inline
from slashgrammar.grammar.rewrite.left_recursion import remove_left_recursion
from slashgrammar.grammar.rewrite.loops import loops_from_right_recursion
from slashgrammar.grammar.rewrite.nullable import remove_nullable_loops
from slashgrammar.grammar.rewrite.restrict import restrict
from slashgrammar.grammar.rewrite.share import share
from slashgrammar.grammar.rewrite.simplify import simplify
from slashgrammar.grammar.rewrite.useless import drop_unproductive, drop_unreachable

__all__ = ["PASSES", "prepare", "restrict"]

PASSES = (
    bound_depth,  # all that follow recurse into nodes
    drop_unreachable,
    drop_unproductive,
    remove_nullable_loops,
    remove_left_recursion,
    drop_unproductive,  # the non-empty part of a rule may be nothing
    inline,
    loops_from_right_recursion,
    inline,
    simplify,
    flatten_loops,
    factor,
    share,
    drop_unreachable,
)


def prepare(grammar: Grammar) -> Grammar:
    """Bring a grammar into the form that the printers and the matcher want. Preserves the language.

    Afterwards no rule begins with itself, nothing that matches the empty text is repeated, nodes are nested no deeper
    than about fifty levels, and every rule is reachable and matches some text; only a grammar without any text is left
    with a start rule that is `NOTHING`.

    Raises:
        GrammarError: a reference to a rule that does not exist, or left recursion too entangled to remove.
    """
    for rewrite in PASSES:
        grammar = rewrite(grammar)
    return grammar
