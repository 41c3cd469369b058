"""Passes over a grammar, each a function from grammar to grammar in its own file, and `prepare`, which runs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from slashgrammar.grammar.ir import Grammar, Node
from slashgrammar.grammar.rewrite.depth import bound_depth
from slashgrammar.grammar.rewrite.factor import factor
from slashgrammar.grammar.rewrite.flatten import flatten_loops
from slashgrammar.grammar.rewrite.inline import inline
from slashgrammar.grammar.rewrite.left_recursion import remove_left_recursion
from slashgrammar.grammar.rewrite.loops import loops_from_right_recursion
from slashgrammar.grammar.rewrite.nullable import remove_nullable_loops
from slashgrammar.grammar.rewrite.restrict import restrict
from slashgrammar.grammar.rewrite.settled import Settled, all_of, settle
from slashgrammar.grammar.rewrite.share import share
from slashgrammar.grammar.rewrite.simplify import simplify
from slashgrammar.grammar.rewrite.useless import drop_unproductive, drop_unreachable

__all__ = ["PASSES", "Settled", "prepare", "prepare_for_others", "restrict"]

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


def prepare(grammar: Grammar, settled: Settled | None = None) -> Grammar:
    """Bring a grammar into the form that the printers and the matcher want. Preserves the language.

    Afterwards no rule begins with itself, nothing that matches the empty text is repeated, nodes are nested no deeper
    than about fifty levels, and every rule is reachable and matches some text; only a grammar without any text is left
    with a start rule that is `NOTHING`.

    Args:
        settled: prepared rules, which take the place of the grammar's rules of the same names.

    Raises:
        GrammarError: a reference to a rule that does not exist, or left recursion too entangled to remove.
    """
    if settled is not None:
        grammar = settled.stand_in(grammar)
    for rewrite in PASSES:
        grammar = rewrite(grammar)
    return grammar if settled is None else settled.put_in(grammar)


def prepare_for_others(rules: Mapping[str, Node], names: Iterable[str]) -> Settled:
    """Prepare rules once that many grammars refer to.

    Args:
        rules: the rules, and all that they lead to.
        names: those that are referred to.
    """
    names = list(names)
    return settle(rules, prepare(all_of(rules, names)), names)
