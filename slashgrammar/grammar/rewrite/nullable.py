"""Keep the empty text out of loops: llama.cpp takes `(x?)*` for left recursion, or worse, does not notice it."""

from __future__ import annotations

from collections.abc import Sequence as Items

from slashgrammar.grammar.ir import (
    EMPTY,
    NOTHING,
    CharClass,
    Choice,
    Grammar,
    Literal,
    Node,
    Reference,
    Repeat,
    alt,
    repeat,
    seq,
)
from slashgrammar.grammar.rewrite.analysis import least_fixpoint, nullable
from slashgrammar.grammar.rewrite.fresh import RuleTable
from slashgrammar.grammar.rewrite.rebuild import with_groups

# The rest of a sequence that is needed more than once is copied up to this many items, and becomes a rule above it.
_COPIED_ITEMS = 3


def remove_nullable_loops(grammar: Grammar) -> Grammar:
    """Repeat only what matches at least one character: `(x?)*` becomes `x*`, `(x? y?){2,5}` becomes `(x y? | y){0,5}`.

    Preserves the language of every rule. A rule is added for the non-empty part of each rule where that is repeated.
    """
    nonempty = NonEmpty(RuleTable(grammar.rules), least_fixpoint(grammar.rules, nullable))
    rules = nonempty.table.rules
    for name in grammar.rules:
        rules[name] = nonempty.loop_free(rules[name])
    nonempty.finish()
    return Grammar(rules, grammar.start)


class NonEmpty:
    """The parts of nodes and rules that are not the empty text.

    Attributes:
        table: the rules, to which `finish` adds one for the non-empty part of each rule that was asked for.
        nullable: the rules that match the empty text.
    """

    def __init__(self, table: RuleTable, nullable: set[str]) -> None:
        self.table = table
        self.nullable = nullable
        self._names: dict[str, str] = {}
        self._unfinished: list[str] = []

    def loop_free(self, node: Node) -> Node:
        """The node with only that repeated which is not the empty text."""
        node = with_groups(node, self.loop_free)
        if isinstance(node, Repeat) and node.max == 0:
            return EMPTY
        if isinstance(node, Repeat) and node.max != 1 and nullable(node.item, self.nullable):
            return repeat(self.of(node.item), 0, node.max)
        return node

    def of(self, node: Node) -> Node:
        """A node that matches what the node matches, except the empty text."""
        if isinstance(node, Literal):
            return node if node.text else NOTHING
        if isinstance(node, CharClass):
            return node
        if isinstance(node, Reference):
            return Reference(self.rule(node.name)) if node.name in self.nullable else node
        if isinstance(node, Choice):
            return alt(*(self.of(item) for item in node.items))
        if isinstance(node, Repeat):
            if node.max == 0:
                return NOTHING
            return repeat(
                self.of(node.item), max(node.min, 1) if not nullable(node.item, self.nullable) else 1, node.max
            )
        return self._of_sequence(node.items) if nullable(node, self.nullable) else node

    def rule(self, name: str) -> str:
        """The name of the rule for the non-empty part of a nullable rule; `finish` writes it, unless it is there."""
        if name not in self._names:
            self._names[name] = self.table.name()
            self._unfinished.append(name)
        return self._names[name]

    def finish(self) -> None:
        """Write all rules that were asked for."""
        while self._unfinished:
            name = self._unfinished.pop()
            if self._names[name] not in self.table.rules:
                self.table.rules[self._names[name]] = self.of(self.table.rules[name])

    def suffixes(self, items: Items[Node]) -> list[Node]:
        """For each item a node for what follows it, in total no larger than a few times the items."""
        result: list[Node] = []
        rest = seq()
        for count, item in enumerate(reversed(items)):
            result.append(rest)
            rest = seq(item, rest)
            if count % _COPIED_ITEMS == _COPIED_ITEMS - 1:
                is_nullable = nullable(rest, self.nullable)
                rest = self.table.add(rest)
                if is_nullable:
                    self.nullable.add(rest.name)
        result.reverse()
        return result

    def _of_sequence(self, items: Items[Node]) -> Node:
        # The first item that is not empty, whichever it is. No rules are made of these parts, so that they still show
        # what they begin with.
        return alt(*(seq(self.of(item), rest) for item, rest in zip(items, self.suffixes(items), strict=True)))
