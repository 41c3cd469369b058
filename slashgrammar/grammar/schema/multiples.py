"""Multiples of a number, as an automaton over the digits: it keeps the remainder of what it has read."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import TypeAlias

from slashgrammar.grammar.automaton import Automaton, explore
from slashgrammar.grammar.ir import char_class, chars

REMAINDER_LIMIT = 1_000
"""How many remainders are told apart."""

_MINUS, _POINT = 10, 11
_State: TypeAlias = "tuple[int, int]"
"""How many digits of the fraction were read (-1: none, nor the point; -2: no digit, -3: nothing), and the remainder."""


def common_multiple(steps: tuple[Fraction, ...]) -> Fraction:
    """The least number that is a multiple of each."""
    result = steps[0]
    for step in steps[1:]:
        result = Fraction(lcm(result.numerator, step.numerator), gcd(result.denominator, step.denominator))
    return result


@lru_cache(maxsize=256)
def multiples_of(step: Fraction) -> Automaton | None:
    """The decimal numbers, without exponents, that are a multiple; None where there are too many remainders."""
    places = 0
    while (step * 10**places).denominator != 1:
        places += 1
    modulus = (step * 10**places).numerator
    if modulus * (places + 2) > REMAINDER_LIMIT:
        return None

    def follow(state: _State, symbol: int) -> _State | None:
        place, remainder = state
        if symbol == _MINUS:
            return (-2, 0) if place == -3 else None
        if symbol == _POINT:
            return (0, remainder) if place == -1 else None
        if place == places:
            return state if symbol == 0 else None
        return max(place, -2) + 1 if place >= 0 else -1, (remainder * 10 + symbol) % modulus

    def final(state: _State) -> bool:
        place, remainder = state
        return place >= -1 and remainder * 10 ** (places - max(place, 0)) % modulus == 0

    digits = [char_class([(48 + digit, 48 + digit)]) for digit in range(10)]
    return explore([*digits, chars("-"), chars(".")], (-3, 0), follow, final)
