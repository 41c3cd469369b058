"""Ranges of decimal numbers as IR: which digits may follow one another between two bounds.

Nodes are made digit by digit: while a number has the digits of a bound so far, the next digit decides; once it has left
them, any digits do. The digits are bounded as in the generation grammar.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TypeAlias

from slashgrammar.grammar.ir import EMPTY, NOTHING, Literal, Node, alt, char_class, character, repeat, seq
from slashgrammar.grammar.numerals import INTEGER_DIGITS

FRACTION_DIGITS = 20
LEAST_EXPONENT, MOST_EXPONENT = -999, 307
_MOST = 10**INTEGER_DIGITS - 1


def _digits(low: int, high: int) -> Node:
    return character(char_class([(48 + low, 48 + high)])) if low <= high else NOTHING


_ANY = _digits(0, 9)


def whole_range(low: int | None, high: int | None) -> Node:
    """The integers between two bounds, both inclusive; None is no bound but that of the digits."""
    low = -_MOST if low is None else max(low, -_MOST)
    high = _MOST if high is None else min(high, _MOST)
    ways = [_natural_range(max(low, 0), high)]
    if low < 0:
        ways.append(seq(Literal("-"), _natural_range(max(-high, 1), -low)))
    return alt(*ways)


def _natural_range(low: int, high: int) -> Node:
    """The numbers from low to high, without leading zeros; grouped by their number of digits."""
    if low > high:
        return NOTHING
    first, last = str(low), str(high)
    if len(first) == len(last):
        return _same_length(first, last)
    ways = [_same_length(first, "9" * len(first)), _same_length("1" + "0" * (len(last) - 1), last)]
    if len(last) - len(first) > 1:
        ways.append(seq(_digits(1, 9), repeat(_ANY, len(first), len(last) - 2)))
    return alt(*ways)


def _same_length(low: str, high: str) -> Node:
    """The texts of digits between two of the same length."""
    if not low:
        return EMPTY
    if low[0] == high[0]:
        return seq(Literal(low[0]), _same_length(low[1:], high[1:]))
    rest = len(low) - 1
    if low[1:] == "0" * rest and high[1:] == "9" * rest:
        return seq(_digits(int(low[0]), int(high[0])), repeat(_ANY, rest, rest))
    return alt(
        seq(Literal(low[0]), _same_length(low[1:], "9" * rest)),
        seq(_digits(int(low[0]) + 1, int(high[0]) - 1), repeat(_ANY, rest, rest)),
        seq(Literal(high[0]), _same_length("0" * rest, high[1:])),
    )


class DecimalRange:
    """The numbers that are not negative between two bounds; `low_open` and `high_open` say that a bound is excluded.

    Bounds have to be decimal fractions; `high` None is no bound but that of the digits.
    """

    def __init__(self, low: Fraction, low_open: bool, high: Fraction | None, high_open: bool) -> None:
        self.low, self.low_open = low, low_open
        self.high, self.high_open = high, high_open

    @property
    def is_empty(self) -> bool:
        """Whether there is no such number."""
        if self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def node(self) -> Node:
        """All ways to write these numbers, without a sign."""
        return alt(self.plain(), self.scientific()) if not self.is_empty else NOTHING

    def plain(self) -> Node:
        """Those without an exponent."""
        low = floor(self.low)
        high = _MOST if self.high is None else min(floor(self.high), _MOST)
        lowest = _edge(self.low, self.low_open, lower=True)
        highest = None
        if self.high is not None and self.high < _MOST + 1:
            highest = _edge(self.high, self.high_open, lower=False)
        if low >= high:
            return seq(Literal(str(low)), _fraction(lowest, highest)) if low == high else NOTHING
        ways = [seq(Literal(str(low)), _fraction(lowest, None))]
        if highest is None:
            ways.append(seq(_natural_range(low + 1, high), _fraction(None, None)))
        else:
            ways.append(seq(_natural_range(low + 1, high - 1), _fraction(None, None)))
            ways.append(seq(Literal(str(high)), _fraction(None, highest)))
        return alt(*ways)

    def scientific(self) -> Node:
        """Those with one digit that is not zero, a fraction, and an exponent."""
        low = _exponent(self.low)
        high = MOST_EXPONENT + 1 if self.high is None else _exponent(self.high)
        inside = _exponents(max(low + 1, LEAST_EXPONENT), min(high - 1, MOST_EXPONENT))
        ways = [seq(_digits(1, 9), _fraction(None, None), inside)]
        for exponent in {low, high}:
            if LEAST_EXPONENT <= exponent <= MOST_EXPONENT:
                ways.append(seq(self._mantissas(exponent), _exponents(exponent, exponent)))
        return alt(*ways)

    def _mantissas(self, exponent: int) -> Node:
        scale = Fraction(10) ** exponent
        low, low_open = (self.low / scale, self.low_open) if self.low >= scale else (Fraction(1), False)
        high, high_open = Fraction(10), True
        if self.high is not None and self.high < 10 * scale:
            high, high_open = self.high / scale, self.high_open
        part = DecimalRange(low, low_open, high, high_open)
        return NOTHING if part.is_empty else part.plain()


def _exponent(number: Fraction) -> int:
    """The power of ten of the first digit of a number; less than all that count for zero."""
    if not number:
        return LEAST_EXPONENT - 1
    guess = len(str(number.numerator)) - len(str(number.denominator))
    return guess if Fraction(10) ** guess <= number else guess - 1


def _exponents(low: int, high: int) -> Node:
    """The exponents between two bounds; those of one digit may have a zero before them."""
    if low > high:
        return NOTHING
    sign = character(char_class([(ord("e"), ord("e")), (ord("E"), ord("E"))]))
    ways = []
    if high >= 0:
        ways.append(seq(repeat(Literal("+"), 0, 1), _padded(max(low, 0), high)))
    if low < 0:
        ways.append(seq(Literal("-"), _padded(max(-high, 1), -low)))
    return seq(sign, alt(*ways))


def _padded(low: int, high: int) -> Node:
    return alt(_natural_range(low, high), seq(Literal("0"), _natural_range(low, min(high, 9))))


_Edge: TypeAlias = "tuple[str, bool]"
"""The digits that are left of a bound, without zeros at the end, and whether the bound itself is excluded."""


def _edge(number: Fraction, is_open: bool, *, lower: bool) -> _Edge:
    """The fraction of a bound, as far as numbers with so few digits can tell it from others."""
    rest = (number - floor(number)) * 10**FRACTION_DIGITS
    digits = f"{floor(rest):0{FRACTION_DIGITS}}".rstrip("0")
    return digits, is_open if rest == floor(rest) else lower


def _fraction(low: _Edge | None, high: _Edge | None) -> Node:
    """What may stand behind the whole part: nothing, or a point and digits between bounds."""
    some = seq(Literal("."), _between(low, high, FRACTION_DIGITS, needed=True))
    return alt(EMPTY, some) if low in (None, ("", False)) and high != ("", True) else some


def _between(low: _Edge | None, high: _Edge | None, room: int, *, needed: bool = False) -> Node:
    """Digits, at most `room` and perhaps one at least, behind which no digit means zero.

    None is a bound that earlier digits have left behind.
    """
    low = None if low == ("", False) else low
    if high == ("", True) or (high == ("", False) and low is not None):
        return NOTHING
    if high in (None, ("", False)) and low is None:
        return repeat(_ANY if high is None else Literal("0"), int(needed), room)
    if low == ("", True) and high is None:
        return seq(repeat(Literal("0"), 0, room - 1), _digits(1, 9), repeat(_ANY, 0, room - 1)) if room else NOTHING
    ways: list[Node] = [EMPTY] if low is None and not needed else []
    if room:
        first, last = _first_digit(low, 0), _first_digit(high, 9)
        for digit in sorted({first, last}) if first <= last else ():
            below = _rest(low) if digit == first else None
            above = _rest(high) if digit == last else None
            ways.append(seq(Literal(str(digit)), _between(below, above, room - 1)))
        ways.append(seq(_digits(first + 1, last - 1), repeat(_ANY, 0, room - 1)))
    return alt(*ways)


def _first_digit(edge: _Edge | None, default: int) -> int:
    return default if edge is None else int(edge[0][:1] or "0")


def _rest(edge: _Edge | None) -> _Edge | None:
    return None if edge is None else (edge[0][1:], edge[1])
