"""The intermediate representation of a grammar: six kinds of node and a table of rules.

What knows Lark, regular expressions or JSON Schema produces these nodes; what knows a target (GBNF, Lark text, the
matcher) consumes them. Nodes are immutable values: equal nodes are interchangeable, so passes may share them.

    Literal("abc")            the text itself; Literal("") is the empty text
    CharClass(((97, 122),))   one character of the given code points; CharClass(()) matches nothing
    Sequence((a, b))          a, then b
    Choice((a, b))            a or b
    Repeat(a, 0, None)        a, at least `min` and at most `max` times (None: without bound)
    Reference("rule")         what the rule of that name matches

The `items` of a node are the nodes directly inside it. Build nodes with `seq`, `alt`, `repeat` and `char_class`, which
flatten, merge and simplify on the way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

MAX_CODE_POINT = 0x10FFFF
SURROGATES = (0xD800, 0xDFFF)

Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Literal:
    """A text, character for character."""

    text: str
    items: ClassVar[tuple[Node, ...]] = ()


@dataclass(frozen=True, slots=True)
class CharClass:
    """One character out of a set of code points, kept as sorted, disjoint, inclusive ranges.

    Surrogates are never members: they are no characters of a text.
    """

    ranges: tuple[Range, ...]
    items: ClassVar[tuple[Node, ...]] = ()

    def __contains__(self, char: object) -> bool:
        if not isinstance(char, str) or len(char) != 1:
            return False
        index = bisect_right(self.ranges, (ord(char), MAX_CODE_POINT + 1)) - 1
        return index >= 0 and ord(char) <= self.ranges[index][1]

    def __iter__(self) -> Iterator[str]:
        for low, high in self.ranges:
            yield from map(chr, range(low, high + 1))

    def __len__(self) -> int:
        return sum(high - low + 1 for low, high in self.ranges)

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __or__(self, other: CharClass) -> CharClass:
        return char_class(self.ranges + other.ranges)

    def __and__(self, other: CharClass) -> CharClass:
        result: list[Range] = []
        left, right = list(self.ranges), list(other.ranges)
        i = j = 0
        while i < len(left) and j < len(right):
            low, high = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
            if low <= high:
                result.append((low, high))
            if left[i][1] < right[j][1]:
                i += 1
            else:
                j += 1
        return CharClass(tuple(result))

    def __invert__(self) -> CharClass:
        result: list[Range] = []
        start = 0
        for low, high in (*self.ranges, (MAX_CODE_POINT + 1, MAX_CODE_POINT + 1)):
            if start < low:
                result.append((start, low - 1))
            start = high + 1
        return char_class(result)

    def __sub__(self, other: CharClass) -> CharClass:
        return self & ~other


@dataclass(frozen=True, slots=True)
class Sequence:
    """One node after the other."""

    items: tuple[Node, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(("seq", self.items)))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of the nodes; the order says nothing."""

    items: tuple[Node, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(("alt", self.items)))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Repeat:
    """A node between `min` and `max` times, both inclusive; `max` is None where there is no bound."""

    item: Node
    min: int
    max: int | None
    items: tuple[Node, ...] = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", (self.item,))
        object.__setattr__(self, "_hash", hash(("rep", self.item, self.min, self.max)))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Reference:
    """What the rule of that name matches."""

    name: str
    items: ClassVar[tuple[Node, ...]] = ()


Node: TypeAlias = Literal | CharClass | Sequence | Choice | Repeat | Reference

EMPTY = Literal("")
NOTHING = CharClass(())
ANY_CHAR = CharClass(((0, SURROGATES[0] - 1), (SURROGATES[1] + 1, MAX_CODE_POINT)))


@dataclass(frozen=True, slots=True)
class Grammar:
    """A table of rules and the name of the one to start from."""

    rules: Mapping[str, Node]
    start: str = "start"


def char_class(ranges: Iterable[Range]) -> CharClass:
    """A class of the given inclusive ranges, in any order, overlapping or not; surrogates are left out."""
    low_surrogate, high_surrogate = SURROGATES
    pieces: list[Range] = []
    for low, high in ranges:
        if low <= high_surrogate and high >= low_surrogate:
            pieces += [(low, low_surrogate - 1), (high_surrogate + 1, high)]
        else:
            pieces.append((low, high))
    merged: list[Range] = []
    for low, high in sorted(piece for piece in pieces if piece[0] <= piece[1]):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return CharClass(tuple(merged))


def chars(text: Iterable[str]) -> CharClass:
    """The class of the given characters."""
    return char_class((ord(char), ord(char)) for char in text)


def seq(*items: Node) -> Node:
    """The sequence of the items: nested sequences are opened, neighbouring literals joined, empty texts dropped."""
    flat: list[Node] = []
    for item in items:
        for part in item.items if isinstance(item, Sequence) else (item,):
            if isinstance(part, Literal):
                if not part.text:
                    continue
                if flat and isinstance(flat[-1], Literal):
                    flat[-1] = Literal(flat[-1].text + part.text)
                    continue
            elif isinstance(part, CharClass) and not part.ranges:
                return NOTHING
            flat.append(part)
    if not flat:
        return EMPTY
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def alt(*items: Node) -> Node:
    """The choice of the items: nested choices are opened, doubles dropped, single characters gathered in one class."""
    flat: dict[Node, None] = {}
    single: list[Range] = []
    place = 0
    for item in items:
        for part in item.items if isinstance(item, Choice) else (item,):
            if isinstance(part, Literal) and len(part.text) == 1:
                part = chars(part.text)
            if isinstance(part, CharClass):
                if not single:
                    place = len(flat)
                single += part.ranges
            else:
                flat[part] = None
    result = list(flat)
    if single:
        result.insert(place, character(char_class(single)))
    if not result:
        return NOTHING
    return result[0] if len(result) == 1 else Choice(tuple(result))


def character(chars: CharClass) -> Node:
    """The class, as a literal where it has one member only."""
    if len(chars.ranges) == 1 and chars.ranges[0][0] == chars.ranges[0][1]:
        return Literal(chr(chars.ranges[0][0]))
    return chars


def repeat(item: Node, min: int = 0, max: int | None = None) -> Node:
    """The item between `min` and `max` times; raises ValueError for bounds that contradict each other."""
    if min < 0 or (max is not None and max < min):
        raise ValueError(f"repetition bounds {min}..{max} contradict each other")
    if item == NOTHING:
        return EMPTY if min == 0 else NOTHING
    if item == EMPTY or max == 0:
        return EMPTY
    if min == max == 1:
        return item
    return Repeat(item, min, max)


def opt(item: Node) -> Node:
    """The item or nothing."""
    return repeat(item, 0, 1)


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, each occurrence once, parents first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.items))


def references(node: Node) -> Iterator[str]:
    """The rule names that a node refers to, in order of occurrence."""
    return (inner.name for inner in walk(node) if isinstance(inner, Reference))
