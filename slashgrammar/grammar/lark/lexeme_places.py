"""What can follow what in a grammar whose lexemes are given. Sets of places are bit masks of their numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from slashgrammar.grammar.ir import Choice, Node, Reference, Repeat
from slashgrammar.grammar.lark.lexeme_automaton import LexemeAutomaton, bits, union

_MAX_PLACES = 20_000


@dataclass(eq=False, slots=True)
class Part:
    """A node at one place of a grammar; equal nodes at different places are different parts.

    Attributes:
        node: the node.
        is_nullable: whether it matches the empty text.
        lexeme: what it matches, if it is to be read in one go.
        items: what it is made of, if it is not.
    """

    node: Node
    is_nullable: bool
    lexeme: LexemeAutomaton | None = None
    items: tuple[Part, ...] = ()

    @property
    def is_place(self) -> bool:
        """Whether it is a lexeme or a reference."""
        return self.lexeme is not None or isinstance(self.node, Reference)

    @property
    def target(self) -> str | None:
        """The rule that this part refers to, if it is a reference and no lexeme."""
        return self.node.name if self.lexeme is None and isinstance(self.node, Reference) else None


@dataclass(slots=True)
class Place:
    """Where a lexeme stands, or a reference.

    Attributes:
        part: the lexeme or reference.
        rule: the rule in which it stands.
        next: the places that can follow in the same use of the rule.
        is_last: whether that use of the rule can end behind it.
    """

    part: Part
    rule: str
    next: int
    is_last: bool


class TooMany(Exception):
    """More places than are worth looking at, or more of them that meet."""


class Places:
    """All places that can be reached from the start; raises TooMany.

    Attributes:
        begin: for each rule the places that it can begin with, references included.
        follow: for each rule the lexemes that can come after it, wherever it is used.
    """

    def __init__(self, rules: Mapping[str, Part], start: str) -> None:
        self._places: list[Place] = []
        self._numbers: dict[int, int] = {}
        self.begin: dict[str, int] = {}
        todo = [start]
        while todo:
            name = todo.pop()
            if name not in self.begin:
                known = len(self._places)
                self._spread(rules[name], name, 0, True)
                self.begin[name] = self._first(rules[name])
                todo += [target for place in self._places[known:] if (target := place.part.target) is not None]
        self._targets = {
            number: target for number, place in enumerate(self._places) if (target := place.part.target) is not None
        }
        self._references = sum(1 << number for number in self._targets)
        self._beginning = {name: places & ~self._references for name, places in self.begin.items()}
        users: dict[str, list[str]] = {name: [] for name in self.begin}
        for name, places in self.begin.items():
            for number in bits(places & self._references):
                users[self._targets[number]].append(name)
        _propagate(self._beginning, users)
        self.follow = dict.fromkeys(self.begin, 0)
        ends: dict[str, list[str]] = {name: [] for name in self.begin}
        for number, name in self._targets.items():
            place = self._places[number]
            self.follow[name] |= self.lexemes(place.next)
            if place.is_last:
                ends[place.rule].append(name)
        _propagate(self.follow, ends)
        self._with_byte = [0] * 256  # the places that can begin with it
        self._bytes = list(map(self._first_bytes, range(len(self._places))))
        for number, mask in enumerate(self._bytes):
            for byte in bits(mask):
                self._with_byte[byte] |= 1 << number
        self._overlapping: dict[int, int] = {}
        self._bytes_after: dict[int, int] = {}

    def __getitem__(self, number: int) -> Place:
        return self._places[number]

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Place]:
        return iter(self._places)

    def lexemes(self, places: int) -> int:
        """The places, with the lexemes that a rule can begin with instead of references to it."""
        result = places & ~self._references
        for number in bits(places & self._references):
            result |= self._beginning[self._targets[number]]
        return result

    def after(self, number: int) -> int:
        """The lexemes that can come after a place."""
        place = self._places[number]
        return self.lexemes(place.next) | (self.follow[place.rule] if place.is_last else 0)

    def bytes_after(self, number: int) -> int:
        """What can come after a place can begin with these bytes, as a bit mask."""
        if number not in self._bytes_after:
            self._bytes_after[number] = union(self._bytes, self.after(number))
        return self._bytes_after[number]

    def overlapping(self, number: int) -> int:
        """The places that can begin with a byte that the given one can begin with, too."""
        mask = self._bytes[number]
        if mask not in self._overlapping:
            self._overlapping[mask] = union(self._with_byte, mask)
        return self._overlapping[mask]

    def _first_bytes(self, number: int) -> int:
        lexeme = self._places[number].part.lexeme
        if lexeme is not None:
            return lexeme.first_bytes
        return reduce(or_, map(self._first_bytes, bits(self._beginning[self._targets[number]])), 0)

    def _number(self, part: Part) -> int:
        if id(part) not in self._numbers:
            if len(self._places) >= _MAX_PLACES:
                raise TooMany
            self._numbers[id(part)] = len(self._places)
            self._places.append(Place(part, "", 0, False))
        return self._numbers[id(part)]

    def _first(self, part: Part) -> int:
        """The places that a part can begin with."""
        if part.is_place:
            return 1 << self._number(part)
        result = 0
        for item in part.items:
            result |= self._first(item)
            if not isinstance(part.node, Choice) and not item.is_nullable:
                break
        return result

    def _spread(self, part: Part, rule: str, following: int, is_last: bool) -> None:
        """Note what can follow the places in a part, given what can follow it in the rule."""
        if part.is_place:
            self._places[self._number(part)] = Place(part, rule, following, is_last)
        elif isinstance(part.node, Choice):
            for item in part.items:
                self._spread(item, rule, following, is_last)
        elif isinstance(part.node, Repeat):
            again = 0 if part.node.max == 1 else self._first(part)
            self._spread(part.items[0], rule, following | again, is_last)
        else:
            for item in reversed(part.items):
                self._spread(item, rule, following, is_last)
                following = self._first(item) | (following if item.is_nullable else 0)
                is_last = is_last and item.is_nullable


def _propagate(sets: dict[str, int], edges: Mapping[str, list[str]]) -> None:
    """Add to each set those that an edge leads from, until nothing changes."""
    todo = deque(sets)
    while todo:
        name = todo.popleft()
        for other in edges[name]:
            if sets[name] & ~sets[other]:
                sets[other] |= sets[name]
                todo.append(other)
