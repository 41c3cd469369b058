"""Arrays: what the facts of a branch leave of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from slashgrammar.grammar.schema.expand import Branch
from slashgrammar.grammar.schema.facts import Contains, Count, Fact, ItemAt, Items, Unevaluated, Unique
from slashgrammar.grammar.schema.table import NEVER, TRUE, Literal, State, Table


@dataclass(frozen=True, slots=True)
class Arrays:
    """A set of arrays: the state of each of the first items, that of the rest, and how many there are.

    `contains` are the conditions on how many of the items from `start` on meet a literal; `unique` says that all differ
    (True) or that two are equal (False).
    """

    prefix: tuple[State, ...]
    rest: State
    least: int = 0
    most: int | None = None
    contains: tuple[Contains, ...] = ()
    unique: bool | None = None

    @property
    def is_free(self) -> bool:
        """Whether every array is a member."""
        return self == Arrays((), ())


class ArrayBuilder:
    """Makes `Arrays` of branches."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def build(self, branch: Branch) -> Arrays | None:
        """The arrays for which all facts of a branch hold; None if there are none for sure."""
        facts = [fact for fact, _ in branch]
        layers = [fact for fact in facts if isinstance(fact, Items)] + list(_unevaluated(branch))
        points = [fact for fact in facts if isinstance(fact, ItemAt)]
        counts = [fact for fact in facts if isinstance(fact, Count)]
        least = max((fact.least for fact in counts), default=0)
        most = min((fact.most for fact in counts if fact.most is not None), default=None)
        least = max([least, *(fact.index + 1 for fact in points)])
        size = max([0, *(len(layer.prefix) for layer in layers), *(fact.index + 1 for fact in points)])
        prefix = []
        for index in range(size):
            literals = [_at(layer, index) for layer in layers]
            prefix.append(self._table.state([*literals, *(fact.literal for fact in points if fact.index == index)]))
        unique = {fact.positive for fact in facts if isinstance(fact, Unique)}
        if len(unique) == 2:
            return None
        arrays = Arrays(
            tuple(prefix),
            self._table.state(layer.rest for layer in layers),
            least,
            most,
            tuple(fact for fact in facts if isinstance(fact, Contains)),
            next(iter(unique), None),
        )
        return _tidy(arrays)


def _at(layer: Items, index: int) -> Literal:
    return layer.prefix[index] if index < len(layer.prefix) else layer.rest


def _unevaluated(branch: Branch) -> Iterator[Items]:
    """What `unevaluatedItems` says, as `prefixItems` and `items` that take all that was looked at."""
    for fact, _ in branch:
        if not isinstance(fact, Unevaluated) or not fact.items:
            continue
        seen: list[Fact] = [other for other, watchers in branch if fact.owner in watchers and other is not fact]
        layers = [other for other in seen if isinstance(other, Items)]
        # `contains` has looked at the items that it finds, whichever they are.
        all_seen = any(isinstance(other, (Contains, Unevaluated)) for other in seen)
        if all_seen or any(layer.says_rest for layer in layers):
            continue
        size = max((len(layer.prefix) for layer in layers), default=0)
        yield Items((TRUE,) * size, fact.literal, says_rest=True)


def _tidy(arrays: Arrays) -> Arrays | None:
    """With the bound that an impossible item sets; None if there is no such array for sure."""
    most = arrays.most
    possible = next((index for index, state in enumerate(arrays.prefix) if state == NEVER), None)
    if possible is None and arrays.rest == NEVER:
        possible = len(arrays.prefix)
    if possible is not None and (most is None or most > possible):
        most = possible
    if most is not None and arrays.least > most:
        return None
    prefix = arrays.prefix if most is None else arrays.prefix[:most]
    return replace(arrays, prefix=prefix, most=most)
