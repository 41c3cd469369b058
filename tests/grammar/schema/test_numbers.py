from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from operator import ge, gt, le, lt
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.ir import Grammar, Node, Reference
from slashgrammar.grammar.load import load_file
from slashgrammar.grammar.numerals import canonical
from slashgrammar.grammar.schema.facts import Bound, Fact, Multiple, OneOf, Whole
from slashgrammar.grammar.schema.json_values import exact, identity
from slashgrammar.grammar.schema.number_text import number_of
from slashgrammar.grammar.schema.numbers import Numbers
from tests.grammar.schema.helpers import texts_of

BOUNDS = st.one_of(
    st.integers(-200, 200),
    st.sampled_from(
        [0, 1, 10, 99, 100, 10**19, -(10**19), 0.1, -0.1, 0.25, 1.5, 99.95, 1e-7, 1e15, 1e18, -1e-7, 1e300]
    ),
    st.floats(-1000, 1000, allow_nan=False).map(lambda number: round(number, 3)),
)
"""Bounds of ranges, with the ones where the number of digits changes."""

COMPARISONS = {"minimum": ge, "exclusiveMinimum": gt, "maximum": le, "exclusiveMaximum": lt}
BOUND_KEYS = {
    "minimum": (True, False),
    "exclusiveMinimum": (True, True),
    "maximum": (False, False),
    "exclusiveMaximum": (False, True),
}
STEPS = [1, 2, 3, 7, 10, 25, 0.5, 0.01, 0.25, 1.5, 100]


def facts(schema: dict[str, Any]) -> list[Fact]:
    found: list[Fact] = [Whole()] if schema.get("type") == "integer" else []
    found += [Bound(exact(schema[key]), *BOUND_KEYS[key]) for key in BOUND_KEYS if key in schema]
    return [*found, Multiple(exact(schema["multipleOf"]))] if "multipleOf" in schema else found


@lru_cache(maxsize=512)
def automaton(numbers: Numbers) -> Automaton:
    text = number_of(numbers)
    assert not text.remarks
    return Automaton.of(text.node, text.rules)


def close_numbers(schema: dict[str, Any]) -> Iterator[int | float]:
    for key in BOUND_KEYS:
        if key in schema:
            bound = schema[key]
            yield from (bound, bound + 1, bound - 1, bound * 2, bound / 3, bound + 0.001, bound - 0.001, -bound)
    yield from (0, -0.0, 1, 12, 0.5, 1e-9, 1e17, 3.0, 700, 0.75, -2.25, 5e-324, 1e20)


@st.composite
def ranges(draw: st.DrawFn) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": draw(st.sampled_from(["integer", "number"]))}
    for key in draw(st.sets(st.sampled_from(sorted(BOUND_KEYS)), min_size=1, max_size=3)):
        schema[key] = draw(BOUNDS)
    return schema


@given(ranges(), st.lists(st.one_of(st.integers(-300, 300), st.floats(-300, 300)), max_size=20))
def test_ranges_take_what_validation_takes(schema: dict[str, Any], others: list[int | float]) -> None:
    validator = jsonschema_rs.validator_for(schema)
    numbers = Numbers.of(facts(schema))
    for number in [*close_numbers(schema), *others]:
        text = json.dumps(canonical(number))
        if too_long(text) or (schema["type"] == "integer" and "e" in text):
            continue
        taken = numbers is not None and automaton(numbers).accepts(text)
        assert taken == validator.is_valid(number), (text, schema)


def too_long(text: str) -> bool:
    """Whether a number has more digits than a grammar allows."""
    mantissa = text.lstrip("-").lower().partition("e")[0]
    whole, _, fraction = mantissa.partition(".")
    return len(whole) > 20 or len(fraction) > 20


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("bounds", [{"minimum": -1000, "maximum": 1000}, {"minimum": 0, "maximum": 99}])
def test_multiples_take_what_validation_takes(step: float, bounds: dict[str, Any]) -> None:
    schema = {"type": "number", "multipleOf": step, **bounds}
    validator = jsonschema_rs.validator_for(schema)
    numbers = Numbers.of(facts(schema))
    assert numbers is not None
    candidates = [count * step for count in (-3, 0, 1, 2, 5, 7, 40)] + [
        0.3,
        1.7,
        33,
        50,
        12.34,
        -0.0,
        1000,
        1001,
        0.005,
    ]
    for number in [round(candidate, 6) for candidate in candidates]:
        text = json.dumps(canonical(number))
        if "e" not in text:
            assert automaton(numbers).accepts(text) == validator.is_valid(number), (number, step)


def test_integers_are_written_as_digits() -> None:
    numbers = Numbers.of([Whole(), Bound(Fraction(-3), lower=True, exclusive=False)])
    assert numbers is not None
    assert all(automaton(numbers).accepts(text) for text in ("3", "0", "-3", "9" * 20))
    assert not any(automaton(numbers).accepts(text) for text in ("3.0", "3.5", "03", "-0", "3e1", "-4", "9" * 21))


@pytest.mark.parametrize(
    ("text", "taken"),
    [("1e2", True), ("1.0e+02", True), ("1.1E2", False), ("9.99e1", True), ("1e-400", True), ("2e2", False)],
)
def test_exponents_obey_bounds(text: str, taken: bool) -> None:
    numbers = Numbers.of([Bound(Fraction(0), True, False), Bound(Fraction(100), False, False)])
    assert numbers is not None
    assert automaton(numbers).accepts(text) is taken


SPELLINGS = [
    "{:f}".format,
    "{:e}".format,
    "{:E}".format,
    lambda value: f"{value:e}".replace("e+", "e"),
    lambda value: re.sub(r"(e[+-])(\d)$", r"\g<1>0\2", f"{value:e}"),
    lambda value: re.sub(r"^(-?\d)(e|$)", r"\1.00\2", f"{value:e}"),
]


@given(ranges(), st.integers(-2, 2), st.integers(-5, 3), st.data())
def test_no_spelling_of_a_number_evades_bounds(
    schema: dict[str, Any], distance: int, power: int, data: st.DataObject
) -> None:
    schema = {**schema, "type": "number"}
    bounds = {key: schema[key] for key in COMPARISONS if key in schema}
    near = data.draw(st.sampled_from([*bounds.values(), 1]))
    value = Decimal(repr(near)) + distance * Decimal(10) ** power
    text = data.draw(st.sampled_from(SPELLINGS if value else SPELLINGS[:1]))(value)
    numbers = Numbers.of(facts(schema))
    taken = numbers is not None and automaton(numbers).accepts(text)
    expected = all(COMPARISONS[key](Fraction(value), exact(bound)) for key, bound in bounds.items())
    assert taken == (expected and not too_long(text)), (text, schema)


def holds(fact: Fact, number: Fraction) -> bool:
    """Whether a fact is true of a number."""
    match fact:
        case Whole(positive):
            return (number.denominator == 1) is positive
        case Bound(value, True, exclusive):
            return number > value or (number == value and not exclusive)
        case Bound(value, False, exclusive):
            return number < value or (number == value and not exclusive)
        case Multiple(of, positive):
            return ((number / of).denominator == 1) is positive
        case OneOf(_, keys, positive):
            return (("number", number) in keys) is positive
    raise TypeError(fact)


def one_of(values: list[float], positive: bool) -> OneOf:
    return OneOf(tuple(values), frozenset(identity(value) for value in values), positive)


SMALL = st.integers(-12, 12).map(lambda count: count / 4) | st.integers(-3, 3)
FACTS = st.lists(
    st.one_of(
        st.builds(Bound, SMALL.map(exact), st.booleans(), st.booleans()),
        st.builds(Multiple, st.sampled_from([1, 2, 3, 0.5, 0.75, 1.5]).map(exact), st.booleans()),
        st.builds(Whole, st.booleans()),
        st.builds(one_of, st.lists(SMALL, max_size=3), st.booleans()),
    ),
    max_size=5,
)
NUMBER: dict[str, Node] = dict(load_file("generation", start=("number", "integer")).rules)
NUMBERS = [count / 8 for count in range(-40, 41)] + [*range(-5, 6), 0.1, -0.0, 1000, 1000.5]


@given(FACTS)
def test_sets_of_numbers_are_those_for_which_all_facts_hold(facts: list[Fact]) -> None:
    numbers = Numbers.of(facts)
    members = {number for number in NUMBERS if all(holds(fact, exact(number)) for fact in facts)}
    if numbers is None:
        assert members == set()
    elif numbers.values is not None:
        assert set(numbers.values) >= members
        assert all(holds(fact, exact(value)) for fact in facts for value in numbers.values)
    else:
        assert {number for number in NUMBERS if numbers.accepts(number)} == members
        text = number_of(numbers)
        spelled = {json.dumps(canonical(number)): number for number in NUMBERS}
        taken = {spelled[each] for each in texts_of(Grammar({**NUMBER, **text.rules, "start": text.node}), spelled)}
        assert taken >= members if text.remarks else taken == members


def test_numbers_without_bounds_are_those_of_the_generation_grammar() -> None:
    assert number_of(Numbers()).node == Reference("number")
    assert number_of(Numbers(whole=True)).node == Reference("integer")


def test_bounds_that_contradict_each_other_leave_nothing() -> None:
    assert Numbers.of(facts({"minimum": 2, "maximum": 1})) is None
    assert Numbers.of(facts({"minimum": 1, "exclusiveMaximum": 1})) is None
