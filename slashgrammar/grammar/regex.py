"""Regular expressions of Python's `re` as IR nodes.

Python's own parser reads the pattern, so its syntax and its flags mean what they mean to `re`. The result is the
language of `re.fullmatch`: greedy or not makes no difference to it, and groups are brackets.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton_ir import to_node
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
from slashgrammar.grammar.lookaround import pattern_automaton
from slashgrammar.grammar.neighbours import simplify
from slashgrammar.grammar.pattern import Pattern, PatternBuilder
from slashgrammar.grammar.unicode_classes import ignore_case, shorthand

_sre = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
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
    try:
        tree = _sre.parse(pattern, flags)
        return _Translator(builder or PatternBuilder()).translate(tree, tree.state.flags)
    except re.error as error:
        place = f" at position {error.pos}" if error.pos is not None else ""
        raise GrammarError(f"not a regular expression of Python: {error.msg}{place}") from None
    except (RecursionError, OverflowError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise GrammarError(f"the regular expression is too large: {reason}") from None
    except ValueError as error:
        raise GrammarError(f"not a regular expression of Python: {error}") from None


class _Translator:
    """Walks the list of (operation, argument) pairs that Python's parser makes of a pattern."""

    def __init__(self, builder: PatternBuilder) -> None:
        self._builder = builder
        self._operations: dict[str, Callable[[Any, int], Node]] = {
            "LITERAL": self._literal,
            "NOT_LITERAL": lambda code, flags: ANY_CHAR - _cased(char_class([(code, code)]), flags),
            "ANY": lambda _, flags: ANY_CHAR if flags & re.DOTALL else ANY_CHAR - _NEWLINE,
            "IN": lambda members, flags: character(_set(members, flags)),
            "BRANCH": lambda branches, flags: alt(*(self._sequence(branch, flags) for branch in branches[1])),
            "SUBPATTERN": self._group,
            "MAX_REPEAT": self._repeat,
            "MIN_REPEAT": self._repeat,
            "POSSESSIVE_REPEAT": lambda repetition, flags: self._atomic(self._repeat(repetition, flags)),
            "ATOMIC_GROUP": lambda item, flags: self._atomic(self._sequence(item, flags)),
            "AT": self._anchor,
            "ASSERT": lambda look, flags: self._look(look, flags, negative=False),
            "ASSERT_NOT": lambda look, flags: self._look(look, flags, negative=True),
            "FAILURE": lambda _, __: NOTHING,
        }

    def translate(self, tree: Iterable[tuple[Any, Any]], flags: int) -> Pattern:
        node = self._sequence(tree, flags)
        return Pattern(node, self._builder.looks)

    def _sequence(self, tree: Iterable[tuple[Any, Any]], flags: int) -> Node:
        return seq(*(self._operation(operation, argument, flags) for operation, argument in tree))

    def _operation(self, operation: Any, argument: Any, flags: int) -> Node:
        name = str(operation)
        if name in ("GROUPREF", "GROUPREF_EXISTS"):
            raise GrammarError("a back reference to a group is not regular; write out what may be repeated")
        return self._operations[name](argument, flags)

    def _literal(self, code: int, flags: int) -> Node:
        return character(_cased(char_class([(code, code)]), flags))

    def _group(self, group: tuple[Any, int, int, Any], flags: int) -> Node:
        _, added, removed, item = group
        if added & _TYPE_FLAGS:
            flags &= ~_TYPE_FLAGS
        return self._sequence(item, (flags | added) & ~removed)

    def _repeat(self, repetition: tuple[Any, Any, Any], flags: int) -> Node:
        low, high, item = repetition
        return repeat(self._sequence(item, flags), int(low), None if high == _sre.MAXREPEAT else int(high))

    def _atomic(self, node: Node) -> Node:
        result = self._builder.atomic(node)
        if result is None:
            raise GrammarError("an atomic group or possessive repetition is supported for one character class only")
        return result

    def _look(self, look: tuple[int, Any], flags: int, *, negative: bool) -> Node:
        direction, item = look
        return self._builder.look(self._sequence(item, flags), behind=direction < 0, negative=negative)

    def _anchor(self, place: Any, flags: int) -> Node:
        builder, multiline = self._builder, flags & re.MULTILINE
        match str(place):
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
