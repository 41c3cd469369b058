"""Arrays as rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slashgrammar.grammar.ir import EMPTY, Node, Reference, alt, opt, repeat, seq
from slashgrammar.grammar.schema.arrays import Arrays
from slashgrammar.grammar.schema.scope import Scope

if TYPE_CHECKING:
    from slashgrammar.grammar.schema.writer import Writer

_BEGIN, _END, _COMMA = (Reference(name) for name in ("begin_array", "end_array", "comma"))


class ArrayWriter:
    """Writes the arrays of one tool."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def write(self, arrays: Arrays, scope: Scope, path: str) -> Node:
        """The JSON text of a set of arrays."""
        if arrays.is_free:
            self._writer.report_free(path, "any array")
            return Reference("array")
        scopes = self._writer.planner.scopes
        size = max(len(arrays.prefix), scopes.prefix(scope))  # all that are ordered in a way of their own
        states = [*arrays.prefix, *[arrays.rest] * (size - len(arrays.prefix))][: arrays.most]
        prefix = [
            self._writer.value(state, scopes.item(scope, index), f"{path}/prefixItems/{index}")
            for index, state in enumerate(states)
        ]
        rest = self._writer.value(arrays.rest, scopes.item(scope, size), f"{path}/items")
        if arrays.unique is not None:
            self._writer.report.add(path, "uniqueItems", "items may be equal")
        if arrays.contains:
            self._writer.report.add(path, "contains", "any items are taken")
        return seq(_BEGIN, self._ordered(prefix, rest, arrays.least, arrays.most), _END)

    def _ordered(self, prefix: list[Node], rest: Node, least: int, most: int | None) -> Node:
        """Items one after the other, at least and at most so many."""
        if most == 0:
            return EMPTY
        items = prefix or [rest]
        free = None if most is None else most - len(items)
        after = repeat(seq(_COMMA, rest), max(least - len(items), 0), free)
        for index in range(len(items) - 1, 0, -1):
            after = seq(_COMMA, items[index], after)
            after = after if index < least else opt(after)
            if index % 16 == 0:
                after = self._writer.rule(after)
        some = seq(items[0], after)
        return some if least else alt(some, EMPTY)
