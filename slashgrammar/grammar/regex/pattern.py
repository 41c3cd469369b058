"""A regular expression between its parser and its automaton: IR nodes, with marks where the text around is asked about.

Parsers of a dialect (`regex`, `regex_ecma`) build a `Pattern` with a `PatternBuilder`. Where it has no conditions its
node is the answer already; `lookaround` turns the conditions into automata.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from slashgrammar.grammar.ir import (
    ANY_CHAR,
    CharClass,
    Choice,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    opt,
    repeat,
    seq,
)


@dataclass(frozen=True, slots=True)
class Look:
    """A condition of width zero on the text before a place (`behind`) or after it: the node matches there, or not."""

    node: Node
    behind: bool = False
    negative: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """A node in which a reference to a name in `looks` stands for a condition; conditions may hold conditions."""

    node: Node
    looks: Mapping[str, Look] = field(default_factory=dict)


@dataclass(slots=True)
class PatternBuilder:
    """Collects the conditions of patterns; equal ones get one name.

    Attributes:
        looks: the conditions by name, each behind those that stand inside it.
    """

    looks: dict[str, Look] = field(default_factory=dict)
    _names: dict[Look, str] = field(default_factory=dict)

    def look(self, node: Node, *, behind: bool = False, negative: bool = False) -> Reference:
        """A condition: the node matches up to here (`behind`), or from here on."""
        look = Look(node, behind, negative)
        name = self._names.setdefault(look, f"(?{len(self._names)})")
        self.looks[name] = look
        return Reference(name)

    def text_start(self) -> Node:
        """Nothing stands before."""
        return self.look(ANY_CHAR, behind=True, negative=True)

    def text_end(self) -> Node:
        """Nothing follows."""
        return self.look(ANY_CHAR, negative=True)

    def last_line_end(self) -> Node:
        """Nothing follows but perhaps a line feed: Python's `$`."""
        return self.look(seq(opt(Literal("\n")), self.text_end()))

    def line_start(self, line_ends: CharClass) -> Node:
        """The text starts here or a line ended before."""
        return self.look(ANY_CHAR - line_ends, behind=True, negative=True)

    def line_end(self, line_ends: CharClass) -> Node:
        """The text ends here or a line end follows."""
        return self.look(ANY_CHAR - line_ends, negative=True)

    def word_boundary(self, word: CharClass, *, negative: bool = False) -> Node:
        """A word character on exactly one side; `negative`: on both sides or on none."""
        before, after = self.look(word, behind=True), self.look(word)
        none_before, none_after = self.look(word, behind=True, negative=True), self.look(word, negative=True)
        if negative:
            return alt(seq(before, after), seq(none_before, none_after))
        return alt(seq(before, none_after), seq(none_before, after))

    def atomic(self, node: Node) -> Node | None:
        """What the node matches when it keeps what it took first (`(?>…)`), or None where that is hard to say.

        It is said for texts of one possible reading, with a greedy run of one character class at their end.
        """
        items = node.items if isinstance(node, Sequence) else (node,)
        *fixed, last = items
        if any(isinstance(item, (Choice, Repeat, Reference)) for item in fixed):
            return None
        if not isinstance(last, Repeat):
            return None if isinstance(last, (Choice, Reference)) else node
        if not (isinstance(last.item, CharClass) or (isinstance(last.item, Literal) and len(last.item.text) == 1)):
            return None
        stop = self.look(last.item, negative=True)
        if last.max is None:
            return seq(node, stop)
        full = repeat(last.item, last.max, last.max)
        fewer = seq(repeat(last.item, last.min, last.max - 1), stop) if last.max > last.min else None
        return seq(*fixed, full if fewer is None else alt(full, fewer))
