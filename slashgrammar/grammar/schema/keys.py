"""Keys that are none of the declared ones, so that nothing declared slips in as something else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeAlias

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


@lru_cache(maxsize=16)
def keys_but(names: frozenset[str]) -> Text:
    """All keys but some, as JSON strings in which each character has one spelling."""
    start = f":key-not-{digest(sorted(names))}"
    rules = dict(_SHARED)
    rules[start] = seq(QUOTE, _complement(sorted(names), _leave_string, start, rules))
    return Text(Reference(start), rules)


@lru_cache(maxsize=16)
def words_but(names: frozenset[str]) -> Text:
    """All keys but some, as the plain words that stand for them before the `=` of an argument."""
    start = f":wor-not-{digest(sorted(names))}"
    rules: dict[str, Node] = {}
    words = sorted(name for name in names if WORD.fullmatch(name))
    rules[start] = _complement(words, _leave_word, start, rules)
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


def _complement(names: Iterable[str], leave: _Leave, start: str, rules: dict[str, Node]) -> Node:
    """The texts that are no name."""
    vertices = _tree(names)
    written: dict[_Vertex, tuple[Node, int]] = {}
    for vertex in reversed(vertices):
        way_out = f"{start[:4]}-off-{digest((''.join(vertex.following), vertex.is_name, vertex is vertices[0]))}"
        if way_out not in rules:
            rules[way_out] = leave("".join(vertex.following), vertex.is_name, vertex is vertices[0])
        ways: list[Node] = [Reference(way_out)]
        depth = 0
        for char, after in vertex.following.items():
            node, below = written.pop(after)
            ways.append(Sequence((_letter(char), node)))
            depth = max(depth, below + 1)
        node = Choice(tuple(ways)) if len(ways) > 1 else ways[0]
        if depth == _DEPTH:  # so that nodes stay shallow
            name = f"{start}-{len(rules)}"
            rules[name] = node
            node, depth = Reference(name), 0
        written[vertex] = (node, depth)
    return written[vertices[0]][0]


@lru_cache(maxsize=1024)
def _letter(char: str) -> Node:
    return spelled_once(chars(char))


_Leave: TypeAlias = "Callable[[str, bool, bool], Node]"
"""The ways out of the tree at a vertex: by the letters that follow, whether a name ends there, if it is the root."""


@lru_cache(maxsize=256)
def _leave_string(following: str, is_name: bool, _: bool) -> Node:
    other = ANY_CHAR - chars(following)
    escaped = Reference(_ESCAPE) if other & ESCAPED == ESCAPED else spelled_once(other & ESCAPED)
    more = seq(alt(other - ESCAPED, escaped), Reference(_REST))
    return more if is_name else alt(QUOTE, more)


@lru_cache(maxsize=256)
def _leave_word(following: str, is_name: bool, first: bool) -> Node:
    other = (_WORD_START if first else _WORD_CHARS) - chars(following)
    more = seq(other, repeat(_WORD_CHARS))
    return more if is_name or first else alt(EMPTY, more)
