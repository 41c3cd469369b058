"""How characters are written inside a JSON string: as they are, with a short escape, or as `\\uXXXX`.

RFC 8259, section 7. A character above U+FFFF is escaped as a pair of surrogates, and counts as one all the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from slashgrammar.grammar.ir import (
    CharClass,
    Choice,
    Literal,
    Node,
    Range,
    Reference,
    Repeat,
    Sequence,
    alt,
    char_class,
    character,
    chars,
    repeat,
    seq,
)

QUOTE = Literal('"')
_SHORT = {'"': '"', "\\": "\\", "/": "/", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}
_PRINTABLE = char_class([(0x20, 0x7E)])
_CONTROL = char_class([(0, 0x1F)])
ESCAPED = _CONTROL | chars('"\\')
"""What is always escaped."""
_ASTRAL = 0x10000
_LOW = (0xDC00, 0xDFFF)


@lru_cache(maxsize=1024)
def spelled(wanted: CharClass) -> Node:
    """The ways to write one character of a class; printable ASCII, where it is all of it, is written as it is."""
    if wanted & _PRINTABLE == wanted:
        return spelled_once(wanted)
    ways = [character(wanted - ESCAPED)]
    short = [letter for char, letter in _SHORT.items() if char in wanted]
    escapes: list[Node] = [character(chars(short))] if short else []
    units = _code_units(wanted)
    if units:
        escapes.append(seq(Literal("u"), alt(*units)))
    if escapes:
        ways.append(seq(Literal("\\"), alt(*escapes)))
    return alt(*ways)


@lru_cache(maxsize=1024)
def spelled_once(wanted: CharClass) -> Node:
    """The way in which each character of a class is rendered, for keys; only digits of escapes come in either case."""
    ways = [character(wanted - ESCAPED)]
    short = [letter for char, letter in _SHORT.items() if char in wanted and char != "/"]
    escapes: list[Node] = [character(chars(short))] if short else []
    numbered = (wanted & _CONTROL) - chars(_SHORT)
    if numbered:
        escapes.append(seq(Literal("u"), _hexadecimal(numbered.ranges, 4)))
    if escapes:
        ways.append(seq(Literal("\\"), alt(*escapes)))
    return alt(*ways)


class Speller:
    """Turns nodes of content into nodes of JSON text; `rules` gets a rule for each larger class of characters.

    The names of these rules begin with a colon and tell the class, so that they mean the same everywhere. With `once`
    each character has one spelling, as it has to be in keys. `names` are the new names of rules that nodes refer to.
    """

    def __init__(self, rules: dict[str, Node], names: dict[str, str], *, once: bool = False) -> None:
        self._rules = rules
        self._names = names
        self._spelled = spelled_once if once else spelled
        self._kind = "key" if once else "text"

    def spell(self, node: Node) -> Node:
        """The node as it is written between the quotes."""
        if isinstance(node, CharClass):
            return self._class(node)
        if isinstance(node, Literal):
            return seq(*(self._spelled(chars(char)) for char in node.text))
        if isinstance(node, Reference):
            return Reference(self._names[node.name])
        if isinstance(node, Repeat):
            return repeat(self.spell(node.item), node.min, node.max)
        inner = [self.spell(child) for child in node.items]
        if isinstance(node, Sequence):
            return seq(*inner)
        return alt(*inner)

    def _class(self, wanted: CharClass) -> Node:
        name = f":{self._kind}-{digest(wanted.ranges)}"
        if name not in self._rules:
            node = self._spelled(wanted)
            if not isinstance(node, Choice):
                return node
            self._rules[name] = node
        return Reference(name)


def digest(value: object) -> str:
    """A short name for a value that is the same in every process."""
    return blake2b(repr(value).encode(), digest_size=6).hexdigest()


def _code_units(wanted: CharClass) -> list[Node]:
    found: list[Node] = []
    basic = wanted & char_class([(0, _ASTRAL - 1)])
    if basic:
        found.append(_hexadecimal(basic.ranges, 4))
    for low, high in (wanted - basic).ranges:
        found += _pairs(low - _ASTRAL, high - _ASTRAL)
    return found


def _pairs(low: int, high: int) -> list[Node]:
    """Surrogate pairs for a range of code points above U+FFFF, counted from there."""
    top, bottom = low >> 10, high >> 10
    if top == bottom:
        return [_pair((top, top), (low & 0x3FF, high & 0x3FF))]
    found = []
    if low & 0x3FF:
        found.append(_pair((top, top), (low & 0x3FF, 0x3FF)))
        top += 1
    if high & 0x3FF != 0x3FF:
        found.append(_pair((bottom, bottom), (0, high & 0x3FF)))
        bottom -= 1
    return [*found, _pair((top, bottom), (0, 0x3FF))] if top <= bottom else found


def _pair(high: Range, low: Range) -> Node:
    first = _hexadecimal([(0xD800 + high[0], 0xD800 + high[1])], 4)
    return seq(first, Literal("\\u"), _hexadecimal([(_LOW[0] + low[0], _LOW[0] + low[1])], 4))


def _hexadecimal(ranges: Iterable[Range], digits: int) -> Node:
    """The numbers of some ranges with so many hexadecimal digits, in either case."""
    if not digits:
        return Literal("")
    size = 16 ** (digits - 1)
    tails: dict[tuple[Range, ...], list[int]] = {}
    for digit in range(16):
        start = digit * size
        inside = [(max(low - start, 0), min(high - start, size - 1)) for low, high in ranges]
        tail = tuple((low, high) for low, high in inside if low <= high)
        if tail:
            tails.setdefault(tail, []).append(digit)
    return alt(*(seq(_digits(heads), _hexadecimal(tail, digits - 1)) for tail, heads in tails.items()))


def _digits(values: list[int]) -> Node:
    letters = "".join(f"{value:x}{value:X}" for value in values)
    return character(chars(letters))
