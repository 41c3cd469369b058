"""Strings that are bound to something as code blocks: the blocks whose content is one of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.intersect import intersect
from slashgrammar.grammar.automaton.rules import to_grammar
from slashgrammar.grammar.ir import (
    ANY_CHAR,
    EMPTY,
    NOTHING,
    Grammar,
    Literal,
    Node,
    Reference,
    alt,
    char_class,
    chars,
    opt,
    repeat,
    seq,
)
from slashgrammar.grammar.schema.language import automaton_of, language_of
from slashgrammar.grammar.schema.spelling import digest
from slashgrammar.grammar.schema.strings import Strings
from slashgrammar.grammar.schema.texts import Text, prepared_text

STATE_LIMIT = 24
"""How many states the automaton of a set of strings may have for blocks to be offered."""

RULE_LIMIT = 400
"""How many rules the blocks for a set of strings may have before longer fences are left out."""

_FENCES = range(3, 9)
_FENCE = Literal("```")
_TEXT = ANY_CHAR - char_class([(0, 8), (11, 31)])
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f]")
_SEVERAL_LINES = Automaton.of(seq(repeat(_TEXT), Literal("\n"), repeat(_TEXT)))
_TEXTS = Automaton.of(repeat(_TEXT))

_Common: TypeAlias = "Callable[[Automaton, str], Grammar]"
"""What a language has in common with an automaton, under a name for the start rule."""


@lru_cache(maxsize=256)
def block_of(strings: Strings) -> Text | None:
    """The blocks for a set of strings; None where none has several lines, or a grammar cannot say which have.

    Inner blocks are left out: no line begins with as many backticks as the fence, and none holds a backtick where
    characters are counted.
    """
    if strings.values is not None:
        found = [_listed(value) for value in strings.values if "\n" in value and not _UNFIT.search(value)]
        return Text(alt(*found), {}) if found else None
    is_counted = strings.most is not None or strings.least > STATE_LIMIT
    if is_counted and strings == Strings(least=strings.least, most=strings.most):
        return _of_length(strings.least, strings.most)
    try:
        return _of_language(_common_with(strings), f":block-{digest(strings.identity)}")
    except GrammarError:  # too large to tell
        return None


def _common_with(strings: Strings) -> _Common:
    if strings.grammar is not None:
        grammar = language_of(strings).grammar
        return lambda automaton, name: intersect(grammar, automaton, name)
    own = automaton_of(strings, STATE_LIMIT)
    if own is None:
        return lambda automaton, name: Grammar({name: NOTHING}, name)
    return lambda automaton, name: to_grammar(own & automaton, name)


def _of_language(common: _Common, name: str) -> Text | None:
    """The blocks of a language, with fences of all the lengths that its texts need."""
    if _is_empty(common(_SEVERAL_LINES, name)):
        return None
    has_empty = not _is_empty(common(Automaton.of(EMPTY), name))
    rules: dict[str, Node] = {}
    ways: list[Node] = []
    for length in _FENCES:
        content = common(_without_fence(length), f"{name}-{length}")
        if len(rules) + len(content.rules) > RULE_LIMIT:
            break
        fence = Literal("`" * length)
        if not _is_empty(content):
            rules.update(content.rules)
            ways.append(seq(fence, Literal("\n"), Reference(content.start), Literal("\n"), fence))
        if has_empty:
            ways.append(seq(fence, Literal("\n"), fence))
        if _is_empty(common(_TEXTS - _without_fence(length), name)):
            break
    return prepared_text(Grammar({**rules, name: alt(*ways)}, name)) if ways else None


def _is_empty(grammar: Grammar) -> bool:
    return grammar.rules[grammar.start] == NOTHING


def _of_length(least: int, most: int | None) -> Text | None:
    """The blocks with so many characters, as far as these can be counted, which takes that none is a backtick."""
    if most == 0:
        return None
    content = repeat(_TEXT - chars("`"), least, most)
    ways = [seq(_FENCE, Literal("\n"), content, Literal("\n"), _FENCE)]
    return Text(alt(*ways, *([] if least else [seq(_FENCE, Literal("\n"), _FENCE)])), {})


def _listed(value: str) -> Node:
    longest = max((len(run) for run in re.findall("^`+", value, re.MULTILINE)), default=0)
    fence = "`" * max(_FENCES[0], longest + 1)
    return Literal(f"{fence}\n{value}\n{fence}")


@lru_cache(maxsize=8)
def _without_fence(length: int) -> Automaton:
    """The texts of which no line begins with so many backticks."""
    rest = repeat(_TEXT - chars("\n"))
    line = opt(seq(repeat(Literal("`"), 0, length - 1), opt(seq(_TEXT - chars("`\n"), rest))))
    return Automaton.of(seq(line, repeat(seq(Literal("\n"), line))))
