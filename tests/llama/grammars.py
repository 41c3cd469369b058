"""A grammar made by hand: prose, then one of two calls."""

from __future__ import annotations

from slashgrammar.grammar.gbnf import to_gbnf
from slashgrammar.grammar.ir import Grammar, Literal, alt, chars, repeat, seq
from slashgrammar.grammar.matcher import Matcher

_STRING = seq(Literal('"'), repeat(~chars('"\\\n'), 0, 12), Literal('"'))
_WEATHER = seq(Literal("/weather\ncity="), _STRING, Literal("\nunit="), alt(Literal('"celsius"'), Literal('"kelvin"')))
_TIME = seq(Literal("/time\nzone="), _STRING)
_PROSE = repeat(~chars("/\n"), 0, 24)


class HandMade:
    """What the token loop needs of a compiled grammar."""

    def __init__(self, *, prose: bool) -> None:
        calls = alt(_WEATHER, _TIME)
        self._grammar = Grammar({"start": seq(_PROSE, Literal("\n"), calls) if prose else calls})
        self.gbnf = to_gbnf(self._grammar)

    def matcher(self) -> Matcher:
        return Matcher(self._grammar)
