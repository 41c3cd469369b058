"""What facts about strings mean: each as an expression, and any number of them together as an automaton."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.argument_grammar import KEYWORD
from slashgrammar.grammar.automaton import ANYTHING, Automaton
from slashgrammar.grammar.recent import Recent
from slashgrammar.grammar.regex.ecma import parse_ecma
from slashgrammar.grammar.regex.lookaround import pattern_automaton
from slashgrammar.grammar.regex.pattern import Pattern
from slashgrammar.grammar.schema.facts import Matches
from slashgrammar.grammar.schema.formats import UNSPOKEN, format_of

# By the number of their edges.
_met: Recent[tuple[Matches, ...], Automaton] = Recent(100_000, lambda automaton: 1 + automaton.size)


@dataclass(frozen=True, slots=True)
class Remark:
    """A keyword that a language does not keep to the letter, and why."""

    keyword: str
    reason: str


def pattern_of(fact: Matches, remarks: list[Remark]) -> Pattern | None:
    """A fact as an expression; None where it says nothing, or nothing that a grammar can say."""
    if fact.language is not None:
        if not fact.language.is_regular:
            remarks.append(Remark(KEYWORD, "the opposite of a Lark grammar is left out"))
        return fact.language.pattern
    if fact.keyword == "pattern":
        try:
            return parse_ecma(fact.argument)
        except GrammarError as error:
            remarks.append(Remark("pattern", str(error)))
            return None
    known = format_of(fact.argument)
    if fact.argument in UNSPOKEN:
        remarks.append(Remark("format", f"{fact.argument}: any string is taken"))
    elif known is not None and known.wider:
        remarks.append(Remark("format", f"{fact.argument}: {known.wider}"))
    if known is None or (known.wider and not fact.positive):
        return None  # the opposite of what is too wide would be too narrow
    return Pattern(known.node)


@lru_cache(maxsize=64)
def automaton_of_fact(fact: Matches) -> Automaton:
    """The strings for which a fact holds, or more where no grammar can say it; raises GrammarError if that is large."""
    if fact.language is not None and not fact.language.is_regular:
        raise GrammarError("a Lark grammar can be kept beside no other")
    pattern = pattern_of(fact, [])
    automaton = pattern_automaton(pattern) if pattern is not None else ANYTHING
    return automaton if fact.positive else ~automaton


def automaton_of_facts(facts: tuple[Matches, ...]) -> Automaton:
    """The strings for which all of some facts hold; kept, as for the first ones, with which more sets may begin.

    Raises GrammarError where it has too many states.
    """
    automaton = ANYTHING
    for number in range(1, len(facts) + 1):
        before = automaton
        automaton = _met.get(facts[:number], lambda: _narrowed(before, facts[number - 1]))  # noqa: B023 - called at once
    return automaton


def _narrowed(automaton: Automaton, fact: Matches) -> Automaton:
    return automaton_of_fact(fact) if automaton is ANYTHING else automaton & automaton_of_fact(fact)
