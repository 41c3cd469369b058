"""Answers the conditions of a pattern that their neighbours decide, so that most patterns need no automaton.

In `^[a-z]{1,500}$` the edges of the text decide both anchors, in `-\\bid` hyphen and letter decide the boundary.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Items
from typing import Final, TypeAlias

from slashgrammar.grammar.compact import join
from slashgrammar.grammar.ir import (
    ANY_CHAR,
    EMPTY,
    NOTHING,
    CharClass,
    Choice,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    chars,
    references,
    repeat,
    seq,
)
from slashgrammar.grammar.regex.pattern import Look, Pattern

_EDGE: Final = "edge"
_Neighbour: TypeAlias = "CharClass | str | None"
"""What stands on one side of a place: one of these characters, the edge of the text, or None if it is not known."""


def simplify(pattern: Pattern) -> Pattern:
    """The same full matches, with as few conditions as the neighbours leave undecided."""
    if not pattern.looks:
        return pattern
    node = _decide(pattern.node, pattern.looks, _EDGE, _EDGE)
    # A reference may also be to a rule that has conditions.
    return Pattern(node, pattern.looks if any(True for _ in references(node)) else {})


def searched(pattern: Pattern) -> Pattern:
    """The texts in which the pattern matches somewhere, as full matches: `a|^b` becomes `.*a.*|b.*`."""
    anything = repeat(ANY_CHAR)
    ways: dict[tuple[Node, Node], list[Node]] = {}
    for way in pattern.node.items if isinstance(pattern.node, Choice) else (pattern.node,):
        items = way.items if isinstance(way, Sequence) else (way,)
        before = EMPTY if _holds_only_at_edge(items[0], pattern.looks, behind=True) else anything
        after = EMPTY if _holds_only_at_edge(items[-1], pattern.looks, behind=False) else anything
        ways.setdefault((before, after), []).append(way)
    whole = alt(*(join((before, alt(*same), after)) for (before, after), same in ways.items()))
    return simplify(Pattern(whole, pattern.looks))


def _holds_only_at_edge(node: Node, looks: Mapping[str, Look], *, behind: bool) -> bool:
    look = looks.get(node.name) if isinstance(node, Reference) else None
    return look == Look(ANY_CHAR, behind=behind, negative=True)


def _decide(node: Node, looks: Mapping[str, Look], before: _Neighbour, after: _Neighbour) -> Node:
    match node:
        case Reference(name) if name in looks:
            look = looks[name]
            holds = _holds(look, looks, before if look.behind else after)
            return node if holds is None else EMPTY if holds else NOTHING
        case Choice(items):
            return alt(*(_decide(item, looks, before, after) for item in items))
        case Repeat(item, low, 1):
            return repeat(_decide(item, looks, before, after), low, 1)
        case Repeat(item, low, high):
            return repeat(_decide(item, looks, None, None), low, high)
        case Sequence(items):
            return seq(
                *(
                    _decide(
                        item,
                        looks,
                        _nearest(items[:index][::-1], looks, before, last=True),
                        _nearest(items[index + 1 :], looks, after, last=False),
                    )
                    for index, item in enumerate(items)
                )
            )
    return node


def _holds(look: Look, looks: Mapping[str, Look], neighbour: _Neighbour) -> bool | None:
    if neighbour == _EDGE:
        matches = _matches_nothing(look.node, looks, behind=look.behind)
    elif isinstance(neighbour, CharClass) and isinstance(look.node, CharClass):
        common = neighbour & look.node
        matches = True if common == neighbour else None if common else False
    else:
        return None
    return None if matches is None else matches is not look.negative


def _matches_nothing(node: Node, looks: Mapping[str, Look], *, behind: bool) -> bool | None:
    """Whether an expression matches at the edge of the text, behind it or before it; None where that is open."""
    match node:
        case Literal(text):
            return not text
        case Reference(name):
            look = looks.get(name)
            return _holds(look, looks, _EDGE) if look is not None and look.behind is behind else None
        case Repeat(item, low, _):
            return True if low == 0 else _matches_nothing(item, looks, behind=behind)
        case Sequence(items):
            answers = [_matches_nothing(item, looks, behind=behind) for item in items]
            return False if False in answers else None if None in answers else True
        case Choice(items):
            answers = [_matches_nothing(item, looks, behind=behind) for item in items]
            return True if True in answers else None if None in answers else False
    return False


def _nearest(items: Items[Node], looks: Mapping[str, Look], beyond: _Neighbour, *, last: bool) -> _Neighbour:
    """The neighbour that a list of items offers, the nearest item first; `last`: their last characters count."""
    for item in items:
        if not (isinstance(item, Reference) and item.name in looks):
            return _outermost(item, last=last)
    return beyond


def _outermost(node: Node, *, last: bool) -> CharClass | None:
    """The characters that a node's texts end with (`last`) or begin with; None where one may be empty."""
    match node:
        case Literal(text) if text:
            return chars(text[-1 if last else 0])
        case CharClass():
            return node
        case Repeat(item, low, _) if low:
            return _outermost(item, last=last)
        case Sequence(items):
            return _outermost(items[-1 if last else 0], last=last)
        case Choice(items):
            union = CharClass(())
            for item in items:
                part = _outermost(item, last=last)
                if part is None:
                    return None
                union |= part
            return union
    return None
