"""Numbers: what the facts of a branch leave of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from slashgrammar.grammar.schema.facts import Bound, Fact, Multiple, OneOf, Whole
from slashgrammar.grammar.schema.json_values import exact


@dataclass(frozen=True, slots=True)
class Numbers:
    """A set of numbers.

    Attributes:
        values: the only members, where they can be listed; nothing else is then set.
        whole: whether they are all integers (True), none is (False), or both occur (None).
        low, high: bounds, None where there is none.
        multiples, others: what they all are multiples of, and what none is a multiple of.
        excluded: single values that are no members.
    """

    values: tuple[int | float, ...] | None = None
    whole: bool | None = None
    low: Bound | None = None
    high: Bound | None = None
    multiples: tuple[Fraction, ...] = ()
    others: tuple[Fraction, ...] = ()
    excluded: frozenset[Fraction] = frozenset()

    @property
    def is_free(self) -> bool:
        """Whether nothing is asked but, perhaps, an integer."""
        return self == Numbers(whole=self.whole) and self.whole is not False

    @property
    def keywords(self) -> list[str]:
        """The keywords that say what the members are, each once, but for their type."""
        found = ["minimum"] * bool(self.low) + ["maximum"] * bool(self.high)
        found += ["multipleOf"] * bool(self.multiples)
        return found + ["not"] * bool(self.others or self.excluded or self.whole is False)

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells this set from others, in an order that does not depend on the process."""
        bounds = [None if bound is None else (bound.value, bound.exclusive) for bound in (self.low, self.high)]
        return self.values, self.whole, bounds, self.multiples, self.others, sorted(self.excluded)

    def accepts(self, number: int | float) -> bool:
        """Whether a number is a member, `values` aside."""
        value = exact(number)
        integral = value.denominator == 1
        if self.whole is not None and integral is not self.whole:
            return False
        if self.low and (value < self.low.value or (value == self.low.value and self.low.exclusive)):
            return False
        if self.high and (value > self.high.value or (value == self.high.value and self.high.exclusive)):
            return False
        if any((value / step).denominator != 1 for step in self.multiples):
            return False
        return value not in self.excluded and all((value / step).denominator != 1 for step in self.others)

    @classmethod
    def of(cls, facts: list[Fact]) -> Numbers | None:
        """The numbers for which all facts hold; None if there are none for sure."""
        whole: set[bool] = set()
        bounds: dict[bool, Bound] = {}
        steps: dict[bool, list[Fraction]] = {True: [], False: []}
        for fact in facts:
            if isinstance(fact, Whole):
                whole.add(fact.positive)
            elif isinstance(fact, Bound):
                bounds[fact.lower] = _tighter(bounds.get(fact.lower), fact)
            elif isinstance(fact, Multiple) and fact.of not in steps[fact.positive]:
                steps[fact.positive].append(fact.of)
        if len(whole) == 2:
            return None
        low, high = bounds.get(True), bounds.get(False)
        if low and high and (low.value > high.value or (low.value == high.value and (low.exclusive or high.exclusive))):
            return None
        free = cls(None, next(iter(whole), None), low, high, tuple(steps[True]), tuple(steps[False]))
        return _listed(free, [fact for fact in facts if isinstance(fact, OneOf)])


def _listed(numbers: Numbers, facts: list[OneOf]) -> Numbers | None:
    """The numbers without the excluded ones, or the few that are listed."""
    excluded = {key for fact in facts if not fact.positive for key in fact.keys}
    listed = [fact for fact in facts if fact.positive]
    if not listed:
        values = frozenset(exact(value) for fact in facts for value in fact.values if is_number(value))
        return replace(numbers, excluded=values)
    keys = frozenset.intersection(*(fact.keys for fact in listed)) - excluded
    members: dict[Fraction, int | float] = {}
    for value in listed[0].values:
        if is_number(value) and ("number", exact(value)) in keys and numbers.accepts(value):
            members.setdefault(exact(value), value)
    return Numbers(tuple(members.values())) if members else None


def _tighter(known: Bound | None, new: Bound) -> Bound:
    if known is None or known.value == new.value:
        return new if known is None or new.exclusive else known
    return new if (new.value > known.value) is new.lower else known


def is_number(value: object) -> bool:
    """Whether a JSON value is a number; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
