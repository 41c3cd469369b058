"""Sets of numbers as JSON text, in rules whose names tell the set: the same in every tool, and made once."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.rules import to_grammar
from slashgrammar.grammar.ir import EMPTY, Grammar, Literal, Node, Reference, alt, repeat, seq
from slashgrammar.grammar.schema.conditions import Remark
from slashgrammar.grammar.schema.decimals import FRACTION_DIGITS, DecimalRange, whole_range
from slashgrammar.grammar.schema.multiples import common_multiple, multiples_of
from slashgrammar.grammar.schema.numbers import Numbers
from slashgrammar.grammar.schema.spelling import digest
from slashgrammar.grammar.schema.texts import Text, prepared_text

PRODUCT_LIMIT = 10_000
STATE_LIMIT = 600
"""How many states an automaton of numbers may have, before and after it is minimised."""

_ZEROS = repeat(seq(Literal("."), repeat(Literal("0"), 1, FRACTION_DIGITS)), 0, 1)


@lru_cache(maxsize=32)
def number_of(numbers: Numbers) -> Text:
    """A set of numbers that are not listed one by one."""
    if numbers.is_free:
        return Text(Reference("integer" if numbers.whole else "number"), {})
    remarks: list[Remark] = []
    numbers = _with_one_step(numbers)
    node = _wholes(numbers) if numbers.whole else _decimals(numbers)
    start = f":number-{digest(numbers.identity)}"
    conditions = [*_multiples(numbers, remarks), *_exclusions(numbers)]
    grammar = Grammar({start: node}, start)
    if conditions:
        automaton = Automaton.of(node)
        for condition in conditions:
            narrower = automaton & condition if len(automaton.edges) * len(condition.edges) <= PRODUCT_LIMIT else None
            if narrower is None or len(narrower.edges) > STATE_LIMIT:
                remarks.append(Remark("multipleOf", "there are too many remainders to tell apart"))
            else:
                automaton = narrower
        grammar = to_grammar(automaton, start)
    return prepared_text(grammar, tuple(dict.fromkeys(remarks)))


def _with_one_step(numbers: Numbers) -> Numbers:
    """The same set with one step for all; multiples of an integer are integers, and to these only numerators count."""
    if not numbers.multiples:
        return numbers
    step = common_multiple(numbers.multiples)
    whole = numbers.whole
    if whole or step.denominator == 1:
        whole, step = whole is not False, Fraction(step.numerator)
    return replace(numbers, whole=whole, multiples=() if whole and step == 1 else (step,))


def _wholes(numbers: Numbers) -> Node:
    low = high = None
    if numbers.low:
        low = floor(numbers.low.value) + 1 if numbers.low.exclusive else ceil(numbers.low.value)
    if numbers.high:
        high = ceil(numbers.high.value) - 1 if numbers.high.exclusive else floor(numbers.high.value)
    return whole_range(low, high)


def _decimals(numbers: Numbers) -> Node:
    low = (numbers.low.value, numbers.low.exclusive) if numbers.low else None
    high = (numbers.high.value, numbers.high.exclusive) if numbers.high else None
    below = None if low is None else (-low[0], low[1])
    above = None if high is None else (-high[0], high[1])
    return alt(_natural(low, high), seq(Literal("-"), _natural(above, below)))


def _natural(low: tuple[Fraction, bool] | None, high: tuple[Fraction, bool] | None) -> Node:
    """The numbers between two bounds that are not negative."""
    if low is None or low[0] < 0:
        low = (Fraction(0), False)
    part = DecimalRange(*low, *(high or (None, False)))
    return part.node()


def _multiples(numbers: Numbers, remarks: list[Remark]) -> list[Automaton]:
    found = []
    for steps, wanted in ((numbers.multiples, True), (numbers.others, False)):
        for step in steps:
            automaton = multiples_of(step)
            if automaton is None:
                remarks.append(Remark("multipleOf", "there are too many remainders to tell apart"))
            else:
                found.append(automaton if wanted else ~automaton)
    return found


def _exclusions(numbers: Numbers) -> list[Automaton]:
    nodes: list[Node] = [seq(whole_range(None, None), _ZEROS)] if numbers.whole is False else []
    for value in sorted(numbers.excluded):
        sign = Literal("-") if value < 0 else repeat(Literal("-"), 0, 1) if value == 0 else EMPTY
        nodes.append(seq(sign, DecimalRange(abs(value), False, abs(value), False).node()))
    return [~Automaton.of(alt(*nodes))] if nodes else []
