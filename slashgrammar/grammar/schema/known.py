"""What the facts of an unfinished branch settle of an object, so that choices which are decided are not forked."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from slashgrammar.grammar.schema.facts import Absent, Either, Fact, Item, Layer, Present, Some
from slashgrammar.grammar.schema.table import FALSE, TRUE, Literal

WAYS_LIMIT = 64
"""In how many ways an alternative may hold before it is left as it is."""


class KnownObject:
    """The facts known of one object. `excludes` says of literals whether they surely cannot hold together.

    `asked` counts the questions about single items that were answered.
    """

    def __init__(self, facts: Iterable[Fact], excludes: Callable[[list[Literal]], bool]) -> None:
        self.asked = 0
        self._excludes = excludes
        self._layers: list[Layer] = []
        self._present: dict[str, list[Literal]] = {}
        self._absent: set[str] = set()
        self._literals: dict[str, list[Literal]] = {}
        for fact in facts:
            if isinstance(fact, Layer):
                self._layers.append(fact)
            elif isinstance(fact, Present):
                self._present.setdefault(fact.name, []).append(fact.literal)
            elif isinstance(fact, Absent):
                self._absent.add(fact.name)

    def reduce(self, items: tuple[Item, ...]) -> list[tuple[Item, ...]]:
        """What is left of an alternative: nothing if it cannot hold, `()` if it holds anyway, or several ways."""
        found: list[tuple[Item, ...]] = [()]
        for item in items:
            ways = self._ways(item)
            if len(found) * len(ways) > WAYS_LIMIT:
                ways = [(item,)]
            found = [(*before, *way) for before in found for way in ways]
        return found

    def _ways(self, item: Item) -> list[tuple[Item, ...]]:
        self.asked += 1
        if isinstance(item, Present):
            known = self._of(item.name)
            if self._excludes([*known, item.literal]):
                return []
            holds = item.name in self._present and (item.literal == TRUE or self._excludes([*known, -item.literal]))
            return [()] if holds else [(item,)]
        if isinstance(item, Absent):
            if item.name in self._present:
                return []
            return [()] if self._excludes(self._of(item.name)) else [(item,)]
        names = self._all_names() if isinstance(item, Some) else None
        if isinstance(item, Some) and names is not None:
            return [way for name in names if item.means(name) for way in self._ways(Present(name, item.literal))]
        return [(item,)]

    def contradicts(self, item: Item) -> bool:
        """Whether an item cannot hold beside what is known, as far as it speaks about properties that are there."""
        if isinstance(item, Layer):
            return any(self._excludes([*self._of(name), *item.literals(name)]) for name in self._present)
        if isinstance(item, Either):
            return all(any(self.contradicts(inner) for inner in items) for items in item.alternatives)
        return isinstance(item, (Absent, Present)) and not self._ways(item)

    def _of(self, name: str) -> list[Literal]:
        if name not in self._literals:
            found = [literal for layer in self._layers for literal in layer.literals(name)]
            found += self._present.get(name, ())
            self._literals[name] = [*found, FALSE] if name in self._absent else found
        return self._literals[name]

    def _all_names(self) -> list[str] | None:
        """All names that the object may have, where some layer lists them."""
        for layer in self._layers:
            if layer.additional == FALSE and not layer.patterns:
                return [name for name, literal in layer.properties if literal != FALSE]
        return None
