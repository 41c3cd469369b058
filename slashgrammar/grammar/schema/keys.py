"""Keys that are none of the declared ones, so that nothing declared slips in as something else."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from slashgrammar.grammar.ir import ANY_CHAR, Node, alt, chars, repeat, seq
from slashgrammar.grammar.schema.spelling import QUOTE, spelled_once

_REST = seq(repeat(spelled_once(ANY_CHAR)), QUOTE)
_DEPTH = 16


class _Vertex:
    """A place in the tree of the names: what may follow, and whether a name ends here."""

    __slots__ = ("following", "is_name")

    def __init__(self) -> None:
        self.following: dict[str, _Vertex] = {}
        self.is_name = False


def any_key_but(names: Iterable[str], rule: Callable[[Node], Node]) -> Node:
    """A key, as a JSON string, that is none of the names; `rule` makes a reference of a node, to keep them shallow."""
    root = _Vertex()
    vertices = [root]
    for name in names:
        vertex = root
        for char in name:
            if char not in vertex.following:
                vertex.following[char] = _Vertex()
                vertices.append(vertex.following[char])
            vertex = vertex.following[char]
        vertex.is_name = True
    return seq(QUOTE, _write(vertices, rule))


def _write(vertices: list[_Vertex], rule: Callable[[Node], Node]) -> Node:
    """The complement of the tree, from its leaves to its root."""
    written: dict[_Vertex, tuple[Node, int]] = {}
    for vertex in reversed(vertices):
        ways: list[Node] = [] if vertex.is_name else [QUOTE]
        depth = 0
        for char, after in vertex.following.items():
            node, below = written.pop(after)
            ways.append(seq(spelled_once(chars(char)), node))
            depth = max(depth, below + 1)
        other = ~chars(vertex.following) & ANY_CHAR
        ways.append(seq(spelled_once(other), _REST))
        node = alt(*ways)
        written[vertex] = (rule(node), 0) if depth == _DEPTH else (node, depth)
    return written[vertices[0]][0]
