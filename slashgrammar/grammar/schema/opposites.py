"""What holds where an item does not: with this any schema gets a form without `not`."""

from __future__ import annotations

from slashgrammar.grammar.schema.facts import (
    Absent,
    Bound,
    Contains,
    Count,
    Either,
    ExactlyOne,
    Fact,
    Item,
    ItemAt,
    Items,
    Layer,
    Matches,
    Multiple,
    Names,
    OneOf,
    Present,
    Some,
    Unevaluated,
    Unique,
    Whole,
    Widened,
)
from slashgrammar.grammar.schema.table import FALSE, TRUE


def opposite(item: Item) -> Item:
    """What holds where an item does not."""
    if isinstance(item, int):
        return -item
    if isinstance(item, Either):
        return _all(tuple(_any(tuple(opposite(inner) for inner in items)) for items in item.alternatives))
    if isinstance(item, ExactlyOne):
        none = tuple(-literal for literal in item.literals)
        pairs = tuple((a, b) for index, a in enumerate(item.literals) for b in item.literals[:index])
        return Either((none, *pairs))
    return _any(tuple(_denial(item)))


def _any(items: tuple[Item, ...]) -> Item:
    if not items:
        return FALSE
    return items[0] if len(items) == 1 else Either(tuple((item,) for item in items))


def _all(items: tuple[Item, ...]) -> Item:
    if not items:
        return TRUE
    return items[0] if len(items) == 1 else Either((items,))


def _denial(fact: Fact) -> list[Item]:
    """The ways in which a fact can fail."""
    if isinstance(fact, OneOf):
        return [OneOf(fact.values, fact.keys, not fact.positive)]
    if isinstance(fact, Whole):
        return [Whole(not fact.positive)]
    if isinstance(fact, Bound):
        return [Bound(fact.value, not fact.lower, not fact.exclusive)]
    if isinstance(fact, Multiple):
        return [Multiple(fact.of, not fact.positive)]
    if isinstance(fact, Matches):
        return [Matches(fact.keyword, fact.argument, not fact.positive)]
    if isinstance(fact, Count):
        return _outside(fact)
    if isinstance(fact, (Items, Contains, Unique)):
        return _array_denial(fact)
    if isinstance(fact, Unevaluated):
        keyword = "unevaluatedItems" if fact.items else "unevaluatedProperties"
        return [Widened(fact.owner, keyword, "its opposite is left out")]
    return _object_denial(fact)


def _outside(fact: Count) -> list[Item]:
    found: list[Item] = [Count(0, fact.least - 1)] if fact.least else []
    return found if fact.most is None else [*found, Count(fact.most + 1)]


def _array_denial(fact: Items | Contains | Unique) -> list[Item]:
    if isinstance(fact, Items):
        found: list[Item] = [ItemAt(index, -literal) for index, literal in enumerate(fact.prefix) if literal != TRUE]
        return [*found, Contains(-fact.rest, 1, None, len(fact.prefix))] if fact.rest != TRUE else found
    if isinstance(fact, Contains):
        found = [Contains(fact.literal, 0, fact.least - 1, fact.start)] if fact.least else []
        return found if fact.most is None else [*found, Contains(fact.literal, fact.most + 1, None, fact.start)]
    return [Unique(not fact.positive)]


def _object_denial(fact: Fact) -> list[Item]:
    if isinstance(fact, Layer):
        found: list[Item] = [Present(name, -literal) for name, literal in fact.properties if literal != TRUE]
        found += [Some(-literal, pattern, None) for pattern, literal in fact.patterns if literal != TRUE]
        return [*found, Some(-fact.additional, None, fact)] if fact.additional not in (None, TRUE) else found
    if isinstance(fact, Present):
        return [Absent(fact.name)] if fact.literal == TRUE else [Absent(fact.name), Present(fact.name, -fact.literal)]
    if isinstance(fact, Absent):
        return [Present(fact.name)]
    return [Names(fact.literal, not fact.positive)] if isinstance(fact, Names) else []
