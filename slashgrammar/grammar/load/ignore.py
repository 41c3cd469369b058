"""What is ignored between two terminals: runs of ignored terminals, each of which takes as much as it can.

Lark matches an ignored terminal by its regular expression, without a look at what the rules expect. So a comment up to
the end of its line can only be followed by what that expression does not take: a line break, or the end of the text.
Where more than the next character is needed to tell, as for `c(ab)?` behind `c`, the match may also end there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from slashgrammar.grammar.automaton import Automaton, explore
from slashgrammar.grammar.automaton.alphabet import partition
from slashgrammar.grammar.automaton.minimise import DEAD
from slashgrammar.grammar.ir import NOTHING, CharClass


@dataclass(frozen=True, slots=True)
class _Place:
    """A state of one of the ignored terminals; `terminal` is -1 before the first one."""

    terminal: int
    state: int


_BEGIN = _Place(-1, 0)


class IgnoredRuns:
    """The runs of ignored terminals, told apart by what may not follow them.

    Attributes:
        barred: for each way in which a run may end, the characters that its last terminal would have taken too.
    """

    def __init__(self, terminals: Sequence[Automaton]) -> None:
        """Takes the texts that each of the terminals matches, where it is free to choose how much."""
        self._terminals = terminals
        classes = [chars for terminal in terminals for chars in terminal.classes]
        self._parts = partition(classes)
        self._symbols: list[list[int]] = []
        for _, members in self._parts:
            symbols, offset = [], 0
            for terminal in terminals:
                own = members >> offset & (1 << len(terminal.classes)) - 1
                symbols.append(own.bit_length() - 1)
                offset += len(terminal.classes)
            self._symbols.append(symbols)
        self._barred = {
            _Place(index, state): _taken(terminal, state)
            for index, terminal in enumerate(terminals)
            for state, accepts in enumerate(terminal.accepting)
            if accepts
        }
        self._barred[_BEGIN] = NOTHING
        self.barred = tuple(dict.fromkeys(self._barred.values()))

    def before(self, following: Automaton | None) -> tuple[CharClass, ...]:
        """The ways to end that leave a following terminal all its texts; all where that may be empty or is unknown."""
        if following is None:
            return self.barred
        first = NOTHING
        for chars, target in zip(following.classes, following.edges[0], strict=True):
            if target != DEAD:
                first |= chars
        return tuple(barred for barred in self.barred if following.accepting[0] or not barred & first)

    def automaton(self, barred: Collection[CharClass]) -> Automaton:
        """The runs that end in one of the given ways; raises AutomatonTooLarge."""

        def step(places: frozenset[_Place], part: int) -> frozenset[_Place]:
            chars, _ = self._parts[part]
            reached: set[_Place] = set()
            for place in places:
                if place != _BEGIN:
                    reached.update(self._next(place, part))
                if place in self._barred and not chars & self._barred[place]:
                    for index in range(len(self._terminals)):
                        reached.update(self._next(_Place(index, 0), part))
            return frozenset(reached)

        def final(places: frozenset[_Place]) -> bool:
            return any(self._barred.get(place) in barred for place in places)

        return explore([chars for chars, _ in self._parts], frozenset([_BEGIN]), step, final)

    def _next(self, place: _Place, part: int) -> list[_Place]:
        symbol = self._symbols[part][place.terminal]
        state = self._terminals[place.terminal].edges[place.state][symbol] if symbol >= 0 else DEAD
        return [] if state == DEAD else [_Place(place.terminal, state)]


def _taken(terminal: Automaton, state: int) -> CharClass:
    """The characters that make a longer match of what was matched so far."""
    result = NOTHING
    for chars, target in zip(terminal.classes, terminal.edges[state], strict=True):
        if target != DEAD and terminal.accepting[target]:
            result |= chars
    return result


def next_character_tells(terminal: Automaton) -> bool:
    """Whether the next character alone tells if a match could be longer, so that runs of the terminal are exact."""
    return all(
        target == DEAD or terminal.accepting[target]
        for state, row in enumerate(terminal.edges)
        if terminal.accepting[state]
        for target in row
    )
