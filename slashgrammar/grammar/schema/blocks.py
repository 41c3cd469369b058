"""Strings that are bound to something as code blocks: the blocks whose content is one of them."""

from __future__ import annotations

import re
from functools import lru_cache

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton_ir import to_grammar
from slashgrammar.grammar.intersect import intersect
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
from slashgrammar.grammar.rewrite.restrict import restrict
from slashgrammar.grammar.schema.language import automaton_of, language_of
from slashgrammar.grammar.schema.spelling import digest
from slashgrammar.grammar.schema.strings import Strings
from slashgrammar.grammar.schema.texts import Text
from slashgrammar.grammar.substitute import substitute

STATE_LIMIT = 24
"""How many states the automaton of a set of strings may have for blocks to be offered."""

_FENCES = range(3, 9)
_FENCE = Literal("```")
_TEXT = ANY_CHAR - char_class([(0, 8), (11, 31)])
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f]")
_SEVERAL_LINES = Automaton.of(seq(repeat(_TEXT), Literal("\n"), repeat(_TEXT)))
_TEXTS = Automaton.of(repeat(_TEXT))


@lru_cache(maxsize=1024)
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
    if strings.grammar is not None:
        return _of_grammar(language_of(strings).grammar, f":block-{digest(strings.identity)}")
    automaton = automaton_of(strings, STATE_LIMIT)
    if automaton is None or (automaton & _SEVERAL_LINES).is_empty:
        return None
    rules: dict[str, Node] = {}
    ways: list[Node] = []
    for length in _FENCES:
        content = to_grammar(automaton & _without_fence(length), f":block-{digest(strings.identity)}-{length}")
        rules.update(content.rules)
        fence = Literal("`" * length)
        ways.append(seq(fence, Literal("\n"), Reference(content.start), Literal("\n"), fence))
        if automaton.accepting[0]:
            ways.append(seq(fence, Literal("\n"), fence))
    return Text(alt(*ways), rules)


def _of_grammar(grammar: Grammar, name: str) -> Text | None:
    """The blocks of a Lark grammar: without backticks, where some text has enough of them for a longer fence."""
    try:
        if _is_empty(intersect(grammar, _SEVERAL_LINES)):
            return None
        needs_longer = not _is_empty(intersect(grammar, _TEXTS - _without_fence(_FENCES[0])))
        has_empty = not _is_empty(intersect(grammar, Automaton.of(EMPTY)))
    except GrammarError:  # too large to tell
        return None
    content = restrict(grammar, _TEXT - chars("`") if needs_longer else _TEXT)
    names: dict[str, Node] = {rule: Reference(f"{name}-{number}") for number, rule in enumerate(content.rules)}
    rules = {f"{name}-{number}": substitute(node, names) for number, node in enumerate(content.rules.values())}
    ways = [seq(_FENCE, Literal("\n"), names[content.start], Literal("\n"), _FENCE)]
    return Text(alt(*ways, *([seq(_FENCE, Literal("\n"), _FENCE)] if has_empty else [])), rules)


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
