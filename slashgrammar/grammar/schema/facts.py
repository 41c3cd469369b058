"""What can be said of a value of one JSON type: facts, literals that stand for schemas, and choices among these."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.grammar.schema.formats import is_checked
from slashgrammar.grammar.schema.scope import satisfies
from slashgrammar.grammar.schema.table import TRUE, Literal


@dataclass(frozen=True, slots=True)
class OneOf:
    """The value is, or is not, one of some; each is known by `identity`."""

    values: tuple[Any, ...]
    keys: frozenset[object]
    positive: bool = True


@dataclass(frozen=True, slots=True)
class Whole:
    """The number is, or is not, an integer."""

    positive: bool = True


@dataclass(frozen=True, slots=True)
class Bound:
    """The number is at least (`lower`) or at most a value, which itself may be excluded."""

    value: Fraction
    lower: bool
    exclusive: bool


@dataclass(frozen=True, slots=True)
class Multiple:
    """The number is, or is not, a multiple of another."""

    of: Fraction
    positive: bool = True


@dataclass(frozen=True, slots=True)
class Matches:
    """The string matches, or does not, a pattern, a format or a grammar of its own."""

    keyword: str
    argument: str
    positive: bool = True

    @property
    def says_something(self) -> bool:
        """Whether it is more than the name of a format that nobody checks."""
        return self.keyword != "format" or is_checked(self.argument)

    @property
    def language(self) -> ArgumentGrammar | None:
        """The grammar, where it is about one."""
        return ArgumentGrammar.read(self.argument) if self.keyword == KEYWORD else None

    def holds_for(self, text: str) -> bool:
        """Whether it holds for a string, as validation decides it."""
        return satisfies(self.keyword, self.argument, text) is self.positive


@dataclass(frozen=True, slots=True)
class Count:
    """The length of a string in code points, or the number of items or properties."""

    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Items:
    """The items: the first ones one by one, then all the rest, if the schema says anything of it."""

    prefix: tuple[Literal, ...]
    rest: Literal
    says_rest: bool


@dataclass(frozen=True, slots=True)
class ItemAt:
    """There is an item at an index, and the literal holds for it."""

    index: int
    literal: Literal


@dataclass(frozen=True, slots=True)
class Contains:
    """So many of the items from an index on meet the literal."""

    literal: Literal
    least: int
    most: int | None
    start: int = 0


@dataclass(frozen=True, slots=True)
class Unique:
    """No two items are equal; or, where not positive, two are."""

    positive: bool = True


@dataclass(frozen=True, slots=True)
class Layer:
    """What one schema says of properties by their names.

    `additional` is for those that it does not name; None where the schema says nothing of them.
    """

    properties: tuple[tuple[str, Literal], ...]
    patterns: tuple[tuple[str, Literal], ...]
    additional: Literal | None
    _known: dict[str, Literal] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", dict(self.properties))

    def literals(self, name: str) -> list[Literal]:
        """What holds for the value under a name."""
        found = [self._known[name]] if name in self._known else []
        found += [literal for pattern, literal in self.patterns if satisfies("pattern", pattern, name)]
        return found if found or self.additional is None else [self.additional]

    def names(self, name: str) -> bool:
        """Whether the schema names that property, itself or by a pattern."""
        return name in self._known or any(satisfies("pattern", pattern, name) for pattern, _ in self.patterns)


@dataclass(frozen=True, slots=True)
class Present:
    """There is a property of that name, and the literal holds for it."""

    name: str
    literal: Literal = TRUE


@dataclass(frozen=True, slots=True)
class Absent:
    """There is no property of that name."""

    name: str


@dataclass(frozen=True, slots=True)
class Some:
    """There is a property whose name matches `pattern`, or is none of `beside`'s, and the literal holds for it."""

    literal: Literal
    pattern: str | None
    beside: Layer | None

    def means(self, name: str) -> bool:
        """Whether a property of that name would do."""
        if self.pattern is not None:
            return satisfies("pattern", self.pattern, name)
        return self.beside is None or not self.beside.names(name)


@dataclass(frozen=True, slots=True)
class Names:
    """The literal holds for every property's name; where not positive, its opposite for one of them at least."""

    literal: Literal
    positive: bool = True


@dataclass(frozen=True, slots=True)
class Unevaluated:
    """The literal holds for what no other keyword of the schema `owner` has looked at: properties, or items."""

    owner: Literal
    literal: Literal
    items: bool


@dataclass(frozen=True, slots=True)
class Widened:
    """Nothing, but a remark for the report: a keyword of a schema is not kept to the letter."""

    literal: Literal
    keyword: str
    reason: str


Fact: TypeAlias = (
    "OneOf | Whole | Bound | Multiple | Matches | Count | Items | ItemAt | Contains | Unique | Layer | Present | Absent"
    " | Some | Names | Unevaluated | Widened"
)


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of the alternatives holds, each a list of items that hold together; `exclusive`: never two."""

    alternatives: tuple[tuple[Item, ...], ...]
    exclusive: bool = False


@dataclass(frozen=True, slots=True)
class ExactlyOne:
    """Exactly one of the literals holds."""

    literals: tuple[Literal, ...]


Item: TypeAlias = "Fact | Literal | Either | ExactlyOne"
