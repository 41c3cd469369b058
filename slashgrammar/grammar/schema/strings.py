"""Strings: what the facts of a branch leave of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from slashgrammar.grammar.argument_grammar import ArgumentGrammar
from slashgrammar.grammar.schema.facts import Count, Fact, Matches, OneOf


@dataclass(frozen=True, slots=True)
class Strings:
    """A set of strings.

    Attributes:
        values: the only members, where they can be listed; nothing else is then set.
        least, most: bounds of the length in code points.
        matches: patterns and formats that all members match, or do not match.
        excluded: single strings that are no members.
    """

    values: tuple[str, ...] | None = None
    least: int = 0
    most: int | None = None
    matches: tuple[Matches, ...] = ()
    excluded: frozenset[str] = frozenset()

    @property
    def grammar(self) -> ArgumentGrammar | None:
        """A Lark grammar that all members are texts of."""
        return next((fact.language for fact in self.matches if _is_context_free(fact)), None)

    @property
    def beside_grammar(self) -> Strings:
        """What is asked of the members besides."""
        own = next((fact for fact in self.matches if _is_context_free(fact)), None)
        return replace(self, matches=tuple(fact for fact in self.matches if fact is not own))

    @property
    def keywords(self) -> list[str]:
        """The keywords that say what the members are, each once."""
        found = ["minLength"] * bool(self.least) + ["maxLength"] * (self.most is not None)
        found += [fact.keyword for fact in self.matches] + ["not"] * bool(self.excluded)
        return list(dict.fromkeys(found))

    @property
    def is_free(self) -> bool:
        """Whether every string is a member."""
        return self == Strings()

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells this set from others, in an order that does not depend on the process."""
        matches = [(fact.keyword, fact.argument, fact.positive) for fact in self.matches]
        return self.values, self.least, self.most, matches, sorted(self.excluded)

    def accepts(self, text: str) -> bool:
        """Whether a string is a member."""
        if self.values is not None:
            return text in self.values
        if len(text) < self.least or (self.most is not None and len(text) > self.most) or text in self.excluded:
            return False
        return all(fact.holds_for(text) for fact in self.matches)

    @classmethod
    def of(cls, facts: list[Fact]) -> Strings | None:
        """The strings for which all facts hold; None if there are none for sure."""
        least, most = 0, None
        matches: dict[Matches, None] = {}
        excluded: set[str] = set()
        listed: list[OneOf] = []
        for fact in facts:
            if isinstance(fact, Count):
                least = max(least, fact.least)
                most = fact.most if most is None else min(most, most if fact.most is None else fact.most)
            elif isinstance(fact, Matches) and fact.says_something:
                matches[fact] = None
            elif isinstance(fact, Matches) and not fact.positive:
                return None
            elif isinstance(fact, OneOf) and fact.positive:
                listed.append(fact)
            elif isinstance(fact, OneOf):
                excluded.update(value for value in fact.values if isinstance(value, str))
        if most is not None and least > most:
            return None
        if not listed:
            return cls(None, least, most, tuple(matches), frozenset(excluded))
        keys = frozenset.intersection(*(fact.keys for fact in listed))
        texts = dict.fromkeys(value for value in listed[0].values if isinstance(value, str) and value in keys)
        asked = cls(None, least, most, tuple(matches), frozenset(excluded))
        members = tuple(filter(asked.accepts, texts))
        return cls(members) if members else None


def _is_context_free(fact: Matches) -> bool:
    return fact.positive and fact.language is not None and not fact.language.is_regular
