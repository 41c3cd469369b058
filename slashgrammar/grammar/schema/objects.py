"""Objects: what the facts of a branch leave of them, as entries in declared order and kinds of further keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from slashgrammar.grammar.schema.expand import Branch
from slashgrammar.grammar.schema.facts import (
    Absent,
    Count,
    Fact,
    Layer,
    Matches,
    Names,
    OneOf,
    Present,
    Some,
    Unevaluated,
    Widened,
)
from slashgrammar.grammar.schema.kinds_of_keys import KeyKind, kinds_of_keys
from slashgrammar.grammar.schema.table import FALSE, NEVER, TRUE, Literal, State, Table

WAYS_LIMIT = 16
"""In how many ways it may be said which property is meant."""

_ANY_KEY = KeyKind(frozenset(), ())


@dataclass(frozen=True, slots=True)
class Property:
    """A property with a known name."""

    name: str
    state: State
    required: bool


@dataclass(frozen=True, slots=True)
class Others:
    """Further properties: what holds for their keys, as facts and literals about strings, and for their values."""

    key_facts: tuple[Fact, ...]
    key_literals: tuple[Literal, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Objects:
    """A set of objects: properties in their order, then any number of others, so many of all together.

    `must` is a kind of others of which one at least has to occur.
    """

    properties: tuple[Property, ...]
    others: tuple[Others, ...]
    least: int = 0
    most: int | None = None
    must: Others | None = None
    widened: tuple[Widened, ...] = ()

    @property
    def is_free(self) -> bool:
        """Whether every object is a member."""
        return self == Objects((), (Others((_fresh(()),), (), ()),))


class ObjectBuilder:
    """Makes `Objects` of branches. `accepts` says whether a literal, as one about strings, may hold for a name."""

    def __init__(self, table: Table, accepts: Callable[[Literal, str], bool]) -> None:
        self._table = table
        self._accepts = accepts

    def build(self, branch: Branch, names: Iterable[str]) -> list[Objects]:
        """The sets of objects for which all facts of a branch hold, with the named properties in that order.

        More than one where a fact asks for some property without saying which.
        """
        facts = [fact for fact, _ in branch]
        layers = [fact for fact in facts if isinstance(fact, Layer)]
        layers += self._unevaluated(branch)
        literals = {name: [inner for layer in layers for inner in layer.literals(name)] for name in names}
        required: dict[str, None] = {}
        for fact in facts:
            if isinstance(fact, Absent):
                literals.setdefault(fact.name, []).append(FALSE)
            elif isinstance(fact, Present):
                if fact.name not in literals:
                    literals[fact.name] = [inner for layer in layers for inner in layer.literals(fact.name)]
                literals[fact.name].append(fact.literal)
                required[fact.name] = None
        key_literals = tuple(fact.literal for fact in facts if isinstance(fact, Names) and fact.positive)
        for name, inner in literals.items():
            if not all(self._accepts(literal, name) for literal in key_literals):
                inner.append(FALSE)
        others, remarks = self._others(layers, tuple(literals), key_literals)
        counts = [fact for fact in facts if isinstance(fact, Count)]
        whole = Objects(
            tuple(Property(name, self._table.state(inner), name in required) for name, inner in literals.items()),
            others,
            max((fact.least for fact in counts), default=0),
            min((fact.most for fact in counts if fact.most is not None), default=None),
            widened=tuple(remarks),
        )
        found = [whole]
        for fact in facts:
            if isinstance(fact, Some):
                found = [better for objects in found for better in self._with_some(objects, fact)]
            elif isinstance(fact, Names) and not fact.positive:
                found = [better for objects in found for better in self._with_bad_name(objects, fact)]
            if len(found) > WAYS_LIMIT:
                remark = Widened(TRUE, "not", "too many cases: which property is meant is left open")
                found = [replace(whole, widened=(*whole.widened, remark))]
        return [tidy for objects in found if (tidy := _tidy(objects))]

    def _unevaluated(self, branch: Branch) -> Iterator[Layer]:
        """What `unevaluatedProperties` says, as a layer that names all that was looked at."""
        for fact, _ in branch:
            if not isinstance(fact, Unevaluated) or fact.items:
                continue
            seen = [other for other, others in branch if fact.owner in others and other is not fact]
            if any(_looks_at_all(other) for other in seen):
                continue
            layers = [other for other in seen if isinstance(other, Layer)]
            properties = {name: TRUE for layer in layers for name, _ in layer.properties}
            patterns = {pattern: TRUE for layer in layers for pattern, _ in layer.patterns}
            yield Layer(tuple(properties.items()), tuple(patterns.items()), fact.literal)

    def _others(
        self, layers: list[Layer], names: tuple[str, ...], key_literals: tuple[Literal, ...]
    ) -> tuple[tuple[Others, ...], list[Widened]]:
        """The kinds of keys that have no declared name, told apart by the patterns that they match."""
        fresh = _fresh(names)
        patterns = tuple(dict.fromkeys(pattern for layer in layers for pattern, _ in layer.patterns))
        kinds = kinds_of_keys(patterns)
        if kinds is None:
            literal = next(literal for layer in layers for _, literal in layer.patterns)
            remark = Widened(literal, "patternProperties", "too many ways to match: every value is taken")
            return (Others((fresh,), key_literals, ()),), [remark]
        states = {
            kind: self._table.state(literal for layer in layers for literal in _of_unnamed(layer, kind.matched))
            for kind in kinds
        }
        if len(set(states.values())) == 1:
            kinds, states = (_ANY_KEY,), {_ANY_KEY: states[kinds[0]]}
        found = [Others((fresh, *kind.facts), key_literals, states[kind]) for kind in kinds if states[kind] != NEVER]
        return tuple(found), []

    def _with_some(self, objects: Objects, fact: Some) -> Iterator[Objects]:
        """The objects in which one property at least is as the fact says."""
        for index, known in enumerate(objects.properties):
            if fact.means(known.name):
                state = self._table.state((*known.state, fact.literal))
                changed = Property(known.name, state, required=True)
                yield replace(
                    objects, properties=(*objects.properties[:index], changed, *objects.properties[index + 1 :])
                )
        more = _facts_of_some(fact)
        for kind in objects.others:
            state = self._table.state((*kind.state, fact.literal))
            if state == NEVER:
                continue
            remark = Widened(fact.literal, "not", "which further property is meant is left open")
            if objects.must is None:
                yield replace(objects, must=Others((*kind.key_facts, *more), kind.key_literals, state))
            else:
                yield replace(objects, widened=(*objects.widened, remark))

    def _with_bad_name(self, objects: Objects, fact: Names) -> Iterator[Objects]:
        """The objects in which one name at least is not as `propertyNames` asks."""
        for index, known in enumerate(objects.properties):
            if self._accepts(-fact.literal, known.name):
                changed = replace(known, required=True)
                yield replace(
                    objects, properties=(*objects.properties[:index], changed, *objects.properties[index + 1 :])
                )
        for kind in objects.others:
            if objects.must is None:
                yield replace(objects, must=Others(kind.key_facts, (*kind.key_literals, -fact.literal), kind.state))
            else:
                remark = Widened(fact.literal, "propertyNames", "which further name is meant is left open")
                yield replace(objects, widened=(*objects.widened, remark))


def _fresh(names: tuple[str, ...]) -> OneOf:
    return OneOf(names, frozenset(names), positive=False)


def _looks_at_all(fact: Fact) -> bool:
    if isinstance(fact, Unevaluated):
        return not fact.items
    return isinstance(fact, Layer) and fact.additional not in (None, FALSE)


def _of_unnamed(layer: Layer, matched: frozenset[str]) -> list[Literal]:
    """What a layer says of a name that it does not declare and that matches just these patterns."""
    found = [literal for pattern, literal in layer.patterns if pattern in matched]
    return found if found or layer.additional is None else [layer.additional]


def _facts_of_some(fact: Some) -> list[Fact]:
    if fact.pattern is not None:
        return [Matches("pattern", fact.pattern)]
    if fact.beside is None:
        return []
    names = tuple(name for name, _ in fact.beside.properties)
    unmatched = [Matches("pattern", pattern, positive=False) for pattern, _ in fact.beside.patterns]
    return [_fresh(names), *unmatched]


def _tidy(objects: Objects) -> Objects | None:
    """Without properties that cannot be there and bounds that say nothing; None if there is no such object for sure."""
    if any(known.required and known.state == NEVER for known in objects.properties):
        return None
    properties = tuple(known for known in objects.properties if known.state != NEVER)
    needed = sum(known.required for known in properties) + (objects.must is not None)
    possible = None if objects.others else len(properties)
    most = objects.most if possible is None or (objects.most is not None and objects.most < possible) else None
    least = objects.least if objects.least > needed else 0
    if (most is not None and max(needed, least) > most) or (possible is not None and least > possible):
        return None
    return replace(objects, properties=properties, least=least, most=most)
