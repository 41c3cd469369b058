"""Arrays as rules: items in order; where they have to be counted or told apart, a rule for each situation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import comb
from typing import TYPE_CHECKING, TypeAlias

from slashgrammar.grammar.ir import EMPTY, Node, Reference, alt, opt, repeat, seq
from slashgrammar.grammar.schema import scalars
from slashgrammar.grammar.schema.arrays import Arrays
from slashgrammar.grammar.schema.facts import Contains
from slashgrammar.grammar.schema.json_values import identity
from slashgrammar.grammar.schema.scope import Scope
from slashgrammar.grammar.schema.table import State

if TYPE_CHECKING:
    from slashgrammar.grammar.schema.writer import Writer

SITUATION_LIMIT = 300
"""How many rules an array may need before what makes them necessary is widened."""

_BEGIN, _END, _COMMA = (Reference(name) for name in ("begin_array", "end_array", "comma"))
_GROUP = 16
_Counts: TypeAlias = "tuple[int, ...]"


class ArrayWriter:
    """Writes the arrays of one tool."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def write(self, arrays: Arrays, scope: Scope, path: str) -> Node:
        """The JSON text of a set of arrays."""
        if arrays.is_free:
            self._writer.report_free(path, "any array")
            return Reference("array")
        job = _Job(self._writer, arrays, scope, path)
        return seq(_BEGIN, job.unique() or job.counted() or job.plain(), _END)


@dataclass(slots=True)
class _Job:
    """One set of arrays on its way to rules."""

    writer: Writer
    arrays: Arrays
    scope: Scope
    path: str

    def state(self, index: int) -> State:
        return self.arrays.prefix[index] if index < len(self.arrays.prefix) else self.arrays.rest

    def value(self, state: State, index: int) -> Node:
        scopes = self.writer.planner.scopes
        own = index < max(len(self.arrays.prefix), scopes.prefix(self.scope))
        path = f"{self.path}/{f'prefixItems/{index}' if own else 'items'}"
        return self.writer.value(state, scopes.item(self.scope, index), path)

    def plain(self) -> Node:
        """Items one after the other, at least and at most so many."""
        least, most = self.arrays.least, self.arrays.most
        if most == 0:
            return EMPTY
        # Items for which the schema has an order of keys of their own stand for themselves.
        size = max(len(self.arrays.prefix), self.writer.planner.scopes.prefix(self.scope), 1)
        size = size if most is None else min(size, most)
        rest = self.value(self.arrays.rest, size)
        after = repeat(seq(_COMMA, rest), max(least - size, 0), None if most is None else most - size)
        for index in range(size - 1, 0, -1):
            after = seq(_COMMA, self.value(self.state(index), index), after)
            after = after if index < least else opt(after)
            after = self.writer.rule(after) if index % _GROUP == 0 else after
        some = seq(self.value(self.state(0), 0), after)
        return some if least else alt(some, EMPTY)

    def unique(self) -> Node | None:
        """Items that all differ, if they can be listed and are few: a rule for each set of those used up."""
        if self.arrays.unique is None:
            return None
        values = self._listed() if self.arrays.unique and not self.arrays.contains else None
        most = len(values or ()) if self.arrays.most is None else min(self.arrays.most, len(values or ()))
        if values is None or sum(comb(len(values), used) for used in range(most + 1)) > SITUATION_LIMIT:
            self.writer.report.add(self.path, "uniqueItems", "items may be equal")
            return None
        names: dict[frozenset[object], Node] = {}

        def after(used: frozenset[object]) -> Node:
            if used not in names:
                name = self.writer.name()
                names[used] = Reference(name)
                ways: list[Node] = [EMPTY] if len(used) >= self.arrays.least else []
                for key, node in values.items() if len(used) < most else ():
                    if key not in used:
                        ways.append(seq(_COMMA if used else EMPTY, node, after(used | {key})))
                self.writer.rules[name] = alt(*ways)
            return names[used]

        return after(frozenset())

    def _listed(self) -> dict[object, Node] | None:
        """The values of items by what makes them equal; None where they are too many, or not of one kind."""
        if self.arrays.prefix:
            return None
        plans = self.writer.planner.plans(self.arrays.rest, ())
        listed = [*(known.values for known in plans.numbers), *(known.values for known in plans.strings)]
        if plans.arrays or plans.objects or None in listed:
            return None
        values = [*plans.constants, *(value for some in listed for value in some or ())]
        return {identity(value): scalars.constant(value) for value in values}

    def counted(self) -> Node | None:
        """Items of which some are counted: a rule for each place and each number of hits before it."""
        if not self.arrays.contains:
            return None
        wanted = self.arrays.contains
        ends = [len(self.arrays.prefix), self.arrays.least, self.arrays.most or 0, *(one.start for one in wanted)]
        last = max(*ends, 1)  # whether something stands before matters for the comma
        situations = last + 1
        for one in wanted:
            situations *= (one.least if one.most is None else one.most) + 1
        if situations > SITUATION_LIMIT:
            self.writer.report.add(self.path, "contains", "any number of matching items is taken")
            self.arrays = replace(self.arrays, contains=())
            return None
        names: dict[tuple[int, _Counts], str] = {}
        waiting = [(0, (0,) * len(wanted))]
        for index, counts in waiting:  # grows on the way
            names[index, counts] = self.writer.name()
            for _, following in self._steps(index, counts):
                key = (min(index + 1, last), following)
                if key not in names and key not in waiting:
                    waiting.append(key)
        for (index, counts), name in names.items():
            done = index >= self.arrays.least and all(
                count >= one.least for count, one in zip(counts, wanted, strict=True)
            )
            ways: list[Node] = [EMPTY] if done else []
            for state, following in self._steps(index, counts):
                entry = seq(_COMMA if index else EMPTY, self.value(state, index))
                ways.append(seq(entry, Reference(names[min(index + 1, last), following])))
            self.writer.rules[name] = alt(*ways)
        return Reference(names[0, (0,) * len(wanted)])

    def _steps(self, index: int, counts: _Counts) -> Iterator[tuple[State, _Counts]]:
        """What the item at an index may be, and the counts behind it."""
        if self.arrays.most is not None and index >= self.arrays.most:
            return
        options = [list(_hits(one, count, index)) for one, count in zip(self.arrays.contains, counts, strict=True)]
        for choice in product(*options):
            literals = [literal for found, _ in choice for literal in found]
            state = self.writer.planner.table.state([*self.state(index), *literals])
            yield state, tuple(count for _, count in choice)


def _hits(wanted: Contains, count: int, index: int) -> Iterator[tuple[list[int], int]]:
    """The ways in which an item may count for a condition: what it then has to meet, and the new count."""
    if index < wanted.start or (wanted.most is None and count == wanted.least):
        yield [], count
        return
    # An item either counts or does not: with both ways open, engines would follow both at every item.
    if wanted.most is None or count < wanted.most:
        yield [wanted.literal], count + 1
    yield [-wanted.literal], count
