"""Keys told apart by the patterns that they match, without the combinations that no key can have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import ANYTHING, Automaton
from slashgrammar.grammar.regex.ecma import ecma_automaton
from slashgrammar.grammar.schema.facts import Matches

KIND_LIMIT = 32
"""How many kinds of keys are told apart."""


@dataclass(frozen=True, slots=True)
class KeyKind:
    """Keys that match just these of some patterns; `facts` say so, without what goes without saying."""

    matched: frozenset[str]
    facts: tuple[Matches, ...]


@lru_cache(maxsize=512)
def kinds_of_keys(patterns: tuple[str, ...]) -> tuple[KeyKind, ...] | None:
    """The kinds of keys that the patterns make; None where there are more than `KIND_LIMIT`."""
    if not patterns:
        return (KeyKind(frozenset(), ()),)
    if len(patterns) == 1:
        (pattern,) = patterns
        return (
            KeyKind(frozenset(patterns), (Matches("pattern", pattern),)),
            KeyKind(frozenset(), (Matches("pattern", pattern, positive=False),)),
        )
    parts = [(KeyKind(frozenset(), ()), ANYTHING)]
    for pattern in patterns:
        try:
            language = ecma_automaton(pattern)
            parts = [half for kind, keys in parts for half in _halves(kind, keys, pattern, language)]
        except GrammarError:
            return None
        if len(parts) > KIND_LIMIT:
            return None
    return tuple(kind for kind, _ in parts)


def _halves(kind: KeyKind, keys: Automaton, pattern: str, language: Automaton) -> list[tuple[KeyKind, Automaton]]:
    inside, outside = keys & language, keys - language
    matching = kind.matched | {pattern}
    if inside.is_empty:
        return [(kind, keys)]
    if outside.is_empty:
        return [(KeyKind(matching, kind.facts), keys)]
    return [
        (KeyKind(matching, (*kind.facts, Matches("pattern", pattern))), inside),
        (KeyKind(kind.matched, (*kind.facts, Matches("pattern", pattern, positive=False))), outside),
    ]
