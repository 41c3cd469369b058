"""How characters are written inside a JSON string: as they are, with a short escape, or as `\\uXXXX`.

RFC 8259, section 7. A character above U+FFFF is escaped as a pair of surrogates, and counts as one all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from slashgrammar.grammar.ir import (
    CharClass,
    Literal,
    Node,
    Range,
    Repeat,
    alt,
    char_class,
    character,
    chars,
    children,
    repeat,
    seq,
)
from slashgrammar.grammar.ir import Choice as ChoiceNode
from slashgrammar.grammar.ir import Sequence as SequenceNode

QUOTE = Literal('"')
_SHORT = {'"': '"', "\\": "\\", "/": "/", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}
_RAW = ~(chars('"\\') | char_class([(0, 0x1F)]))
_CONTROL = char_class([(0, 0x1F), (0x7F, 0x9F)])
_ASTRAL = 0x10000
_LOW = (0xDC00, 0xDFFF)


@lru_cache(maxsize=1024)
def spelled(wanted: CharClass) -> Node:
    """All the ways to write one character of a class."""
    ways = [character(wanted & _RAW)]
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
    """The one way in which each character of a class is rendered; for keys, so that none has two spellings."""
    ways = [character(wanted & _RAW - _CONTROL)]
    short = [letter for char, letter in _SHORT.items() if char in wanted and char != "/"]
    escapes: list[Node] = [character(chars(short))] if short else []
    numbered = (wanted & _CONTROL) - chars(_SHORT)
    if numbered:
        escapes.append(seq(Literal("u"), _hexadecimal(numbered.ranges, 4)))
    if escapes:
        ways.append(seq(Literal("\\"), alt(*escapes)))
    return alt(*ways)


def spell(node: Node) -> Node:
    """The node of a string's content as the node of its JSON text, without the quotes."""
    if isinstance(node, CharClass):
        return spelled(node)
    if isinstance(node, Literal):
        return seq(*(spelled(chars(char)) for char in node.text))
    if isinstance(node, Repeat):
        return repeat(spell(node.item), node.min, node.max)
    inner = [spell(child) for child in children(node)]
    if isinstance(node, SequenceNode):
        return seq(*inner)
    return alt(*inner) if isinstance(node, ChoiceNode) else node


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


def _hexadecimal(ranges: Sequence[Range], digits: int) -> Node:
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
