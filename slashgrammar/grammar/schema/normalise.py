"""Any dialect of JSON Schema, rewritten as 2020-12 with one table of definitions.

What comes out holds only keywords that constrain, in the spelling of 2020-12, and every `$ref` in it is
`#/$defs/<number>`. Drafts 4, 6, 7 and 2019-09 are told by `$schema`. A schema that does not name its draft is read as
2020-12 in which the older spellings still mean what they meant, as most tools in the wild expect.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, TypeAlias

from slashgrammar.errors import GrammarError, ToolError
from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.grammar.schema.circles import cut_circles
from slashgrammar.grammar.schema.patterns import portable
from slashgrammar.grammar.schema.references import Document, Target, base_inside, escape

Schema: TypeAlias = "dict[str, Any] | bool"

MAX_DEPTH = 64
"""How deeply schemas may nest within one another, not counting `$ref`, and values within `enum` and `const`."""

_DRAFTS = {"draft-03": 4, "draft-04": 4, "draft-06": 6, "draft-07": 7, "2019-09": 2019, "2020-12": 2020}
_LENIENT = 9999

_SINCE = {
    "const": 6,
    "contains": 6,
    "propertyNames": 6,
    "if": 7,
    "then": 7,
    "else": 7,
    "dependentRequired": 2019,
    "dependentSchemas": 2019,
    "minContains": 2019,
    "maxContains": 2019,
    "unevaluatedItems": 2019,
    "unevaluatedProperties": 2019,
    "prefixItems": 2020,
}
SCHEMA_KEYS = (
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
LIST_KEYS = ("allOf", "anyOf", "oneOf", "prefixItems")
TABLE_KEYS = ("properties", "patternProperties", "dependentSchemas")
_COUNT_KEYS = (
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
)
_NUMBER_KEYS = ("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf")
_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


@dataclass(slots=True)
class Normalised:
    """A schema as `normalise` leaves it.

    Attributes:
        root: the schema itself, without `$defs`.
        definitions: what `#/$defs/<number>` in it means, by number.
        paths: the JSON pointer that each object of `root` and `definitions` had in the original, by `id`.
        unread: patterns that are no regular expressions, with the JSON pointers of their schemas; they are left out.
    """

    root: Schema
    definitions: list[Schema] = field(default_factory=list)
    paths: dict[int, str] = field(default_factory=dict)
    unread: list[tuple[str, str]] = field(default_factory=list)


def normalise(schema: Any, *, tool: str | None = None) -> Normalised:
    """Rewrite a schema of any draft.

    Raises ToolError, with the tool's name and the JSON pointer, for what is no schema: a keyword whose value has the
    wrong type, a reference that leads nowhere, schemas nested more than `MAX_DEPTH` deep.
    """
    return _Normaliser(schema, tool).run()


class _Normaliser:
    def __init__(self, schema: Any, tool: str | None) -> None:
        self.tool = tool
        self.document = Document(schema, tool=tool)
        self.draft = _draft(schema)
        self.result = Normalised(True)
        self.numbers: dict[str, int] = {}
        self.queue: deque[Target] = deque()

    def run(self) -> Normalised:
        self.result.root = self.convert(self.document.root, 0)
        while self.queue:
            self.result.definitions.append(self.convert(self.queue.popleft(), 0))
        self.result.definitions = cut_circles(self.result.definitions)
        return self.result

    def refer(self, target: Target) -> dict[str, Any]:
        if target.pointer not in self.numbers:
            self.numbers[target.pointer] = len(self.numbers)
            self.queue.append(target)
        return {"$ref": f"#/$defs/{self.numbers[target.pointer]}"}

    def fail(self, place: Target, problem: str, key: str = "") -> ToolError:
        path = place.pointer + ("/" + escape(key) if key else "")
        return ToolError(problem, tool=self.tool, path=path or "/")

    def convert(self, place: Target, depth: int) -> Schema:
        source = place.schema
        if isinstance(source, bool):
            return source
        if not isinstance(source, Mapping):
            raise self.fail(place, f"expected a schema, an object or true or false, not {_shown(source)}")
        if depth > MAX_DEPTH:
            raise self.fail(place, f"schemas nest more than {MAX_DEPTH} deep; move inner ones to $defs")
        result: dict[str, Any] = {}
        self.result.paths[id(result)] = place.pointer
        if isinstance(source.get("$ref"), str):
            result.update(self.refer(self.document.resolve(source["$ref"], place)))
            if self.draft < 2019:
                return result  # up to draft 7 the neighbours of a $ref say nothing
        elif "$ref" in source:
            raise self.fail(place, f"$ref takes a string, not {_shown(source['$ref'])}", "$ref")
        _Keywords(self, place, depth, result).convert()
        return result


@dataclass(slots=True)
class _Keywords:
    """One schema object on its way into the result."""

    owner: _Normaliser
    place: Target
    depth: int
    result: dict[str, Any]

    def convert(self) -> None:
        for key in self.place.schema:
            if _SINCE.get(key, 0) <= self.owner.draft:
                self._keyword(key)
        self._old_spellings()
        self._nullable()

    def _keyword(self, key: str) -> None:
        value = self.place.schema[key]
        if key in TABLE_KEYS:
            self._expect(key, value, isinstance(value, Mapping), "an object of schemas")
            names = {name: self._pattern(name) if key == "patternProperties" else name for name in value}
            inner = {new: self._inner(value[name], key, name) for name, new in names.items() if new is not None}
            self.result[key] = inner
        elif key in LIST_KEYS:
            self._expect(key, value, isinstance(value, list) and bool(value), "a list of schemas that is not empty")
            self.result[key] = [self._inner(item, key, str(index)) for index, item in enumerate(value)]
        elif key == "items" and isinstance(value, list):
            pass  # an old spelling
        elif key in SCHEMA_KEYS:
            self.result[key] = self._inner(value, key)
        elif key in _COUNT_KEYS:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            self._expect(key, value, number and value >= 0 and value % 1 == 0, "an integer that is not negative")
            self.result[key] = int(value)
        elif key in _NUMBER_KEYS and not isinstance(value, bool):
            self._expect(key, value, isinstance(value, (int, float)) and isfinite(value), "a finite number")
            self._expect(key, value, key != "multipleOf" or value > 0, "a number above zero")
            self.result[key] = value
        else:
            self._other(key, value)

    def _other(self, key: str, value: Any) -> None:
        if key == "type":
            types = [value] if isinstance(value, str) else value
            known = isinstance(types, list) and bool(types) and all(name in _TYPES for name in types)
            self._expect(key, value, known, f"one of {', '.join(_TYPES)}, or a list of these")
            self.result[key] = value
        elif key == "required":
            self._expect(key, value, _is_names(value), "a list of property names")
            self.result[key] = value
        elif key == "dependentRequired":
            right = isinstance(value, Mapping) and all(map(_is_names, value.values()))
            self._expect(key, value, right, "an object of lists of property names")
            self.result[key] = value
        elif key in ("enum", "const"):
            self._expect(key, value, key == "const" or isinstance(value, list), "a list of values")
            self._listed(key, value if key == "enum" else [value])
        elif key in ("pattern", "format"):
            self._expect(key, value, isinstance(value, str), "a string")
            spelled = self._pattern(value) if key == "pattern" else value
            if spelled is not None:
                self.result[key] = spelled
        elif key == KEYWORD:
            self.result[key] = self._language(value)
        elif key == "uniqueItems":
            self._expect(key, value, isinstance(value, bool), "true or false")
            self.result[key] = value
        elif key in ("$dynamicRef", "$recursiveRef"):
            self._expect(key, value, isinstance(value, str), "a string")
            target = self.owner.document.resolve_dynamic(value, self.place)
            self._conjoin(self.owner.refer(target))

    def _pattern(self, pattern: str) -> str | None:
        known = portable(pattern)
        if known is None:
            self.owner.result.unread.append((self.place.pointer, pattern))
        return known

    def _language(self, value: Any) -> dict[str, str]:
        try:
            return ArgumentGrammar.of(value).keyword
        except GrammarError as error:
            raise self.owner.fail(self.place, str(error), KEYWORD) from None

    def _listed(self, key: str, values: list[Any]) -> None:
        """Values to choose from; arrays and objects among them as schemas that take just these."""
        self._expect(key, values, all(map(_is_finite, values)), "values without infinite numbers")
        if any(_depth(value) + self.depth > MAX_DEPTH for value in values):
            raise self.owner.fail(
                self.place, f"values and schemas nest more than {MAX_DEPTH} deep; make it flatter", key
            )
        plain = [value for value in values if not isinstance(value, (list, Mapping))]
        if len(plain) == len(values):
            self.result["enum"] = [*plain]
            return
        exact = [exactly(value) for value in values if isinstance(value, (list, Mapping))]
        self._conjoin({"anyOf": [{"enum": plain}, *exact] if plain else exact})

    def _old_spellings(self) -> None:
        source = self.place.schema
        if isinstance(source.get("items"), list):
            self.result.pop("items", None)
            items = [self._inner(item, "items", str(index)) for index, item in enumerate(source["items"])]
            if items:
                self.result["prefixItems"] = items
            if "additionalItems" in source:
                self.result["items"] = self._inner(source["additionalItems"], "additionalItems")
        for key, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if source.get(exclusive) is True and key in self.result:
                self.result[exclusive] = self.result.pop(key)
        self._dependencies()

    def _dependencies(self) -> None:
        value = self.place.schema.get("dependencies", {})
        self._expect("dependencies", value, isinstance(value, Mapping), "an object of schemas or lists of names")
        for name, wanted in value.items():
            if isinstance(wanted, str):
                wanted = [wanted]
            if _is_names(wanted):
                self._merge("dependentRequired", name, wanted)
            else:
                self._merge("dependentSchemas", name, self._inner(wanted, "dependencies", name))

    def _merge(self, key: str, name: str, value: Any) -> None:
        if name not in self.result.get(key, {}):
            self.result[key] = {**self.result.get(key, {}), name: value}

    def _nullable(self) -> None:
        """OpenAPI 3.0: `nullable` next to `type` adds null, whatever `enum` says."""
        if self.place.schema.get("nullable") is True and "type" in self.result:
            inner = dict(self.result)
            self.owner.result.paths[id(inner)] = self.place.pointer
            self.result.clear()
            self.result["anyOf"] = [inner, {"type": "null"}]

    def _conjoin(self, schema: Schema) -> None:
        self.result["allOf"] = [*self.result.get("allOf", []), schema]

    def _inner(self, schema: Any, *keys: str) -> Schema:
        pointer = self.place.pointer + "".join("/" + escape(key) for key in keys)
        base = base_inside(schema, self.place.base)
        return self.owner.convert(Target(schema, pointer, base), self.depth + 1)

    def _expect(self, key: str, value: Any, right: bool, wanted: str) -> None:
        if not right:
            raise self.owner.fail(self.place, f"{key} takes {wanted}, not {_shown(value)}", key)


def exactly(value: Any) -> dict[str, Any]:
    """A schema of plain keywords that takes one value only."""
    if isinstance(value, Mapping):
        return {
            "type": "object",
            "properties": {name: exactly(inner) for name, inner in value.items()},
            "required": list(value),
            "additionalProperties": False,
        }
    if isinstance(value, list):
        items = {"prefixItems": [exactly(item) for item in value]} if value else {}
        return {"type": "array", **items, "minItems": len(value), "maxItems": len(value)}
    return {"enum": [value]}


def _depth(value: Any) -> int:
    """How many arrays and objects of a value are inside one another, as far as it matters."""
    depth, level = 0, [value]
    while depth <= MAX_DEPTH and (level := [inner for inner in level if isinstance(inner, (list, Mapping))]):
        depth += 1
        level = [item for inner in level for item in (inner if isinstance(inner, list) else inner.values())]
    return depth


def _is_finite(value: Any) -> bool:
    """Whether no number in a value is infinite, as 1e999 is for Python."""
    stack = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, float) and not isfinite(inner):
            return False
        if isinstance(inner, (list, Mapping)):
            stack += inner if isinstance(inner, list) else inner.values()
    return True


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _draft(schema: Any) -> int:
    uri = schema.get("$schema") if isinstance(schema, Mapping) else None
    if isinstance(uri, str):
        for name, number in _DRAFTS.items():
            if name in uri:
                return number
    return _LENIENT


def _shown(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."
