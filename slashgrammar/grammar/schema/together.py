"""Alternatives that may hold together, where it matters which do.

`unevaluatedProperties: false` allows the properties that the alternatives which hold declare. So an alternative of
`anyOf` alone allows less than it does together with another one, and a grammar has to offer both. The same is true of
items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from slashgrammar.grammar.schema.facts import Item, Layer, Widened
from slashgrammar.grammar.schema.table import FALSE, TRUE, Literal

LIMIT = 32
"""How many combinations are offered; with more, each alternative just allows what the others have looked at."""

Parts: TypeAlias = "frozenset[tuple[str, Any]]"
"""What a schema looks at: properties by name, by pattern, items by index, or all of them."""

ALL = ("all", None)


def parts_of(rows: Iterable[dict[str, Any]], kind: str) -> Parts:
    """What the schemas look at of an object or array, whatever they say of it; of other values there is nothing."""
    if kind not in ("object", "array"):
        return frozenset()
    found: set[tuple[str, Any]] = set()
    for row in rows:
        if kind == "object":
            found.update(("property", name) for name in row.get("properties", ()))
            found.update(("pattern", pattern) for pattern in row.get("patternProperties", ()))
            keys: tuple[str, ...] = ("additionalProperties", "unevaluatedProperties")
        else:
            found.update(("item", index) for index in range(len(row.get("prefixItems", ()))))
            keys = ("items", "unevaluatedItems", "contains")
        if any(row.get(key, FALSE) != FALSE for key in keys):
            found.add(ALL)
    return frozenset(found)


def combinations(
    literals: list[Literal],
    disjoint: Callable[[Literal, Literal], bool],
    parts: dict[Literal, Parts],
    kind: str,
    *,
    may_be_none: bool,
) -> list[tuple[Item, ...]]:
    """Each literal, and each set of them that no value rules out and that looks at more than a smaller set does.

    Args:
        parts: what each looks at.
        may_be_none: whether it is no matter if any of them holds.
    """
    found: list[tuple[Literal, ...]] = [()] if may_be_none else [(literal,) for literal in literals]
    for group in found:  # grows on the way
        lent = frozenset().union(*(parts[member] for member in group))
        for literal in literals[literals.index(group[-1]) + 1 if group else 0 :]:
            if _covers(lent, parts[literal]) or any(_covers(parts[literal], parts[member]) for member in group):
                continue
            if not any(disjoint(member, literal) for member in group):
                found.append((*group, literal))
        # Only objects get many: of two alternatives that look at items one looks at all that the other does.
        if kind == "object" and len(found) > LIMIT:
            return _each_with_all(literals, parts, may_be_none=may_be_none)
    return list(found)


def _covers(more: Parts, less: Parts) -> bool:
    return ALL in more or less <= more


def _each_with_all(
    literals: list[Literal], parts: dict[Literal, Parts], *, may_be_none: bool
) -> list[tuple[Item, ...]]:
    lent = frozenset().union(*parts.values())
    names = {what: tuple((name, TRUE) for kind, name in lent if kind == what) for what in ("property", "pattern")}
    fact = Layer(names["property"], names["pattern"], TRUE if ALL in lent else None)
    remark = Widened(literals[0], "anyOf", "what other alternatives say of objects is allowed with any value")
    return [(fact, remark)] if may_be_none else [(literal, fact, remark) for literal in literals]
