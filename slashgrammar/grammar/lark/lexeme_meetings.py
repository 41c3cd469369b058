"""Which lexemes can meet: be allowed at the same place of some text, so that a lexer runs them side by side.

What stands in one row of alternatives meets, and whatever follows two lexemes that can be the same text meets again.
Two lexemes in the same use of a rule return to the same place when the rule ends, where nothing new meets; of different
uses of rules, anything that can come after the one is taken to meet anything that can come after the other.
"""

from __future__ import annotations

from slashgrammar.grammar.lark.lexeme_automaton import Alphabet, LexemeAutomaton, Meeting, bits, meeting
from slashgrammar.grammar.lark.lexeme_places import Part, Places, TooMany

_MAX_STEPS = 200_000


class Meetings:
    """Compares lexemes, and remembers the results while a grammar is divided in one way after the other."""

    def __init__(self, alphabet: Alphabet) -> None:
        self._alphabet = alphabet
        self._known: dict[tuple[LexemeAutomaton, LexemeAutomaton], Meeting] = {}
        self._steps = 0

    def spend(self, steps: int = 1) -> None:
        """Raises TooMany when there have been too many steps in all."""
        self._steps += steps
        if self._steps > _MAX_STEPS:
            raise TooMany

    def of(self, one: LexemeAutomaton, other: LexemeAutomaton) -> Meeting:
        """What two lexemes do to each other."""
        key = (one, other)
        if key not in self._known:
            self._known[key] = meeting(one, other, self._alphabet, self.spend)
        return self._known[key]

    def wrong(self, places: Places) -> list[Part]:
        """The lexemes that can go on where another one has ended and what follows it begins; raises TooMany."""
        self.spend(len(places))
        return _Search(places, self).run()


class _Search:
    def __init__(self, places: Places, meetings: Meetings) -> None:
        self._places = places
        self._meetings = meetings
        self._wrong: dict[int, Part] = {}
        self._pairs: set[tuple[int, int, bool]] = set()
        self._todo: list[tuple[int, int, bool]] = []
        self._rows: set[tuple[int, int]] = set()

    def run(self) -> list[Part]:
        for begin in self._places.begin.values():
            self._row(begin, 0)
        for place in self._places:
            self._row(place.next, self._places.follow[place.rule] if place.is_last else 0)
        while self._todo:
            self._compare(*self._todo.pop())
        return list(self._wrong.values())

    def _row(self, places: int, behind: int) -> None:
        """Alternatives of which one is next in a use of a rule, and what comes next if the rule ends instead."""
        if (places, behind) not in self._rows:
            self._rows.add((places, behind))
            self._meet_in_rule(places, places)
            self._meet(self._places.lexemes(places), behind)

    def _meet_in_rule(self, ones: int, others: int) -> None:
        """Let places in the same use of a rule meet."""
        for one in bits(ones):
            for other in bits(others & self._places.overlapping(one)):
                if self._places[one].part.lexeme and self._places[other].part.lexeme:
                    self._add(one, other, True)
                elif one != other:
                    self._meet(self._places.lexemes(1 << one), self._places.lexemes(1 << other))

    def _meet(self, ones: int, others: int) -> None:
        """Let lexemes in different uses of rules meet."""
        for one in bits(ones):
            for other in bits(others & self._places.overlapping(one)):
                self._add(one, other, False)

    def _add(self, one: int, other: int, in_same_use: bool) -> None:
        pair = (min(one, other), max(one, other), in_same_use)
        if pair not in self._pairs:
            self._meetings.spend()
            self._pairs.add(pair)
            self._todo.append(pair)

    def _compare(self, one: int, other: int, in_same_use: bool) -> None:
        places = self._places
        left, right = places[one], places[other]
        clashing = False
        for first, second in ((one, other), (other, one)):
            if self._meeting(first, second).more & places.bytes_after(first):
                self._wrong[second] = places[second].part
                clashing = True
        if not self._meeting(one, other).is_same or (clashing and one != other):
            return
        if not in_same_use:
            self._meet(places.after(one), places.after(other))
        elif one != other:  # otherwise its row is looked at anyway
            self._meet_in_rule(left.next, right.next)
            if left.is_last:
                self._meet(places.follow[left.rule], places.lexemes(right.next))
            if right.is_last:
                self._meet(places.lexemes(left.next), places.follow[right.rule])

    def _meeting(self, one: int, other: int) -> Meeting:
        left, right = self._places[one].part.lexeme, self._places[other].part.lexeme
        assert left is not None
        assert right is not None
        return self._meetings.of(left, right)
