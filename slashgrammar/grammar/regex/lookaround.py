"""Conditions on the text around a place as part of one automaton.

The automaton runs along the text once. For each look-behind it keeps, at every place, whether its expression matches
up to there. A look-ahead becomes an obligation of the reading that met it: from there on its own expression is
followed too, until it is met or cannot be met any more. Sets of readings with sets of obligations are finitely many
(A. K. Chandra, D. C. Kozen and L. J. Stockmeyer, Alternation, J. ACM 28(1), 1981).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton, explore
from slashgrammar.grammar.automaton.alphabet import partition
from slashgrammar.grammar.automaton.positions import Positions, bits
from slashgrammar.grammar.ir import NOTHING, SURROGATES, CharClass, Node
from slashgrammar.grammar.regex.pattern import Pattern

_MAX_LOOKS = 200
_MAX_STATES = 3_000

Readings: TypeAlias = "frozenset[tuple[frozenset[_Obligation], int]]"
"""Positions at which an expression can go on, as a mask, for each set of obligations that they are under."""


@dataclass(frozen=True, slots=True)
class _Obligation:
    """A condition that later text will decide: its name, and how far its own expression was read."""

    look: str
    readings: Readings


_FREE: frozenset[_Obligation] = frozenset()


_Ends: TypeAlias = dict[str, Readings]
"""Of each expression that looks behind the readings that end at the current place."""


@dataclass(frozen=True, slots=True)
class _State:
    """A place in a text: the readings of all expressions that look behind, and those of the pattern."""

    behind: tuple[Readings, ...]
    readings: Readings


def pattern_automaton(
    pattern: Pattern, rules: Mapping[str, Node] | None = None, unseen: Collection[CharClass] = ()
) -> Automaton:
    """What a pattern matches in full, as an automaton.

    Args:
        rules: what the pattern refers to.
        unseen: classes in the pattern that conditions look through as if their characters were not there.

    Raises:
        GrammarError: there are more than 200 conditions.
        AutomatonTooLarge: as for `Automaton.of`.
    """
    if not pattern.looks:
        return Automaton.of(pattern.node, rules)
    return _Walk(pattern, rules or {}, unseen).automaton()


class _Expression:
    """The position automaton of one expression; its conditions are positions too, which read nothing."""

    def __init__(self, node: Node, rules: Mapping[str, Node], marks: Mapping[str, CharClass]) -> None:
        self.positions = Positions.of(node, {**rules, **marks})
        names = {chars: name for name, chars in marks.items()}
        classes = self.positions.classes
        self.looks = {index: names[chars] for index, chars in enumerate(classes) if chars in names}
        self.classes = [NOTHING if index in self.looks else chars for index, chars in enumerate(classes)]
        self.look_mask = sum(1 << index for index in self.looks)
        self.begin = {_FREE: self.positions.first}
        self.end = 1 << len(classes)
        self.readers: list[int] = []

    def read(self, mask: int, symbol: int) -> int:
        """The positions after reading one character at the given ones."""
        result = 0
        for position in bits(mask & self.readers[symbol]):
            result |= self.positions.follow[position]
        return result


class _Walk:
    """Steps along a text with all expressions of a pattern."""

    def __init__(self, pattern: Pattern, rules: Mapping[str, Node], unseen: Collection[CharClass]) -> None:
        if len(pattern.looks) > _MAX_LOOKS:
            raise GrammarError(f"it has {len(pattern.looks)} conditions on the text around; {_MAX_LOOKS} are supported")
        self._unseen = unseen
        # Surrogates are no characters of a text, so they can stand for the conditions among the classes.
        marks = {name: CharClass(((SURROGATES[0] + i, SURROGATES[0] + i),)) for i, name in enumerate(pattern.looks)}
        self._looks = pattern.looks
        self._main = _Expression(pattern.node, rules, marks)
        self._inner = {name: _Expression(look.node, rules, marks) for name, look in pattern.looks.items()}
        # A condition comes after those inside it, so that their values are known when it is its turn.
        self._behind = [name for name, look in pattern.looks.items() if look.behind]
        every = [self._main, *self._inner.values()]
        parts = partition(chars for expression in every for chars in expression.classes)
        self._classes = [chars for chars, _ in parts]
        offset = 0
        for expression in every:
            mask = (1 << len(expression.classes)) - 1
            expression.readers = [members >> offset & mask for _, members in parts]
            offset += len(expression.classes)

    def automaton(self) -> Automaton:
        nothing: Readings = frozenset()
        behind, ends = self._look_behind((nothing,) * len(self._behind), None)
        start = _State(behind, self._settle(self._main, self._main.begin, ends))
        return explore(self._classes, start, self._step, self._accepts, _MAX_STATES)

    def _step(self, state: _State, symbol: int) -> _State | None:
        if self._classes[symbol] in self._unseen:
            behind, ends = state.behind, dict(map(self._ends, self._behind, state.behind))
            after = {under: self._main.read(mask, symbol) for under, mask in state.readings}
        else:
            behind, ends = self._look_behind(state.behind, symbol)
            after = self._read(self._main, state.readings, symbol, ends)
        readings = self._settle(self._main, after, ends)
        return _State(behind, readings) if readings else None

    def _accepts(self, state: _State) -> bool:
        return self._matches_at_end(self._main, state.readings)

    def _look_behind(self, before: tuple[Readings, ...], symbol: int | None) -> tuple[tuple[Readings, ...], _Ends]:
        """The readings of all expressions that look behind, begun anew at each place, and those that end here."""
        behind: list[Readings] = []
        ends: _Ends = {}
        for name, readings in zip(self._behind, before, strict=True):
            expression = self._inner[name]
            after = self._read(expression, readings, symbol, ends) if symbol is not None else {}
            after[_FREE] = after.get(_FREE, 0) | expression.begin[_FREE]
            behind.append(self._settle(expression, after, ends))
            ends.update([self._ends(name, behind[-1])])
        return tuple(behind), ends

    def _ends(self, name: str, readings: Readings) -> tuple[str, Readings]:
        end = self._inner[name].end
        return name, frozenset((under, end) for under, mask in readings if mask & end)

    def _read(
        self, expression: _Expression, readings: Readings, symbol: int, ends: _Ends, *, then_anything: bool = False
    ) -> dict[frozenset[_Obligation], int]:
        """The readings after one more character; `then_anything`: what was read to its end stays so."""
        after: dict[frozenset[_Obligation], int] = {}
        for obligations, mask in readings:
            kept = self._keep(obligations, symbol, ends)
            if kept is not None:
                stays = mask & expression.end if then_anything else 0
                after[kept] = after.get(kept, 0) | stays | expression.read(mask, symbol)
        return after

    def _keep(self, obligations: frozenset[_Obligation], symbol: int, ends: _Ends) -> frozenset[_Obligation] | None:
        """The obligations after one more character without those that are met; None where one cannot be met."""
        kept: set[_Obligation] = set()
        for obligation in obligations:
            expression = self._inner[obligation.look]
            after = self._read(expression, obligation.readings, symbol, ends, then_anything=True)
            if not self._oblige(obligation.look, self._settle(expression, after, ends), kept):
                return None
        return frozenset(kept)

    def _oblige(self, name: str, readings: Readings, obligations: set[_Obligation]) -> bool:
        """Adds an obligation unless it is met already; False where it cannot be met."""
        negative, end = self._looks[name].negative, self._inner[name].end
        if not readings:
            return negative
        if any(not under and mask & end for under, mask in readings):
            return not negative
        obligations.add(_Obligation(name, readings))
        return True

    def _settle(self, expression: _Expression, readings: Mapping[frozenset[_Obligation], int], ends: _Ends) -> Readings:
        """Passes all conditions that the readings stand before."""
        settled: dict[frozenset[_Obligation], int] = {}
        waiting = list(readings.items())
        while waiting:
            obligations, mask = waiting.pop()
            new = mask & ~settled.get(obligations, 0)
            settled[obligations] = settled.get(obligations, 0) | new
            for position in bits(new & expression.look_mask):
                more = set(obligations)
                name = expression.looks[position]
                if self._oblige(name, ends[name] if name in ends else self._begin(name, ends), more):
                    waiting.append((frozenset(more), expression.positions.follow[position]))
        # Readings without obligations need not be kept with them too.
        free = settled.get(_FREE, 0)
        return frozenset(
            (obligations, rest)
            for obligations, mask in settled.items()
            if (rest := mask & ~expression.look_mask & ~(free if obligations else 0))
        )

    def _begin(self, name: str, ends: _Ends) -> Readings:
        return self._settle(self._inner[name], self._inner[name].begin, ends)

    def _matches_at_end(self, expression: _Expression, readings: Readings) -> bool:
        return any(mask & expression.end and all(map(self._met_at_end, under)) for under, mask in readings)

    def _met_at_end(self, obligation: _Obligation) -> bool:
        matches = self._matches_at_end(self._inner[obligation.look], obligation.readings)
        return matches is not self._looks[obligation.look].negative
