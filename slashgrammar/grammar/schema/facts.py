"""What the keywords of one schema say of a value of one JSON type, one fact a keyword, and what each denies.

`conjuncts` gives what a schema asserts: facts, literals and choices, all of which hold. `opposite` gives what holds
where one of these does not. Together they put any schema into a form without `not`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.grammar.schema.formats import is_checked
from slashgrammar.grammar.schema.scope import satisfies
from slashgrammar.grammar.schema.table import FALSE, TRUE, Literal

JSON_TYPES = ("null", "boolean", "number", "string", "array", "object")


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


def may_be(row: dict[str, Any], kind: str) -> bool:
    """Whether the keyword `type` of a schema of the table, where it has one, lets values of a JSON type be."""
    if "type" not in row:
        return True
    types = [row["type"]] if isinstance(row["type"], str) else row["type"]
    return kind in types or (kind == "number" and "integer" in types)


def conjuncts(row: dict[str, Any], kind: str) -> list[Item]:
    """What a schema of the table asserts of a value of a JSON type, without its `$ref` and `unevaluated…` keywords."""
    if not may_be(row, kind):
        return [FALSE]
    found: list[Item] = []
    if kind == "number" and "type" in row and "number" not in row["type"]:
        found.append(Whole())
    for key in ("enum", "const"):
        if key in row:
            values = [value for value in (row[key] if key == "enum" else [row[key]]) if kind_of(value) == kind]
            found.append(_one_of(values) if values else FALSE)
    found += _TYPED[kind](row) if kind in _TYPED else []
    found += _combined(row)
    return found


def _combined(row: dict[str, Any]) -> list[Item]:
    found: list[Item] = list(row.get("allOf", ()))
    if "anyOf" in row:
        found.append(Either(tuple((literal,) for literal in row["anyOf"])))
    if "oneOf" in row:
        found.append(ExactlyOne(row["oneOf"]))
    if "not" in row:
        found.append(-row["not"])
    if "if" in row and ("then" in row or "else" in row):
        test = row["if"]
        found.append(Either(((test, row.get("then", TRUE)), (-test, row.get("else", TRUE))), exclusive=True))
    return found


def _number(row: dict[str, Any]) -> list[Item]:
    found: list[Item] = []
    for key, lower in (("minimum", True), ("maximum", False)):
        if key in row:
            found.append(Bound(exact(row[key]), lower, False))
    for key, lower in (("exclusiveMinimum", True), ("exclusiveMaximum", False)):
        if key in row:
            found.append(Bound(exact(row[key]), lower, True))
    if "multipleOf" in row:
        found.append(Multiple(exact(row["multipleOf"])))
    return found


def _string(row: dict[str, Any]) -> list[Item]:
    found = _count(row, "minLength", "maxLength")
    found += [Matches(key, row[key]) for key in ("pattern", "format") if key in row]
    if KEYWORD in row:
        found.append(Matches(KEYWORD, str(ArgumentGrammar.of(row[KEYWORD]))))
    return found


def _count(row: dict[str, Any], least: str, most: str) -> list[Item]:
    return [Count(row.get(least, 0), row.get(most))] if least in row or most in row else []


def _array(row: dict[str, Any]) -> list[Item]:
    found = _count(row, "minItems", "maxItems")
    if "prefixItems" in row or "items" in row:
        found.append(Items(row.get("prefixItems", ()), row.get("items", TRUE), "items" in row))
    if "contains" in row:
        found.append(Contains(row["contains"], row.get("minContains", 1), row.get("maxContains")))
    if row.get("uniqueItems"):
        found.append(Unique())
    return found


def _object(row: dict[str, Any]) -> list[Item]:
    found = _count(row, "minProperties", "maxProperties")
    if layer := layer_of(row):
        found.append(layer)
    found += [Present(name) for name in row.get("required", ())]
    if "propertyNames" in row:
        found.append(Names(row["propertyNames"]))
    for name, wanted in row.get("dependentRequired", {}).items():
        wanted_too = (Present(name), *(Present(other) for other in wanted))
        found.append(Either(((Absent(name),), wanted_too), exclusive=True))
    for name, literal in row.get("dependentSchemas", {}).items():
        found.append(Either(((Absent(name),), (Present(name), literal)), exclusive=True))
    return found


_TYPED = {"number": _number, "string": _string, "array": _array, "object": _object}


def layer_of(row: dict[str, Any]) -> Layer | None:
    """What a schema says of properties by their names, if anything."""
    if not any(key in row for key in ("properties", "patternProperties", "additionalProperties")):
        return None
    return Layer(
        tuple(row.get("properties", {}).items()),
        tuple(row.get("patternProperties", {}).items()),
        row.get("additionalProperties"),
    )


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


def kind_of(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def identity(value: Any) -> object:
    """What JSON Schema takes for equal is equal: numbers by value, true and 1 apart. For scalars only."""
    if isinstance(value, bool) or value is None:
        return (type(value), value)
    return ("number", exact(value)) if isinstance(value, (int, float)) else value


def exact(number: int | float) -> Fraction:
    """The number that was written: 0.1 is a tenth."""
    return Fraction(number) if isinstance(number, int) else Fraction(Decimal(repr(number)))


def _one_of(values: list[Any]) -> OneOf:
    return OneOf(tuple(values), frozenset(identity(value) for value in values))
