"""Keys told apart by the patterns that they match, without the combinations that no key can have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.schema.conditions import automaton_of_facts
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
    kinds = [KeyKind(frozenset(), ())]
    for pattern in patterns:
        try:
            kinds = [half for kind in kinds for half in _halves(kind, pattern)]
        except GrammarError:
            return None
        if len(kinds) > KIND_LIMIT:
            return None
    return tuple(kinds)


def _halves(kind: KeyKind, pattern: str) -> list[KeyKind]:
    """The keys that match one more pattern, and those that do not, where there are both."""
    inside = KeyKind(kind.matched | {pattern}, (*kind.facts, Matches("pattern", pattern)))
    outside = KeyKind(kind.matched, (*kind.facts, Matches("pattern", pattern, positive=False)))
    if automaton_of_facts(inside.facts).is_empty:
        return [kind]
    if automaton_of_facts(outside.facts).is_empty:
        return [KeyKind(inside.matched, kind.facts)]
    return [inside, outside]
