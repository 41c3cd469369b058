"""From what a state says to a choice of plain facts: the tableau method of propositional logic.

A value of one JSON type is in a state exactly if all facts of one of its *branches* hold. Literals are unfolded,
choices are forked, and what contradicts itself is dropped. Recursive schemas are no matter: only what speaks about the
value itself is unfolded, never what speaks about its properties or items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from slashgrammar.grammar.schema.assertions import conjuncts, may_be
from slashgrammar.grammar.schema.facts import Either, ExactlyOne, Fact, Item, Unevaluated
from slashgrammar.grammar.schema.json_values import JSON_TYPES
from slashgrammar.grammar.schema.known import KnownObject
from slashgrammar.grammar.schema.opposites import opposite
from slashgrammar.grammar.schema.scope import Scopes
from slashgrammar.grammar.schema.table import FALSE, TRUE, Literal, State, Table
from slashgrammar.grammar.schema.together import combinations, parts_of

BRANCH_LIMIT = 512
"""How many branches a state may have before what multiplies them is widened."""

STEP_LIMIT = 1_000
"""How many forks are followed to find them."""

WORK_LIMIT = 40_000
"""How many forks of all states of a tool are followed, and ways in them looked at, before states are widened."""

ONE_OF_LIMIT = 24
"""Of how many alternatives that may overlap it is kept that only one holds."""


class Rigour(Enum):
    """What is kept of a state when it is unfolded; less of it is wider."""

    FULL = "all"
    INCLUSIVE = "all, but more than one of a oneOf may hold"
    POSITIVE = "nothing that not, oneOf and if deny"
    CERTAIN = "nor what is one of several alternatives"


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

    `disjoint` tells of two literals whether no value of a type can meet both, `all_differ` whether that is so of each
    two of some, `excludes` whether no value can meet all of some; they may say no where they do not know.
    """

    def __init__(
        self,
        table: Table,
        disjoint: Callable[[Literal, Literal, str], bool],
        all_differ: Callable[[list[Literal], str], bool],
        excludes: Callable[[list[Literal]], bool],
    ) -> None:
        self._table = table
        self._disjoint = disjoint
        self._all_differ = all_differ
        self._excludes = excludes
        self._scopes = Scopes(table, tests=False)
        self._cache: dict[tuple[State, str, Rigour], list[Branch]] = {}
        self._meanings: dict[tuple[Literal, str], tuple[Item, ...]] = {}
        self._work: Counter[Rigour] = Counter()

    def branches(self, state: State, kind: str, rigour: Rigour = Rigour.FULL) -> list[Branch]:
        """The branches of a state for a JSON type; `[]` if it takes no value of that type.

        Raises TooManyBranches where there are more than `BRANCH_LIMIT`, or they are not found soon.
        """
        key = (state, kind, rigour)
        if key not in self._cache:
            self._cache[key] = self._expand(state, kind, rigour)
        return self._cache[key]

    def kinds(self, state: State) -> list[str]:
        """The JSON types of which the state may take values, by the keyword `type` of its literals."""
        rows = [self._table.row(literal) for literal in state if literal > 0]
        return [kind for kind in JSON_TYPES if all(may_be(row, kind) for row in rows)]

    def _expand(self, state: State, kind: str, rigour: Rigour) -> list[Branch]:
        finished: list[Branch] = []
        stack = [_Open([(literal, ()) for literal in state])]
        steps = 0
        while stack:
            branch = stack.pop()
            steps += 1
            if not self._unfold(branch, kind, rigour):
                continue
            if branch.choices and rigour is not Rigour.CERTAIN:
                stack += self._forks(branch, kind, rigour)
            else:
                finished.append(branch.facts)
            if len(stack) + len(finished) > BRANCH_LIMIT or steps > STEP_LIMIT:
                raise TooManyBranches
        return finished

    def _unfold(self, branch: _Open, kind: str, rigour: Rigour) -> bool:
        """Unfold all that is no choice; False where that contradicts itself."""
        while branch.todo:
            item, watchers = branch.todo.pop()
            if isinstance(item, (Either, ExactlyOne)):
                branch.choices.append((item, watchers))
            elif not isinstance(item, int):
                branch.facts.append((item, watchers))
            elif not self._unfold_literal(branch, item, watchers, kind, rigour):
                return False
        return True

    def _unfold_literal(self, branch: _Open, literal: Literal, watchers: Watchers, kind: str, rigour: Rigour) -> bool:
        literal = self._table.resolve(literal)
        if literal == FALSE or -literal in branch.literals:
            return False
        if (
            literal == TRUE
            or (literal, watchers) in branch.seen
            or (literal < 0 and rigour in (Rigour.POSITIVE, Rigour.CERTAIN))
        ):
            return True
        branch.seen.add((literal, watchers))
        branch.literals.add(literal)
        items = self._meaning(literal, kind)
        if literal < 0:
            denial = Either(tuple((item,) for item in items))
            branch.todo.append((denial, ()))
            return bool(items)
        row = self._table.row(literal)
        if "unevaluatedProperties" in row or "unevaluatedItems" in row:
            watchers = (*watchers, literal)
        if watchers and "if" in row and "then" not in row and "else" not in row:  # it only looks, but that counts here
            branch.todo.append((Either(((row["if"],), (-row["if"],)), exclusive=True), watchers))
        branch.todo += [(item, watchers) for item in reversed(items)]
        return True

    def _meaning(self, literal: Literal, kind: str) -> tuple[Item, ...]:
        """What a schema says of values of a type: all of it holds; of what denies a negative literal, any."""
        key = (literal, kind)
        if key not in self._meanings:
            items = self._conjuncts(literal, kind) if literal > 0 else map(opposite, self._meaning(-literal, kind))
            self._meanings[key] = tuple(items)
        return self._meanings[key]

    def _conjuncts(self, literal: Literal, kind: str) -> list[Item]:
        row = self._table.row(literal)
        items: list[Item] = [self._table.target(row["$ref"])] if "$ref" in row else []
        items += conjuncts(row, kind)
        if kind == "object" and "unevaluatedProperties" in row:
            items.append(Unevaluated(literal, row["unevaluatedProperties"], items=False))
        if kind == "array" and "unevaluatedItems" in row:
            items.append(Unevaluated(literal, row["unevaluatedItems"], items=True))
        return items

    def _forks(self, branch: _Open, kind: str, rigour: Rigour) -> list[_Open]:
        """The branch with those choices settled that leave one alternative; if none does, a branch for each of one."""
        if self._work[rigour] > WORK_LIMIT:
            raise TooManyBranches
        known = KnownObject([fact for fact, _ in branch.facts] if kind == "object" else [], self._excludes)
        fewest: list[tuple[Item, ...]] = []
        place = 0
        left: list[tuple[Either | ExactlyOne, Watchers]] = []
        for choice, watchers in branch.choices:
            alternatives = self._alternatives(choice, watchers, branch, known, kind, rigour)
            if not alternatives:
                return []
            if len(alternatives) == 1:
                branch.todo += [(item, watchers) for item in alternatives[0]]
                continue
            if not fewest or len(alternatives) < len(fewest):
                fewest, place = alternatives, len(left)
            left.append((choice, watchers))
        branch.choices = left
        self._work[rigour] += 1 + known.asked
        if branch.todo or not left:
            return [branch]
        _, watchers = left.pop(place)
        return [branch.fork(items, watchers) for items in reversed(fewest)]

    def _alternatives(
        self,
        choice: Either | ExactlyOne,
        watchers: Watchers,
        branch: _Open,
        known: KnownObject,
        kind: str,
        rigour: Rigour,
    ) -> list[tuple[Item, ...]]:
        if isinstance(choice, Either):
            live = [
                tuple(item for item in items if not self._is_trivial(item, kind))
                for items in choice.alternatives
                if not any(self._is_dead(item, branch, kind, known) for item in items)
            ]
            if () not in live:
                live = list(dict.fromkeys(reduced for items in live for reduced in known.reduce(items)))
            if watchers and not choice.exclusive:
                return self._together(live, kind)
            return [()] if () in live else live
        literals = [literal for literal in choice.literals if not self._is_dead(literal, branch, kind, known)]
        if rigour is not Rigour.FULL or self._all_differ(literals, kind):
            return [(literal,) for literal in literals]
        if len(literals) > ONE_OF_LIMIT:
            raise TooManyBranches
        found: list[tuple[Item, ...]] = []
        for index, literal in enumerate(literals):
            others = literals[:index] + literals[index + 1 :]
            found.append((literal, *(-other for other in others if not self._disjoint(literal, other, kind))))
        return found

    def _together(self, alternatives: list[tuple[Item, ...]], kind: str) -> list[tuple[Item, ...]]:
        """The alternatives and their combinations, where a combination looks at more than each for itself."""
        literals = [item for items in alternatives for item in items if isinstance(item, int)]
        scopes = {literal: self._scopes.of([literal]) for literal in literals}
        parts = {literal: parts_of(self._scopes.rows(scope), kind) for literal, scope in scopes.items()}
        may_be_none = () in alternatives
        return combinations(literals, lambda a, b: self._disjoint(a, b, kind), parts, kind, may_be_none=may_be_none)

    def _is_trivial(self, item: Item, kind: str) -> bool:
        """Whether an item says nothing about values of a type."""
        return isinstance(item, int) and item > 0 and not self._meaning(self._table.resolve(item), kind)

    def _is_dead(self, item: Item, branch: _Open, kind: str, known: KnownObject) -> bool:
        """Whether an item cannot hold in a branch, as far as that shows at a glance."""
        if not isinstance(item, int):
            return False
        literal = self._table.resolve(item)
        if literal in (TRUE, FALSE):
            return literal == FALSE
        if -literal in branch.literals:
            return True
        items = self._meaning(literal, kind)
        if literal > 0:
            return FALSE in items or any(known.contradicts(inner) for inner in items)
        return all(known.contradicts(inner) for inner in items)
