"""Regular expressions of Python's `re` as IR nodes.

Python's own parser reads the pattern, so its syntax and its flags mean what they mean to `re`. The result is the
language of `re.fullmatch`: greedy or not makes no difference to it, and groups are brackets.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton.rules import to_node
from slashgrammar.grammar.ir import (
    ANY_CHAR,
    NOTHING,
    CharClass,
    Node,
    alt,
    char_class,
    character,
    repeat,
    seq,
)
from slashgrammar.grammar.regex.lookaround import pattern_automaton
from slashgrammar.grammar.regex.neighbours import simplify
from slashgrammar.grammar.regex.pattern import Pattern, PatternBuilder
from slashgrammar.grammar.regex.unicode_classes import ignore_case, shorthand

_sre = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
Tree: TypeAlias = Iterable[tuple[Any, Any]]
UNBOUNDED: Final[int] = _sre.MAXREPEAT
_NEWLINE = char_class([(10, 10)])
_TYPE_FLAGS = re.ASCII | re.UNICODE | re.LOCALE


def regex_to_ir(pattern: str, flags: int = 0) -> Node:
    """What `re.fullmatch(pattern, text, flags)` accepts, as one node without references.

    Raises:
        GrammarError: the pattern is not valid, or not regular (a back reference), or too large for an automaton.
    """
    parsed = simplify(parse_regex(pattern, flags))
    return to_node(pattern_automaton(parsed)) if parsed.looks else parsed.node


def parse_regex(pattern: str, flags: int = 0, builder: PatternBuilder | None = None) -> Pattern:
    """The pattern with its lookarounds and anchors still in it, which are collected in `builder`.

    Raises GrammarError as `regex_to_ir` does.
    """
    tree, flags = parse_tree(pattern, flags)
    try:
        return _Translator(builder or PatternBuilder()).translate(tree, flags)
    except RecursionError:
        raise GrammarError("the regular expression is nested too deeply") from None


def parse_tree(pattern: str, flags: int = 0) -> tuple[Tree, int]:
    """What Python's parser makes of a pattern: (operation, argument) pairs, and the flags with those in the pattern.

    Raises GrammarError for a pattern that is not valid.
    """
    try:
        tree = _sre.parse(pattern, flags)
    except re.error as error:
        place = f" at position {error.pos}" if error.pos is not None else ""
        raise GrammarError(f"not a regular expression of Python: {error.msg}{place}") from None
    except RecursionError:
        raise GrammarError("the regular expression is nested too deeply") from None
    except (OverflowError, ValueError) as error:
        raise GrammarError(f"not a regular expression of Python: {error}") from None
    return tree, tree.state.flags


def single_character(operation: str, argument: Any, flags: int) -> CharClass | None:
    """The class of an operation that reads exactly one character; None for any other operation."""
    match operation:
        case "LITERAL":
            return _cased(char_class([(argument, argument)]), flags)
        case "NOT_LITERAL":
            return ANY_CHAR - _cased(char_class([(argument, argument)]), flags)
        case "ANY":
            return ANY_CHAR if flags & re.DOTALL else ANY_CHAR - _NEWLINE
        case "IN":
            return _set(argument, flags)
    return None


def scoped_flags(flags: int, added: int, removed: int) -> int:
    """The flags inside a group that changes some."""
    if added & _TYPE_FLAGS:
        flags &= ~_TYPE_FLAGS
    return (flags | added) & ~removed


class _Translator:
    """Walks the list of (operation, argument) pairs that Python's parser makes of a pattern."""

    def __init__(self, builder: PatternBuilder) -> None:
        self._builder = builder

    def translate(self, tree: Tree, flags: int) -> Pattern:
        node = self._sequence(tree, flags)
        return Pattern(node, self._builder.looks)

    def _sequence(self, tree: Tree, flags: int) -> Node:
        return seq(*(self._operation(str(operation), argument, flags) for operation, argument in tree))

    def _operation(self, operation: str, argument: Any, flags: int) -> Node:
        chars = single_character(operation, argument, flags)
        if chars is not None:
            return character(chars)
        match operation:
            case "BRANCH":
                return alt(*(self._sequence(branch, flags) for branch in argument[1]))
            case "SUBPATTERN":
                _, added, removed, item = argument
                return self._sequence(item, scoped_flags(flags, added, removed))
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeat(argument, flags)
            case "POSSESSIVE_REPEAT":
                return self._atomic(self._repeat(argument, flags))
            case "ATOMIC_GROUP":
                return self._atomic(self._sequence(argument, flags))
            case "AT":
                return self._anchor(str(argument), flags)
            case "ASSERT" | "ASSERT_NOT":
                direction, item = argument
                inner = self._sequence(item, flags)
                return self._builder.look(inner, behind=direction < 0, negative=operation == "ASSERT_NOT")
            case "FAILURE":
                return NOTHING
        raise GrammarError("a back reference to a group is not regular; write out what may be repeated")

    def _repeat(self, repetition: tuple[Any, Any, Any], flags: int) -> Node:
        low, high, item = repetition
        return repeat(self._sequence(item, flags), int(low), None if high == UNBOUNDED else int(high))

    def _atomic(self, node: Node) -> Node:
        result = self._builder.atomic(node)
        if result is None:
            raise GrammarError("an atomic group or possessive repetition is supported for one character class only")
        return result

    def _anchor(self, place: str, flags: int) -> Node:
        builder, multiline = self._builder, flags & re.MULTILINE
        match place:
            case "AT_BEGINNING":
                return builder.line_start(_NEWLINE) if multiline else builder.text_start()
            case "AT_BEGINNING_STRING":
                return builder.text_start()
            case "AT_END":
                return builder.line_end(_NEWLINE) if multiline else builder.last_line_end()
            case "AT_END_STRING":
                return builder.text_end()
            case boundary:
                word = shorthand("w", ascii_only=bool(flags & re.ASCII))
                if boundary == "AT_BOUNDARY":
                    return builder.word_boundary(word)
                inside = builder.word_boundary(word, negative=True)
                # Before Python 3.14, `\\B` did not hold in an empty text.
                filled = alt(builder.look(ANY_CHAR, behind=True), builder.look(ANY_CHAR))
                return inside if sys.version_info >= (3, 14) else seq(filled, inside)


def _cased(chars: CharClass, flags: int) -> CharClass:
    return ignore_case(chars, ascii_only=bool(flags & re.ASCII)) if flags & re.IGNORECASE else chars


def _set(members: list[tuple[Any, Any]], flags: int) -> CharClass:
    """The class between square brackets."""
    ranges: list[tuple[int, int]] = []
    categories: list[CharClass] = []
    negated = False
    for kind, value in members:
        match str(kind):
            case "NEGATE":
                negated = True
            case "LITERAL":
                ranges.append((value, value))
            case "RANGE":
                ranges.append(value)
            case _:
                categories.append(_category(str(value), flags))
    result = _cased(char_class(ranges), flags)
    for category in categories:
        result |= category
    return ~result if negated else result


def _category(name: str, flags: int) -> CharClass:
    """CATEGORY_DIGIT, CATEGORY_NOT_SPACE and the like."""
    *_, negated, kind = name.split("_")
    chars = shorthand(kind[0].lower(), ascii_only=bool(flags & re.ASCII))
    return ~chars if negated == "NOT" else chars
