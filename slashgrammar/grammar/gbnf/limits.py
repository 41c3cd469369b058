"""Keep from llama.cpp what would abort the process, hang it, or fill its memory.

Seen with llama-cpp-python 0.3.36 on Linux, where a thread has a stack of 8 MB:

    left recursion behind a rule that is nullable only through others    throws std::bad_alloc, aborts
    an upper bound below the lower one: `x{3,2}`                         fills the memory
    20,000 nested parentheses (10,000 pass)                              overflows the stack
    100,000 rules, each of which begins with the next (50,000 pass)      overflows the stack
    30 rules, each of which begins with the next in two ways             hangs
    100,000 alternatives (10,000 load in 0.4 s)                          hangs
    a place where no character can follow, as after `"a" [\\uD800]`       no token fits, which aborts sampling

What llama.cpp refuses by itself is refused as well, because all it does is return a null pointer, which aborts the
process as soon as it is used. And so is what it takes for something else than what is written: bounds over 2,000,
classes and ranges without characters, a second rule of the same name.
"""

from __future__ import annotations

import re

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.gbnf.corners import LeftCorners
from slashgrammar.grammar.gbnf.read import gbnf_tree, grammar_of
from slashgrammar.grammar.gbnf.size import check_expansion
from slashgrammar.grammar.ir import CharClass, Grammar, Literal, Node, walk
from slashgrammar.grammar.rewrite.analysis import is_text, least_fixpoint, left_recursive, nullable, productive
from slashgrammar.grammar.rewrite.depth import bound_depth
from slashgrammar.grammar.rewrite.useless import drop_unreachable

MAX_LENGTH = 1_000_000
MAX_NESTING = 200  # musl gives a thread 128 kB, enough for some 230
MAX_DEPTH = 3_000  # macOS gives a thread 512 kB, enough for some 4,000
MAX_STEPS = 10_000_000
MAX_STACKS = 10_000

_PARENTHESES = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|\[[^\]\\]*(?:\\.[^\]\\]*)*\]|#[^\r\n]*|[()]', re.DOTALL)


def check_gbnf(text: str) -> None:
    """Refuse a GBNF text that llama.cpp must not be given.

    Raises:
        GrammarError: what is wrong with it, in which line or rule, and what to do.
    """
    if len(text) > MAX_LENGTH:
        raise GrammarError(f"the grammar has over {MAX_LENGTH:,} characters, more than llama.cpp should be given")
    if "\0" in text or not is_text(text):
        raise GrammarError("the grammar holds U+0000 or a lone surrogate, which GBNF cannot; leave it out")
    _check_nesting(text)
    tree = gbnf_tree(text)
    check_expansion(tree)
    check_grammar(grammar_of(tree, tidy=False))


def check_grammar(grammar: Grammar) -> None:
    """Refuse a grammar that llama.cpp must not be given, once it is printed part by part as it stands.

    Raises:
        GrammarError: what is wrong with it, in which rule, and what to do.
    """
    grammar = bound_depth(grammar)
    _check_for_dead_ends(drop_unreachable(grammar))
    empty = least_fixpoint(grammar.rules, nullable)
    for group in left_recursive(grammar.rules, empty):
        through = f" through {', '.join(group[1:4])}" if len(group) > 1 else ""
        message = f"begins with itself{through}; llama.cpp cannot take left recursion: let the repeated part follow"
        raise GrammarError(message, rule=group[0])
    corners = LeftCorners(grammar.rules, empty)
    for name, reach in corners.rules.items():
        if reach.depth > MAX_DEPTH:
            message = f"leads through a chain of over {MAX_DEPTH:,} rules that begin with each other; let it be shorter"
            raise GrammarError(message, rule=name)
    for name, node in grammar.rules.items():
        if corners.most_stacks(node) > MAX_STACKS:
            message = f"goes on in over {MAX_STACKS:,} ways at one place; let alternatives that begin alike share that"
            raise GrammarError(message, rule=name)
    if corners.search_steps() > MAX_STEPS:
        raise GrammarError(
            "its rules begin with each other in too many ways; let alternatives share what they begin with"
        )


def _check_nesting(text: str) -> None:
    depth = 0
    for match in _PARENTHESES.finditer(text):
        if match[0] == "(":
            depth += 1
            if depth > MAX_NESTING:
                line = text.count("\n", 0, match.start()) + 1
                raise GrammarError(
                    f"over {MAX_NESTING} parentheses inside each other; give inner parts rules", line=line
                )
        elif match[0] == ")":
            depth -= 1


def _check_for_dead_ends(grammar: Grammar) -> None:
    """Refuse what, once begun, cannot be completed: then no token fits, or generation never ends."""
    for name, node in grammar.rules.items():
        for part in walk(node):
            if not _has_text(part):
                raise GrammarError("has a part that no text matches; leave it out", rule=name)
    productive_rules = least_fixpoint(grammar.rules, productive)
    for name in grammar.rules:
        if name not in productive_rules:
            raise GrammarError("matches no text that ends, because it always needs itself again", rule=name)


def _has_text(leaf: Node) -> bool:
    """Whether a leaf can be generated; llama.cpp never generates U+0000."""
    if isinstance(leaf, Literal):
        return is_text(leaf.text) and "\0" not in leaf.text
    return not isinstance(leaf, CharClass) or leaf.ranges not in ((), ((0, 0),))
