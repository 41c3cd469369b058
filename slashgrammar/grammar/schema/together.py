"""Alternatives that may hold together, where it matters which do.

`unevaluatedProperties: false` allows the properties that the alternatives which hold declare. So an alternative of
`anyOf` alone allows less than it does together with another one, and a grammar has to offer both.
"""

from __future__ import annotations

from collections.abc import Callable

from slashgrammar.grammar.schema.facts import Item, Layer, Widened
from slashgrammar.grammar.schema.table import TRUE, Literal

LIMIT = 32
"""How many combinations are offered; with more, each alternative just allows the names of the others."""


def combinations(
    literals: list[Literal],
    disjoint: Callable[[Literal, Literal], bool],
    lends: Callable[[Literal], Layer],
) -> list[tuple[Item, ...]]:
    """Each literal, and each set of them that no value rules out and that declares more names than a smaller set.

    `lends` gives the names that a literal declares, with no condition on their values.
    """
    names = {literal: lends(literal) for literal in literals}
    parts = {literal: frozenset(layer.properties + layer.patterns) for literal, layer in names.items()}
    found: list[tuple[Literal, ...]] = [(literal,) for literal in literals]
    for group in found:  # grows on the way
        lent = frozenset().union(*(parts[member] for member in group))
        for literal in literals[literals.index(group[-1]) + 1 :]:
            if parts[literal] <= lent or any(parts[member] <= parts[literal] for member in group):
                continue
            if not any(disjoint(member, literal) for member in group):
                found.append((*group, literal))
        if len(found) > LIMIT:
            return [(literal, *_lent(literal, literals, names)) for literal in literals]
    return list(found)


def _lent(literal: Literal, literals: list[Literal], names: dict[Literal, Layer]) -> tuple[Item, ...]:
    others = [names[other] for other in literals if other != literal]
    properties = {name: TRUE for layer in others for name, _ in layer.properties}
    patterns = {pattern: TRUE for layer in others for pattern, _ in layer.patterns}
    reason = "properties of other alternatives are allowed with any value"
    return Layer(tuple(properties.items()), tuple(patterns.items()), None), Widened(literal, "anyOf", reason)
