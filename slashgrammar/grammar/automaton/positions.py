"""The position automaton of a regular IR node: one state for each character that the node writes.

V. M. Glushkov, The abstract theory of automata, Russian Mathematical Surveys 16(5), 1961. Sets of positions are bit
masks in Python's integers, which makes the subset construction that follows cheap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, islice, repeat

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import (
    ANY_CHAR,
    CharClass,
    Choice,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    char_class,
)

MAX_STATES = 10_000
_MAX_VISITS = 20 * MAX_STATES


class AutomatonTooLarge(GrammarError):
    """A regular language whose automaton has more states than `MAX_STATES`; widen the language, or bound it less."""

    def __init__(self, limit: int = MAX_STATES) -> None:
        super().__init__(f"the automaton has more than {limit} states; use smaller repetition bounds")


@dataclass(frozen=True, slots=True)
class _Part:
    """The positions that a node can begin and end with, and whether it matches the empty text."""

    first: int
    last: int
    nullable: bool


_EMPTY = _Part(0, 0, True)


@dataclass(slots=True)
class Positions:
    """The automaton: which class each position reads, and the mask of positions that may follow it.

    The position after the last one means the end of the text. `first` is what a text may begin with.
    """

    rules: Mapping[str, Node]
    classes: list[CharClass] = field(default_factory=list)
    follow: list[int] = field(default_factory=list)
    first: int = 0
    _open: set[str] = field(default_factory=set)
    _visits: int = 0

    @classmethod
    def of(cls, node: Node, rules: Mapping[str, Node]) -> Positions:
        """Raises GrammarError for a rule that refers to itself or is missing, AutomatonTooLarge as it says."""
        result = cls(rules)
        part = result._build(node)
        end = 1 << len(result.classes)
        for position in bits(part.last):
            result.follow[position] |= end
        result.first = part.first | (end if part.nullable else 0)
        return result

    def then_anything(self) -> int:
        """The state from which every text is accepted, as far as one position shows it; 0 where there is none."""
        end = 1 << len(self.classes)
        for position, chars in enumerate(self.classes):
            if chars == ANY_CHAR and self.follow[position] == end | 1 << position:
                return self.follow[position]
        return 0

    def _build(self, node: Node) -> _Part:
        # Nodes without characters add no positions, and rules that use each other twice can hold many of them.
        self._visits += 1
        if self._visits > _MAX_VISITS:
            raise AutomatonTooLarge
        match node:
            case Literal(text):
                part = _EMPTY
                for char in text:
                    part = self._concatenate(part, self._position(char_class([(ord(char), ord(char))])))
                return part
            case CharClass():
                return self._position(node) if node else _Part(0, 0, False)
            case Sequence(items):
                part = _EMPTY
                for item in items:
                    part = self._concatenate(part, self._build(item))
                return part
            case Choice(items):
                parts = [self._build(item) for item in items]
                first = last = 0
                for part in parts:
                    first |= part.first
                    last |= part.last
                return _Part(first, last, any(part.nullable for part in parts))
            case Repeat():
                return self._repeat(node)
            case Reference(name):
                return self._rule(name)

    def _position(self, chars: CharClass) -> _Part:
        if len(self.classes) == MAX_STATES:
            raise AutomatonTooLarge
        mask = 1 << len(self.classes)
        self.classes.append(chars)
        self.follow.append(0)
        return _Part(mask, mask, False)

    def _concatenate(self, left: _Part, right: _Part) -> _Part:
        for position in bits(left.last):
            self.follow[position] |= right.first
        return _Part(
            left.first | right.first if left.nullable else left.first,
            left.last | right.last if right.nullable else right.last,
            left.nullable and right.nullable,
        )

    def _repeat(self, node: Repeat) -> _Part:
        """`x{2,4}` is built as `x x (x x?)?`, so that few positions have more than one way to go on."""
        size = len(self.classes)
        item = self._build(node.item)
        if len(self.classes) == size:
            return _Part(0, 0, item.nullable or node.min == 0)
        # Where the item may be empty, fewer repetitions do as well, and none of them needs to be empty.
        low, nullable = (0, True) if item.nullable else (node.min, node.min == 0)
        copies = chain([_Part(item.first, item.last, False)], map(self._build_filled, repeat(node.item)))
        part = _EMPTY
        for copy in islice(copies, max(low - 1, 0)):
            part = self._concatenate(part, copy)
        if node.max is None:
            last = next(copies)
            tail = self._concatenate(last, _Part(last.first, last.last, True))
            return self._concatenate(part, _Part(tail.first, tail.last, nullable))
        if low:
            part = self._concatenate(part, next(copies))
        tail = _EMPTY
        for copy in islice(copies, node.max - low):
            more = self._concatenate(copy, tail)
            tail = _Part(more.first, more.last, True)
        return self._concatenate(part, tail)

    def _build_filled(self, node: Node) -> _Part:
        part = self._build(node)
        return _Part(part.first, part.last, False)

    def _rule(self, name: str) -> _Part:
        if name in self._open:
            raise GrammarError("it refers to itself, so that it is not regular", rule=name)
        if name not in self.rules:
            raise GrammarError("there is no such rule", rule=name)
        self._open.add(name)
        part = self._build(self.rules[name])
        self._open.remove(name)
        return part


def bits(mask: int) -> list[int]:
    """The indexes of the bits that are set, from low to high."""
    result = []
    while mask:
        low = mask & -mask
        result.append(low.bit_length() - 1)
        mask ^= low
    return result
