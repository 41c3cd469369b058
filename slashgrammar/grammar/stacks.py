"""Positions in a grammar as sets of stacks, kept as a graph that shares their tails (Tomita, 1985)."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from slashgrammar.grammar.ir import CharClass, Literal, Node, char_class, chars


class Tail:
    """What has to come after: a set of stacks, each a node and the tail below it; `end` if one of them is empty."""

    __slots__ = ("end", "frames")

    def __init__(self, frames: tuple[tuple[Node, Tail], ...], end: bool) -> None:
        self.frames = frames
        self.end = end


Entry: TypeAlias = "tuple[Literal | CharClass, Tail]"


class State:
    """A position: the nodes that the next character may match, each with its tail, and whether the text may end.

    `next` holds the positions behind the characters met so far; `run` matches the characters that lead back here.
    """

    __slots__ = ("accepts", "entries", "forced", "next", "run")

    def __init__(self, entries: tuple[Entry, ...], accepts: bool) -> None:
        self.entries = entries
        self.accepts = accepts
        self.next: dict[str, State] = {}
        self.forced: str | None = None
        self.run: re.Pattern[str] | None = None

    def next_chars(self) -> CharClass:
        """The characters that may follow."""
        ranges = [one for node, _ in self.entries if isinstance(node, CharClass) for one in node.ranges]
        literal = chars(node.text[0] for node, _ in self.entries if isinstance(node, Literal))
        return char_class([*ranges, *literal.ranges])


DEAD: Final = State((), accepts=False)
