"""What a pattern asks of the text around it, where it is to match a part of a text and not all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from slashgrammar.grammar.automaton import Automaton, explore
from slashgrammar.grammar.automaton.minimise import DEAD
from slashgrammar.grammar.ir import ANY_CHAR, MAX_CODE_POINT, CharClass, Node, repeat, seq
from slashgrammar.grammar.regex.lookaround import pattern_automaton
from slashgrammar.grammar.regex.pattern import Pattern

# No characters of a text, so they can stand for the places where the part begins and ends.
_BEGIN: Final = CharClass(((MAX_CODE_POINT + 1, MAX_CODE_POINT + 1),))
_END: Final = CharClass(((MAX_CODE_POINT + 2, MAX_CODE_POINT + 2),))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The matches of a pattern inside of longer texts.

    Attributes:
        before: whether the text before a match has a say in it.
        after: whether the text after a match has a say in it.
        matches: what the pattern matches with one text around it or the other.
    """

    before: bool
    after: bool
    matches: Automaton


def surroundings(pattern: Pattern, rules: Mapping[str, Node]) -> Surroundings:
    """Finds out what a pattern asks of the text around its matches.

    Raises GrammarError and AutomatonTooLarge as `pattern_automaton` does.
    """
    anything = repeat(ANY_CHAR)
    framed = Pattern(seq(anything, _BEGIN, pattern.node, _END, anything), pattern.looks)
    automaton = pattern_automaton(framed, rules, unseen=(_BEGIN, _END))
    ways = [dict(zip(automaton.classes, row, strict=True)) for row in automaton.edges]
    begun = frozenset(way[_BEGIN] for way in ways if way.get(_BEGIN, DEAD) != DEAD)
    ended = {way[_END] for way in ways if way.get(_END, DEAD) != DEAD}
    classes = [chars for chars in automaton.classes if chars not in (_BEGIN, _END)]

    def step(states: frozenset[int], symbol: int) -> frozenset[int]:
        targets = {ways[state][classes[symbol]] for state in states}
        return frozenset(target for target in targets if target != DEAD)

    def final(states: frozenset[int]) -> bool:
        return any(ways[state].get(_END, DEAD) != DEAD for state in states)

    return Surroundings(
        before=not _is_loop(automaton, 0),
        after=any(not (automaton.accepting[state] and _is_loop(automaton, state)) for state in ended),
        matches=explore(classes, begun, step, final),
    )


def _is_loop(automaton: Automaton, state: int) -> bool:
    """Whether every character of a text leads from a state back to it."""
    stays = CharClass(())
    for chars, target in zip(automaton.classes, automaton.edges[state], strict=True):
        if target == state:
            stays |= chars
    return ANY_CHAR & stays == ANY_CHAR
