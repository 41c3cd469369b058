"""Automata of lexemes, to find out what a lexer that takes the longest match makes of two of them at one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from slashgrammar.grammar.automaton.alphabet import partition
from slashgrammar.grammar.ir import CharClass, Literal, Node, Reference, Repeat, Sequence, chars, walk

_MAX_POSITIONS = 400
_MAX_COPIES = 16
_MAX_STEPS = 2_000
_ALL_BYTES = (1 << 256) - 1


class TooLarge(Exception):
    """The node has more positions of characters than an automaton should have."""


class Alphabet:
    """The characters that some rules tell apart: numbered kinds of them, sets of which are bit masks."""

    def __init__(self, rules: Iterable[Node]) -> None:
        classes: dict[CharClass | str, CharClass] = {}
        for node in (inner for rule in rules for inner in walk(rule)):
            if isinstance(node, CharClass):
                classes[node] = node
            elif isinstance(node, Literal):
                classes.update((char, chars(char)) for char in node.text)
        self._kinds = dict.fromkeys(classes, 0)
        self._bytes: list[int] = []
        names = list(classes)
        for kind, (members, owners) in enumerate(partition(classes.values())):
            self._bytes.append(_first_bytes(members))
            for index in bits(owners):
                self._kinds[names[index]] |= 1 << kind

    def kinds(self, what: CharClass | str) -> int:
        """The kinds of characters in a class, or that of a single one."""
        return self._kinds[what]

    @lru_cache(maxsize=1024)  # noqa: B019 (an alphabet lives as long as the work on one grammar)
    def first_bytes(self, kinds: int) -> int:
        """The bytes that the characters of some kinds begin with in UTF-8, as a bit mask."""
        return union(self._bytes, kinds)


class _Part(NamedTuple):
    first: int
    last: int
    is_nullable: bool


class LexemeAutomaton:
    """Glushkov's automaton of a regular node, in which large bounds are left out: it rather takes too much.

    Its states are the positions of characters in the node. Sets of them are bit masks.

    Attributes:
        first: where a text can begin.
        last: where one can end.
        first_bytes: what a text can begin with in UTF-8.
    """

    def __init__(self, node: Node, rules: Mapping[str, Node], alphabet: Alphabet) -> None:
        """Expects a node without recursion; raises TooLarge."""
        self._rules = rules
        self._alphabet = alphabet
        self._kinds: list[int] = []
        self._follow: list[int] = []
        self.first, self.last, _ = self._add(node)
        self.first_bytes = alphabet.first_bytes(self.kinds_at(self.first))

    def kinds_at(self, positions: int) -> int:
        """The kinds of characters at any of the positions."""
        return union(self._kinds, positions)

    def step(self, positions: int, kind: int) -> tuple[int, int]:
        """Of the positions those that take a kind of character (a mask of one bit), and where the next one can be."""
        taken = following = 0
        for position in bits(positions):
            if self._kinds[position] & kind:
                taken |= 1 << position
                following |= self._follow[position]
        return taken, following

    def _add(self, node: Node) -> _Part:
        if isinstance(node, Literal):
            return self._sequence(self._position(self._alphabet.kinds(char)) for char in node.text)
        if isinstance(node, CharClass):
            return self._position(self._alphabet.kinds(node))
        if isinstance(node, Reference):
            return self._add(self._rules[node.name])
        if isinstance(node, Sequence):
            return self._sequence(map(self._add, node.items))
        if isinstance(node, Repeat):
            return self._repeated(node)
        first, last, is_nullable = 0, 0, False
        for part in map(self._add, node.items):
            first, last, is_nullable = first | part.first, last | part.last, is_nullable or part.is_nullable
        return _Part(first, last, is_nullable)

    def _repeated(self, node: Repeat) -> _Part:
        if node.max is not None and node.max <= _MAX_COPIES:
            copies = (self._add(node.item) for _ in range(node.max))
            return self._sequence(
                part if at < node.min else part._replace(is_nullable=True) for at, part in enumerate(copies)
            )
        part = self._add(node.item)
        self._connect(part.last, part.first)
        return part._replace(is_nullable=part.is_nullable or node.min == 0)

    def _position(self, kinds: int) -> _Part:
        if len(self._kinds) >= _MAX_POSITIONS:
            raise TooLarge
        position = 1 << len(self._kinds)
        self._kinds.append(kinds)
        self._follow.append(0)
        return _Part(position, position, False)

    def _sequence(self, parts: Iterator[_Part]) -> _Part:
        first, last, is_nullable = 0, 0, True
        for part in parts:
            self._connect(last, part.first)
            first |= part.first if is_nullable else 0
            last = part.last | (last if part.is_nullable else 0)
            is_nullable = is_nullable and part.is_nullable
        return _Part(first, last, is_nullable)

    def _connect(self, positions: int, following: int) -> None:
        for position in bits(positions):
            self._follow[position] |= following


class Meeting(NamedTuple):
    """What two lexemes do to each other where both are allowed.

    Attributes:
        more: the first bytes of the characters with which the second can go on behind some text of the first.
        is_same: whether some text is either of them.
    """

    more: int
    is_same: bool


def meeting(one: LexemeAutomaton, other: LexemeAutomaton, alphabet: Alphabet, spend: Callable[[], None]) -> Meeting:
    """Run two lexemes side by side, or one beside itself; where that takes too long, the worst is assumed.

    `spend` is called at each step.
    """
    more, is_same = 0, False
    start = (one.first, other.first)
    seen = {start}
    todo = [start]
    while todo:
        spend()
        positions, other_positions = todo.pop()
        for kind in bits(one.kinds_at(positions) & other.kinds_at(other_positions)):
            taken, following = one.step(positions, 1 << kind)
            other_taken, other_following = other.step(other_positions, 1 << kind)
            if taken & one.last:
                is_same = is_same or bool(other_taken & other.last)
                more |= other.kinds_at(other_following)
            state = (following, other_following)
            if state not in seen:
                if len(seen) >= _MAX_STEPS:
                    return Meeting(_ALL_BYTES, True)
                seen.add(state)
                todo.append(state)
    return Meeting(alphabet.first_bytes(more), is_same)


def bits(mask: int) -> Iterator[int]:
    """The numbers in a set that is a bit mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union(masks: Mapping[int, int] | list[int], members: int) -> int:
    """The union of the masks of some members."""
    result = 0
    for member in bits(members):
        result |= masks[member]
    return result


def _first_bytes(members: CharClass) -> int:
    result = 0
    for low, high in members.ranges:
        first, last = chr(low).encode()[0], chr(high).encode()[0]  # first bytes are in the order of the characters
        result |= (2 << last) - (1 << first)
    return result
