"""The language of a set of strings: patterns, formats, lengths and exclusions as one regular language.

Most sets have one pattern, which is written as it stands. For several, and for their opposites, automata are
intersected. What is too large or not regular is left out, and said.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.intersect import intersect
from slashgrammar.grammar.automaton.lengths import bound_length
from slashgrammar.grammar.automaton.rules import to_grammar
from slashgrammar.grammar.ir import ANY_CHAR, Grammar, Literal, Node, alt, repeat
from slashgrammar.grammar.regex.ecma import parse_ecma
from slashgrammar.grammar.regex.lookaround import pattern_automaton
from slashgrammar.grammar.regex.pattern import Pattern
from slashgrammar.grammar.schema.facts import Matches
from slashgrammar.grammar.schema.formats import UNSPOKEN, format_of
from slashgrammar.grammar.schema.strings import Strings

STATE_LIMIT = 40
"""How many states an automaton may have that a Lark grammar is intersected with."""

RULE_LIMIT = 500
"""How many rules the result may have: engines follow all ways to split a text among them."""

_NAME = "text"


@dataclass(frozen=True, slots=True)
class Remark:
    """A keyword that a language does not keep to the letter, and why."""

    keyword: str
    reason: str


@dataclass(frozen=True, slots=True)
class Language:
    """The content of the strings of a set as rules, and where it is wider than the set."""

    grammar: Grammar
    remarks: tuple[Remark, ...] = ()


@lru_cache(maxsize=64)
def language_of(strings: Strings) -> Language:
    """The language of a set of strings that are not listed one by one."""
    remarks: list[Remark] = []
    if strings.grammar is not None:
        grammar = _context_free(strings.grammar, strings.beside_grammar, remarks)
        return Language(grammar, tuple(remarks))
    patterns = {fact: pattern for fact in strings.matches if (pattern := _pattern(fact, remarks)) is not None}
    language: Node | Automaton = repeat(ANY_CHAR)
    plain = [pattern.node for fact, pattern in patterns.items() if fact.positive and not pattern.looks]
    if len(plain) == len(patterns) <= 1 and not strings.excluded:
        language = plain[0] if plain else language
    else:
        automata = [found for fact in patterns if (found := _automaton(fact, remarks)) is not None]
        if strings.excluded:
            automata.append(~Automaton.of(alt(*map(Literal, sorted(strings.excluded)))))
        language = _intersection(automata, remarks)
    return Language(_bounded(language, strings, remarks), tuple(dict.fromkeys(remarks)))


def automaton_of(strings: Strings, limit: int) -> Automaton | None:
    """The same as an automaton; None where that has more states, or does not say all."""
    if max(strings.least, strings.most or 0) > limit:
        return None
    remarks: list[Remark] = []
    automata = [Automaton.of(repeat(ANY_CHAR, strings.least, strings.most))]
    automata += [found for fact in strings.matches if (found := _automaton(fact, remarks)) is not None]
    automata += [~Automaton.of(Literal(text)) for text in sorted(strings.excluded)]
    if remarks or any(len(automaton.edges) > limit for automaton in automata):
        return None
    automaton = _intersection(automata, remarks)
    return automaton if isinstance(automaton, Automaton) and len(automaton.edges) <= limit and not remarks else None


def _pattern(fact: Matches, remarks: list[Remark]) -> Pattern | None:
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


def _automaton(fact: Matches, remarks: list[Remark]) -> Automaton | None:
    try:
        return _automaton_of(fact)
    except GrammarError as error:
        remarks.append(Remark(fact.keyword, str(error)))
        return None


@lru_cache(maxsize=64)
def _automaton_of(fact: Matches) -> Automaton:
    if fact.language is not None and not fact.language.is_regular:
        raise GrammarError("a Lark grammar can be kept beside no other")
    pattern = _pattern(fact, [])
    automaton = pattern_automaton(pattern) if pattern is not None else Automaton.of(repeat(ANY_CHAR))
    return automaton if fact.positive else ~automaton


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


def _intersection(automata: list[Automaton], remarks: list[Remark]) -> Node | Automaton:
    if not automata:
        return repeat(ANY_CHAR)
    try:
        return reduce(lambda left, right: left & right, automata)
    except GrammarError as error:
        remarks.append(Remark("pattern", f"one of several is kept: {error}"))
        return automata[0]


def _bounded(language: Node | Automaton, strings: Strings, remarks: list[Remark]) -> Grammar:
    if strings.least or strings.most is not None:
        try:
            return bound_length(language, strings.least, strings.most, _NAME)
        except GrammarError as error:
            remarks.append(Remark("minLength" if strings.most is None else "maxLength", str(error)))
    return to_grammar(language, _NAME) if isinstance(language, Automaton) else Grammar({_NAME: language}, _NAME)
