"""From what a state says to a choice of plain facts: the tableau method of propositional logic.

A value of one JSON type is in a state exactly if all facts of one of its *branches* hold. Literals are unfolded,
choices are forked, and what contradicts itself is dropped. Recursive schemas are no matter: only what speaks about the
value itself is unfolded, never what speaks about its properties or items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from slashgrammar.grammar.schema.facts import (
    Either,
    ExactlyOne,
    Fact,
    Item,
    Layer,
    Unevaluated,
    conjuncts,
    opposite,
)
from slashgrammar.grammar.schema.known import KnownObject
from slashgrammar.grammar.schema.scope import Scopes
from slashgrammar.grammar.schema.table import FALSE, TRUE, Literal, State, Table
from slashgrammar.grammar.schema.together import combinations

BRANCH_LIMIT = 64
"""How many branches a state may have before what multiplies them is widened."""

Watchers: TypeAlias = "tuple[Literal, ...]"
Branch: TypeAlias = "list[tuple[Fact, Watchers]]"
"""Facts, each with the schemas whose `unevaluated…` keywords take it into account."""


class TooManyBranches(Exception):
    """A state has more branches than `BRANCH_LIMIT`."""


@dataclass(slots=True)
class _Open:
    """A branch that is not finished: what is to be unfolded, what to be forked, what is done."""

    todo: list[tuple[Item, Watchers]]
    choices: list[tuple[Either | ExactlyOne, Watchers]] = field(default_factory=list)
    facts: Branch = field(default_factory=list)
    seen: set[tuple[Literal, Watchers]] = field(default_factory=set)
    literals: set[Literal] = field(default_factory=set)

    def fork(self, items: Sequence[Item], watchers: Watchers) -> _Open:
        todo = [*self.todo, *((item, watchers) for item in items)]
        return _Open(todo, list(self.choices), list(self.facts), set(self.seen), set(self.literals))


class Expander:
    """Unfolds the states of one table.

    `disjoint` tells of two literals whether no value of a type can meet both, `excludes` of some whether no value can
    meet all; both may say no where they do not know.
    """

    def __init__(
        self,
        table: Table,
        disjoint: Callable[[Literal, Literal, str], bool],
        excludes: Callable[[list[Literal]], bool],
    ) -> None:
        self._table = table
        self._disjoint = disjoint
        self._excludes = excludes
        self._scopes = Scopes(table, tests=False)
        self._cache: dict[tuple[State, str, bool], list[Branch]] = {}

    def branches(self, state: State, kind: str, *, strict: bool = True) -> list[Branch]:
        """The branches of a state for a JSON type; `[]` if it takes no value of that type.

        Unless `strict`, what `not`, `oneOf` and `if` deny is left out, which widens the state.

        Raises TooManyBranches where there are more than `BRANCH_LIMIT`.
        """
        key = (state, kind, strict)
        if key not in self._cache:
            self._cache[key] = self._expand(state, kind, strict)
        return self._cache[key]

    def _expand(self, state: State, kind: str, strict: bool) -> list[Branch]:
        finished: list[Branch] = []
        stack = [_Open([(literal, ()) for literal in state])]
        while stack:
            branch = stack.pop()
            if not self._unfold(branch, kind, strict):
                continue
            if branch.choices:
                stack += self._forks(branch, kind, strict)
            else:
                finished.append(branch.facts)
            if len(stack) + len(finished) > BRANCH_LIMIT:
                raise TooManyBranches
        return finished

    def _unfold(self, branch: _Open, kind: str, strict: bool) -> bool:
        """Unfold all that is no choice; False where that contradicts itself."""
        while branch.todo:
            item, watchers = branch.todo.pop()
            if isinstance(item, (Either, ExactlyOne)):
                branch.choices.append((item, watchers))
            elif not isinstance(item, int):
                branch.facts.append((item, watchers))
            elif not self._unfold_literal(branch, item, watchers, kind, strict):
                return False
        return True

    def _unfold_literal(self, branch: _Open, literal: Literal, watchers: Watchers, kind: str, strict: bool) -> bool:
        literal = self._table.resolve(literal)
        if literal == FALSE or -literal in branch.literals:
            return False
        if literal == TRUE or (literal, watchers) in branch.seen or (literal < 0 and not strict):
            return True
        branch.seen.add((literal, watchers))
        branch.literals.add(literal)
        items = self._meaning(literal, kind)
        if literal < 0:
            denial = Either(tuple((opposite(item),) for item in items))
            branch.todo.append((denial, ()))
            return bool(items)
        row = self._table.row(literal)
        if "unevaluatedProperties" in row or "unevaluatedItems" in row:
            watchers = (*watchers, literal)
        branch.todo += [(item, watchers) for item in reversed(items)]
        return True

    def _meaning(self, literal: Literal, kind: str) -> list[Item]:
        row = self._table.row(literal)
        items: list[Item] = [self._table.target(row["$ref"])] if "$ref" in row else []
        items += conjuncts(row, kind)
        if kind == "object" and "unevaluatedProperties" in row:
            items.append(Unevaluated(abs(literal), row["unevaluatedProperties"], items=False))
        if kind == "array" and "unevaluatedItems" in row:
            items.append(Unevaluated(abs(literal), row["unevaluatedItems"], items=True))
        return items

    def _forks(self, branch: _Open, kind: str, strict: bool) -> list[_Open]:
        """The branch once for each alternative of one of its choices: the first with one at most, or the first."""
        chosen: list[tuple[Item, ...]] | None = None
        place = 0
        for index, (choice, watchers) in enumerate(branch.choices):
            alternatives = self._alternatives(choice, watchers, branch, kind, strict)
            if chosen is None or len(alternatives) <= 1:
                chosen, place = alternatives, index
            if len(alternatives) <= 1:
                break
        _, watchers = branch.choices.pop(place)
        return [branch.fork(items, watchers) for items in reversed(chosen or ())]

    def _alternatives(
        self, choice: Either | ExactlyOne, watchers: Watchers, branch: _Open, kind: str, strict: bool
    ) -> list[tuple[Item, ...]]:
        if isinstance(choice, Either):
            live = [items for items in choice.alternatives if not any(self._dead(item, branch, kind) for item in items)]
            live = [tuple(item for item in items if item != TRUE) for items in live]
            if kind == "object" and () not in live:
                known = KnownObject([fact for fact, _ in branch.facts], self._excludes)
                live = list(dict.fromkeys(reduced for items in live for reduced in known.reduce(items)))
            if () in live:
                return [()]
            return self._together(live, kind) if watchers and not choice.exclusive else live
        literals = [literal for literal in choice.literals if not self._dead(literal, branch, kind)]
        found: list[tuple[Item, ...]] = []
        for index, literal in enumerate(literals):
            others = literals[:index] + literals[index + 1 :] if strict else []
            found.append((literal, *(-other for other in others if not self._disjoint(literal, other, kind))))
        return found

    def _together(self, alternatives: list[tuple[Item, ...]], kind: str) -> list[tuple[Item, ...]]:
        """The alternatives and their combinations, where a combination lends more names than each for itself."""
        literals = [item for items in alternatives for item in items if isinstance(item, int)]
        return combinations(literals, lambda a, b: self._disjoint(a, b, kind), self._lends)

    def _lends(self, literal: Literal) -> Layer:
        rows = self._scopes.rows(self._scopes.of([literal]))
        properties = {name: TRUE for row in rows for name in row.get("properties", ())}
        patterns = {pattern: TRUE for row in rows for pattern in row.get("patternProperties", ())}
        return Layer(tuple(properties.items()), tuple(patterns.items()), None)

    def _dead(self, item: Item, branch: _Open, kind: str) -> bool:
        if not isinstance(item, int):
            return False
        literal = self._table.resolve(item)
        if literal in (TRUE, FALSE):
            return literal == FALSE
        if -literal in branch.literals:
            return True
        items = self._meaning(literal, kind)
        return FALSE in items if literal > 0 else not items
