"""Keys that are none of the declared ones, so that nothing declared slips in as something else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from slashgrammar.grammar.ir import (
    ANY_CHAR,
    EMPTY,
    Choice,
    Node,
    Reference,
    Sequence,
    alt,
    char_class,
    chars,
    repeat,
    seq,
)
from slashgrammar.grammar.schema.spelling import ESCAPED, QUOTE, digest, spelled_once
from slashgrammar.grammar.schema.texts import Text

_ESCAPE, _REST = ":key-escape", ":key-rest"
_SHARED: dict[str, Node] = {
    _ESCAPE: spelled_once(ESCAPED),
    _REST: seq(repeat(alt(ANY_CHAR - ESCAPED, Reference(_ESCAPE))), QUOTE),
}
_WORD_START = char_class([(65, 90), (95, 95), (97, 122)])
_WORD_CHARS = _WORD_START | char_class([(48, 57)]) | chars(".-")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
"""A key that an argument may have without quotes."""
_DEPTH = 16


class _Vertex:
    """A place in the tree of the names: what may follow, and whether a name ends here."""

    __slots__ = ("following", "is_name")

    def __init__(self) -> None:
        self.following: dict[str, _Vertex] = {}
        self.is_name = False


@lru_cache(maxsize=2048)
def keys_but(names: frozenset[str]) -> Text:
    """All keys but some, as JSON strings in which each character has one spelling."""
    start = f":key-not-{digest(sorted(names))}"
    rules = dict(_SHARED)
    rules[start] = seq(QUOTE, _complement(sorted(names), _after_in_string, start, rules))
    return Text(Reference(start), rules)


@lru_cache(maxsize=2048)
def words_but(names: frozenset[str]) -> Text:
    """All keys but some, as the plain words that stand for them before the `=` of an argument."""
    start = f":word-not-{digest(sorted(names))}"
    rules: dict[str, Node] = {}
    words = sorted(name for name in names if WORD.fullmatch(name))
    rules[start] = _complement(words, _after_in_word, start, rules)
    return Text(Reference(start), rules)


def _tree(names: Iterable[str]) -> list[_Vertex]:
    """The vertices of the tree, each after the one it follows."""
    vertices = [_Vertex()]
    for name in names:
        vertex = vertices[0]
        for char in name:
            if char not in vertex.following:
                vertex.following[char] = _Vertex()
                vertices.append(vertex.following[char])
            vertex = vertex.following[char]
        vertex.is_name = True
    return vertices


def _complement(
    names: Iterable[str], leaving: Callable[[str, bool, bool], tuple[Node, ...]], start: str, rules: dict[str, Node]
) -> Node:
    """The texts that are no name.

    `leaving` gives the ways out of the tree at a place, by the letters that go on, whether a name ends there, and
    whether it is the root.
    """
    vertices = _tree(names)
    written: dict[_Vertex, tuple[Node, int]] = {}
    for vertex in reversed(vertices):
        ways = leaving("".join(vertex.following), vertex.is_name, vertex is vertices[0])
        depth = 0
        for char, after in vertex.following.items():
            node, below = written.pop(after)
            ways += (Sequence((_letter(char), node)),)
            depth = max(depth, below + 1)
        node = Choice(ways)
        if depth == _DEPTH:  # so that nodes stay shallow
            name = f"{start}-{len(rules)}"
            rules[name] = node
            node, depth = Reference(name), 0
        written[vertex] = (node, depth)
    return written[vertices[0]][0]


@lru_cache(maxsize=4096)
def _letter(char: str) -> Node:
    return spelled_once(chars(char))


@lru_cache(maxsize=4096)
def _after_in_string(following: str, is_name: bool, _: bool) -> tuple[Node, ...]:
    other = ANY_CHAR - chars(following)
    escaped = Reference(_ESCAPE) if other & ESCAPED == ESCAPED else spelled_once(other & ESCAPED)
    ways = (seq(other - ESCAPED, Reference(_REST)), seq(escaped, Reference(_REST)))
    return ways if is_name else (QUOTE, *ways)


@lru_cache(maxsize=4096)
def _after_in_word(following: str, is_name: bool, first: bool) -> tuple[Node, ...]:
    other = (_WORD_START if first else _WORD_CHARS) - chars(following)
    ways = (seq(other, repeat(_WORD_CHARS)),)
    return ways if is_name or first else (EMPTY, *ways)
