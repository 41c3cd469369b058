"""JSON Schemas as a reader sees them: references followed, `allOf` merged, the properties of an object in one table.

For showing schemas and making examples of them, not for judging by them: what does not fit the view is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from slashgrammar.grammar.argument_grammar import KEYWORD
from slashgrammar.tools.normalise import is_schema, resolve

_KEYWORDS = {
    "object": {"properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"},
    "array": {"items", "prefixItems", "minItems", "maxItems", "uniqueItems"},
    "string": {"minLength", "maxLength", "pattern", "format", KEYWORD},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
}
_OF_THE_WHOLE = {"anyOf", "oneOf", "default", "description", "examples", "nullable", "title"}

# The schema of a property that is required and nothing else; it is told from a `{}` that was written by its identity.
_UNSAID: dict[str, Any] = {}

_DEEPEST = 64
_MOST_STEPS = 1000


class Viewer:
    """Opens the schemas of one document, each inside the one that holds it, and no reference inside itself.

    References can make a small document endless, or as good as that: there is no view more than 64 schemas deep, nor
    of more than 1,000 schemas.
    """

    def __init__(self, document: Any) -> None:
        self._document = document
        self._open: list[str] = []
        self._targets: dict[str, Any] = {}
        self._depth = 0
        self._steps = 0

    @contextmanager
    def view(self, schema: Any) -> Iterator[dict[str, Any]]:
        """The schema with `$ref` and `allOf` merged into it; of one that is not to be opened, no more than its type."""
        opened = len(self._open)
        self._depth += 1
        try:
            yield self._merged(schema)
        finally:
            self._depth -= 1
            del self._open[opened:]

    def properties(self, schema: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
        """All properties that a viewed object may have, and the names of those that it must have.

        Alternatives contribute theirs; a property is required where each of them requires it.
        """
        required = set(schema.get("required", ()))
        table = {**schema.get("properties", {})}
        table.update({name: _UNSAID for name in schema.get("required", ()) if name not in table})
        conditional = [schema[key] for key in ("then", "else") if key in schema]
        conditional += schema.get("dependentSchemas", {}).values()
        for offered in (schema.get("anyOf", ()), schema.get("oneOf", ()), conditional and [*conditional, {}]):
            required_by = []
            for alternative in offered:
                with self.view(alternative) as viewed:
                    others, names = self.properties(viewed)
                required_by.append(names)
                for name, inner in others.items():
                    known = table.get(name, _UNSAID)
                    if known is _UNSAID:
                        table[name] = inner
                    elif inner is not _UNSAID and inner != known:
                        table[name] = {"anyOf": [known, inner]}
            if required_by:
                required |= set.intersection(*required_by)
        return table, required

    def _merged(self, schema: Any) -> dict[str, Any]:
        self._steps += 1
        if not isinstance(schema, dict):
            return {}
        if self._steps > _MOST_STEPS or self._depth > _DEEPEST or len(self._open) > _DEEPEST:
            return _type_only(schema)
        merged = {key: value for key, value in schema.items() if key not in ("$ref", "allOf") and _is_sound(key, value)}
        for part in schema.get("allOf", ()):
            merged = _both(self._merged(part), merged)
        if isinstance(reference := schema.get("$ref"), str):
            target = self._target(reference)
            if reference in self._open:
                merged = {**_type_only(target), **merged}
            else:
                self._open.append(reference)
                merged = _both(self._merged(target), merged)
        return merged

    def _target(self, reference: str) -> Any:
        if reference not in self._targets:
            target = resolve(self._document, reference)
            # References may point at what is no place for a schema, and no schema.
            self._targets[reference] = target if is_schema(target) else {}
        return self._targets[reference]


def types(schema: dict[str, Any]) -> list[str]:
    """The types that a schema declares; without any the one that its first keyword is for, if there is one."""
    declared = schema.get("type")
    if isinstance(declared, str):
        return [declared]
    if declared:
        return list(declared)
    return next(([name] for name, keywords in _KEYWORDS.items() if not keywords.isdisjoint(schema)), [])


def alternatives(schema: dict[str, Any]) -> list[Any]:
    """What an `anyOf` or `oneOf` offers, each with the keywords beside it; nothing where it only varies an object's."""
    offered = schema.get("anyOf") or schema.get("oneOf")
    if not offered or "properties" in schema:
        return []
    shared = {key: value for key, value in schema.items() if key not in _OF_THE_WHOLE}
    return [{**shared, **each} if isinstance(each, dict) else each for each in offered if each is not False]


def _is_sound(key: str, value: Any) -> bool:
    """Whether a value is what its keyword takes, where a draft that does not know the keyword let any pass.

    Sizes such as 5.0, which all drafts know, are not sound either: they are of no use as sizes here.
    """
    if key in ("then", "else"):
        return is_schema(value)
    if key == "prefixItems":
        return isinstance(value, list) and all(map(is_schema, value))
    if key == "dependentSchemas":
        return isinstance(value, dict) and all(map(is_schema, value.values()))
    if key in ("minLength", "maxLength", "minItems", "maxItems"):
        return isinstance(value, int)
    return key != "examples" or isinstance(value, list)


def _type_only(schema: Any) -> dict[str, Any]:
    return {"type": schema["type"]} if isinstance(schema, dict) and "type" in schema else {}


def _both(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Both schemas in one: where they say different things in one keyword, what the second one says."""
    merged = {**first, **second}
    for key in first.keys() & second.keys():
        if key == "properties":
            shared = first[key].keys() & second[key].keys()
            merged[key] = {**first[key], **second[key]}
            merged[key].update({name: {"allOf": [first[key][name], second[key][name]]} for name in shared})
        elif key == "required" and isinstance(first[key], list) and isinstance(second[key], list):
            merged[key] = list(dict.fromkeys(first[key] + second[key]))
    return merged
