"""What a state takes, type by type, as plans that are ready to be written; and when it surely takes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from slashgrammar.grammar.schema.arrays import ArrayBuilder, Arrays
from slashgrammar.grammar.schema.expand import Branch, Expander, Rigour, TooManyBranches
from slashgrammar.grammar.schema.facts import Fact, Layer, OneOf, Widened
from slashgrammar.grammar.schema.numbers import Numbers
from slashgrammar.grammar.schema.objects import ObjectBuilder, Objects, Others
from slashgrammar.grammar.schema.scope import Scope, Scopes
from slashgrammar.grammar.schema.strings import Strings
from slashgrammar.grammar.schema.table import FALSE, NEVER, Literal, State, Table
from slashgrammar.grammar.schema.tags import Tags

FULL_SIZE, WIDE_SIZE = 12_000, 40_000
"""How many properties all objects of a tool may have, counted in each alternative, before less is kept of them.

The first number holds as long as everything is kept, the second where what they deny was left out already.
"""

LEAST_SIZE = 300
"""How many the alternatives of one object may have in any case."""

_LESS_AND_LESS = (
    (Rigour.FULL, "", ""),
    (Rigour.INCLUSIVE, "oneOf", "too many cases: more than one alternative may hold"),
    (Rigour.POSITIVE, "not", "too many cases: what not, oneOf or if deny is left out"),
    (Rigour.CERTAIN, "anyOf", "too many cases: alternatives are left out"),
)

DISJOINT_LIMIT = 2_000
"""For how many pairs of alternatives it is found out at some length whether both can hold."""

BOUND_LIMIT = 10_000
"""Up to where lengths are counted, of strings and of arrays."""

EMPTINESS_DEPTH = 3
"""How far into objects and arrays one looks for a contradiction before it is left to the finished rules."""


_P = TypeVar("_P")
_Counted = TypeVar("_Counted", Strings, Arrays)


@dataclass(slots=True)
class Plans:
    """All that a state takes; any of the plans will do.

    `widened` are remarks for the report, `size` is about how many properties the objects have.
    """

    constants: list[bool | None] = field(default_factory=list)
    numbers: list[Numbers] = field(default_factory=list)
    strings: list[Strings] = field(default_factory=list)
    arrays: list[Arrays] = field(default_factory=list)
    objects: list[Objects] = field(default_factory=list)
    widened: list[Widened] = field(default_factory=list)
    size: int = 0


class Planner:
    """Makes plans of the states of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.scopes = Scopes(table, tests=True)
        self._tags = Tags(table)
        self._expander = Expander(table, self.disjoint, self._tags.all_differ, self.excludes)
        self._objects = ObjectBuilder(table, self.may_be_named)
        self._arrays = ArrayBuilder(table)
        self._empty: dict[tuple[State, int], bool] = {}
        self._disjoint: dict[tuple[Literal, Literal, str], bool] = {}
        self._excluded: dict[tuple[Literal, ...], bool | State] = {}
        self._busy = False
        self._written = 0

    def plans(self, state: State, scope: Scope) -> Plans:
        """What a state takes; the properties of objects come in the order of the scope."""
        result = Plans()
        for kind in self._expander.kinds(state):
            self._add(result, kind, state, scope)
        self._written += result.size
        return result

    def _add(self, result: Plans, kind: str, state: State, scope: Scope) -> None:
        for branch in self._branches(state, kind, result):
            facts = [fact for fact, _ in branch]
            result.widened += [fact for fact in facts if isinstance(fact, Widened)]
            if kind in ("null", "boolean"):
                result.constants += [value for value in _constants(kind, facts) if value not in result.constants]
            elif kind == "number":
                _append(result.numbers, Numbers.of(facts))
            elif kind == "string":
                _append(result.strings, self._bounded(Strings.of(facts), "Length", state, result))
            elif kind == "array":
                _append(result.arrays, self._bounded(self._arrays.build(branch), "Items", state, result))
            else:
                for objects in self._objects.build(branch, self.scopes.names(scope)):
                    result.widened += objects.widened
                    result.objects.append(objects)
        result.objects = list(dict.fromkeys(result.objects))  # there may be hundreds

    def _bounded(self, plan: _Counted | None, what: str, state: State, result: Plans) -> _Counted | None:
        """The plan without bounds that are too high to be kept."""
        if plan is None or (plan.least <= BOUND_LIMIT and (plan.most is None or plan.most <= BOUND_LIMIT)):
            return plan
        if plan.least > BOUND_LIMIT:
            result.widened.append(Widened(state[0], f"min{what}", f"{BOUND_LIMIT} are enough"))
        if plan.most is not None and plan.most > BOUND_LIMIT:
            result.widened.append(Widened(state[0], f"max{what}", f"bounds above {BOUND_LIMIT} are not kept"))
        most = plan.most if plan.most is not None and plan.most <= BOUND_LIMIT else None
        return replace(plan, least=min(plan.least, BOUND_LIMIT), most=most)

    def _branches(self, state: State, kind: str, result: Plans) -> list[Branch]:
        """The branches of a state; fewer and wider ones, with a remark, where there are too many."""
        names = len(self.scopes.names(self.scopes.of(state))) + 1 if kind == "object" else 1
        found: list[Branch] = []
        for rigour, keyword, reason in _LESS_AND_LESS:
            try:
                found = self._expander.branches(state, kind, rigour)
            except TooManyBranches:
                continue
            size = sum(min(names, _names_in(branch)) for branch in found)
            limit = WIDE_SIZE if rigour is Rigour.POSITIVE else FULL_SIZE
            if len(found) <= 1 or size <= max(limit - self._written, LEAST_SIZE):
                result.size += size if kind == "object" else 0
                result.widened += [Widened(state[0], keyword, reason)] if keyword else []
                break
        return found

    def keys(self, kind: Others) -> list[Strings]:
        """The keys of a kind of properties; any of the sets will do."""
        result = Plans()
        found: list[Strings] = []
        for branch in self._branches(self.table.state(kind.key_literals), "string", result):
            strings = Strings.of([*kind.key_facts, *(fact for fact, _ in branch)])
            _append(found, strings if strings is None else _tidy_exclusions(strings))
        return found

    def may_be_named(self, literal: Literal, name: str) -> bool:
        """Whether a literal, read as one about strings, may hold for a name."""
        plans = Plans()
        self._add(plans, "string", self.table.state([literal]), ())
        return any(strings.accepts(name) for strings in plans.strings)

    def disjoint(self, left: Literal, right: Literal, kind: str) -> bool:
        """Whether no value of a type meets both literals, for sure."""
        if self._tags.differ(left, right, kind):
            return True
        key = (min(left, right), max(left, right), kind)
        if key not in self._disjoint:
            if self._busy or len(self._disjoint) > DISJOINT_LIMIT:  # asked while answering: one level is enough
                return False
            self._busy = True
            self._disjoint[key] = self._takes_none(self.table.state(key[:2]), kind, EMPTINESS_DEPTH)
            self._busy = False
        return self._disjoint[key]

    def excludes(self, literals: list[Literal]) -> bool:
        """Whether no value meets all of some literals, as far as that shows without looking inside of it."""
        key = tuple(literals)
        if key not in self._excluded:
            self._excluded[key] = self._excluded_at_a_glance(self.table.state(literals))
        answer = self._excluded[key]
        if not isinstance(answer, tuple):
            return answer
        if self._busy:  # asked while answering: one level is enough
            return False
        self._busy = True
        self._excluded[key] = excluded = self.is_empty(answer, 1)
        self._busy = False
        return excluded

    def _excluded_at_a_glance(self, state: State) -> bool | State:
        """Whether a state takes nothing; the state itself where that takes a closer look."""
        left = self._tags.left_of(state)
        if left is not None:
            return not left
        return state == NEVER if state in ((), NEVER) else state

    def is_empty(self, state: State, depth: int = EMPTINESS_DEPTH) -> bool:
        """Whether a state takes no value at all, for sure; looks so many levels deep."""
        if state in ((), NEVER) or depth == 0:
            return state == NEVER
        key = (state, depth)
        if key not in self._empty:
            self._empty[key] = False
            self._empty[key] = all(self._takes_none(state, kind, depth) for kind in self._expander.kinds(state))
        return self._empty[key]

    def _takes_none(self, state: State, kind: str, depth: int) -> bool:
        plans = Plans()
        self._add(plans, kind, state, ())
        if plans.constants or plans.numbers or plans.strings:
            return False
        for arrays in plans.arrays:
            if not any(self.is_empty(item, depth - 1) for item in arrays.prefix[: arrays.least]):
                return False
        for objects in plans.objects:
            needed = [known.state for known in objects.properties if known.required]
            if not any(self.is_empty(inner, depth - 1) for inner in needed):
                return False
        return True


def _names_in(branch: Branch) -> int:
    """How many names of properties the facts of a branch allow at most; many where they do not list them."""
    closed = [len(fact.properties) for fact, _ in branch if isinstance(fact, Layer) and fact.additional == FALSE]
    return min(closed, default=FULL_SIZE) + 1


def _tidy_exclusions(strings: Strings) -> Strings:
    """The same set without exclusions of what is no member anyway, so that patterns can often stand as they are."""
    members = replace(strings, excluded=frozenset())
    return replace(strings, excluded=frozenset(name for name in strings.excluded if members.accepts(name)))


def _append(plans: list[_P], plan: _P | None) -> None:
    if plan is not None and plan not in plans:
        plans.append(plan)


def _constants(kind: str, facts: list[Fact]) -> list[bool | None]:
    values: list[bool | None] = [None] if kind == "null" else [True, False]
    for fact in facts:
        if isinstance(fact, OneOf):
            values = [value for value in values if ((type(value), value) in fact.keys) is fact.positive]
    return values
