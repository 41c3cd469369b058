"""The language of a set of strings: patterns, formats, lengths and exclusions as one regular language.

Most sets have one pattern, which is written as it stands. For several, and for their opposites, automata are
intersected. What is too large or not regular is left out, and said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.argument_grammar import ArgumentGrammar
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.intersect import intersect
from slashgrammar.grammar.automaton.lengths import bound_length
from slashgrammar.grammar.automaton.rules import to_grammar
from slashgrammar.grammar.ir import ANY_CHAR, Grammar, Literal, Node, alt, repeat
from slashgrammar.grammar.schema.conditions import Remark, automaton_of_fact, automaton_of_facts, pattern_of
from slashgrammar.grammar.schema.facts import Matches
from slashgrammar.grammar.schema.strings import Strings

STATE_LIMIT = 40
"""How many states an automaton may have that a Lark grammar is intersected with."""

RULE_LIMIT = 500
"""How many rules the result may have: engines follow all ways to split a text among them."""

_NAME = "text"


@dataclass(frozen=True, slots=True)
class Language:
    """The content of the strings of a set as rules, and where it is wider than the set."""

    grammar: Grammar
    remarks: tuple[Remark, ...] = ()


def language_of(strings: Strings) -> Language:
    """The language of a set of strings that are not listed one by one."""
    remarks: list[Remark] = []
    if strings.grammar is not None:
        grammar = _context_free(strings.grammar, strings.beside_grammar, remarks)
        return Language(grammar, tuple(remarks))
    patterns = {fact: pattern for fact in strings.matches if (pattern := pattern_of(fact, remarks)) is not None}
    language: Node | Automaton = repeat(ANY_CHAR)
    plain = [pattern.node for fact, pattern in patterns.items() if fact.positive and not pattern.looks]
    if len(plain) == len(patterns) <= 1 and not strings.excluded:
        language = plain[0] if plain else language
    else:
        language = _together(_sayable(patterns, remarks), strings.excluded, remarks)
    return Language(_bounded(language, strings, remarks), tuple(dict.fromkeys(remarks)))


def automaton_of(strings: Strings, limit: int) -> Automaton | None:
    """The same as an automaton; None where that has more states, or does not say all."""
    if max(strings.least, strings.most or 0) > limit:
        return None
    remarks: list[Remark] = []
    facts = _sayable(strings.matches, remarks)
    if remarks or any(len(automaton_of_fact(fact).edges) > limit for fact in facts):
        return None
    automaton = _together(facts, strings.excluded, remarks)
    automaton &= Automaton.of(repeat(ANY_CHAR, strings.least, strings.most))
    return automaton if len(automaton.edges) <= limit and not remarks else None


def _context_free(own: ArgumentGrammar, others: Strings, remarks: list[Remark]) -> Grammar:
    """The texts of a Lark grammar that are in another set, as far as an automaton of few states can say that one."""
    if others.is_free:
        return own.ir
    automaton = automaton_of(others, STATE_LIMIT)
    common = _in_both(own.ir, automaton) if automaton is not None else None
    if common is not None:
        return common
    remarks += [Remark(keyword, "beside a Lark grammar it is left out") for keyword in others.keywords]
    return own.ir


def _in_both(grammar: Grammar, automaton: Automaton) -> Grammar | None:
    try:
        common = intersect(grammar, automaton)
    except GrammarError:
        return None
    return common if len(common.rules) <= RULE_LIMIT else None


def _sayable(facts: Iterable[Matches], remarks: list[Remark]) -> tuple[Matches, ...]:
    """The facts of which there are automata; a remark for each other one."""
    found = []
    for fact in facts:
        try:
            automaton_of_fact(fact)
            found.append(fact)
        except GrammarError as error:
            remarks.append(Remark(fact.keyword, str(error)))
    return tuple(found)


def _together(facts: tuple[Matches, ...], excluded: frozenset[str], remarks: list[Remark]) -> Automaton:
    """The strings for which all facts hold, but for some; those of the first fact, with a remark, if that is large."""
    try:
        automaton = automaton_of_facts(facts)
        return automaton - Automaton.of(alt(*map(Literal, sorted(excluded)))) if excluded else automaton
    except GrammarError as error:
        remarks.append(Remark("pattern", f"one of several is kept: {error}"))
        return automaton_of_facts(facts[:1])


def _bounded(language: Node | Automaton, strings: Strings, remarks: list[Remark]) -> Grammar:
    if strings.least or strings.most is not None:
        try:
            return bound_length(language, strings.least, strings.most, _NAME)
        except GrammarError as error:
            remarks.append(Remark("minLength" if strings.most is None else "maxLength", str(error)))
    return to_grammar(language, _NAME) if isinstance(language, Automaton) else Grammar({_NAME: language}, _NAME)
