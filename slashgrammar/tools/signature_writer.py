"""Tools as signature text: `grammars/signature.lark` describes it, `signature_reader` reads it back.

A signature says types, bounds, enumerations, defaults, nested fields and texts. What else a schema demands is left out,
and a schema without a type is given the one that its keywords are for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from slashgrammar.tools.bounds import write_bounds
from slashgrammar.tools.views import Viewer, alternatives, types

if TYPE_CHECKING:
    from slashgrammar.tools.tool import Tool

_TYPE_NAMES = {"string": "str", "integer": "int", "boolean": "bool"}
_TYPES_OF = {
    str: {"string"},
    int: {"integer", "number"},
    float: {"number", "integer"},
    bool: {"boolean"},
    type(None): {"null"},
    list: {"array"},
    dict: {"object"},
}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def write_signature(tool: Tool, *, descriptions: bool = False) -> str:
    """The tool as a signature; with `descriptions` also what its parameters mean, one on a line below it."""
    line = f"{_word(tool.name, _NAME)}({_Writer(tool.parameters).parameters()})"
    if returns := " ".join(word for word in tool.returns.split() if word != "#"):  # a lone # begins the description
        line += f"->{returns}"
    if description := " ".join(tool.description.split()):
        line += f" # {description}"
    if descriptions:
        meanings: dict[str, str] = {}
        for path, text in _Writer(tool.parameters).meanings():
            meanings.setdefault(path, text)
        line += "".join(f"\n  {path}: {text}" for path, text in meanings.items())
    return line


def write_type(schema: Any) -> str:
    """A JSON Schema as the type of a parameter, such as `Array[str](1..5)|null`."""
    return _Writer(schema).type(schema)


class _Writer:
    """Writes the types of one schema document."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._viewer = Viewer(document)

    def parameters(self) -> str:
        with self._viewer.view(self._document) as schema:
            return self._fields(schema)

    def type(self, schema: Any) -> str:
        with self._viewer.view(schema) as viewed:
            if "const" in viewed:
                written = _json(viewed["const"])
            elif viewed.get("enum"):
                written = "|".join(map(_json, _allowed(viewed)))
            elif others := alternatives(viewed):
                written = _union(map(self.type, others))
            else:
                written = _union(self._simple(viewed, name) for name in types(viewed)) or "any"
            return _union((written, "null")) if viewed.get("nullable") is True else written

    def _simple(self, schema: dict[str, Any], name: str) -> str:
        if name == "array":
            return self._array(schema)
        if name == "object":
            return self._object(schema)
        return _TYPE_NAMES.get(name, name) + write_bounds(schema, name)

    def _array(self, schema: dict[str, Any]) -> str:
        items = schema.get("items", {})
        prefix = items if isinstance(items, list) else schema.get("prefixItems")
        if prefix is None:
            inner = self.type(items)
            return ("array" if inner == "any" else f"Array[{inner}]") + write_bounds(schema, "array")
        if schema.get("minItems") == schema.get("maxItems") == len(prefix):
            return f"[{', '.join(map(self.type, prefix))}]"
        return "array" + write_bounds(schema, "array")

    def _object(self, schema: dict[str, Any]) -> str:
        table, _ = self._viewer.properties(schema)
        if table:
            return f"{{{self._fields(schema)}}}"
        others = self._others(schema, unsaid="any")
        if not others:
            return "{}"
        return ("object" if others == "any" else f"Object[{others}]") + write_bounds(schema, "object")

    def _fields(self, schema: dict[str, Any]) -> str:
        table, required = self._viewer.properties(schema)
        fields = [self._field(name, inner, name in required) for name, inner in table.items()]
        if others := self._others(schema, unsaid=""):
            fields.append("..." if others == "any" else f"...:{others}")
        return ", ".join(fields)

    def _field(self, name: str, schema: Any, required: bool) -> str:
        word, written = _word(name, _NAME), self.type(schema)
        if required:
            return f"{word}:{written}"
        with self._viewer.view(schema) as viewed:
            # Many lists say `default: null` where null is no value at all: the parameter may just be left out.
            if "default" not in viewed or (viewed["default"] is None and not _takes_null(written)):
                return f"{word}?:{written}"
            return f"{word}:{written}={_json(viewed['default'])}"

    def _others(self, schema: dict[str, Any], unsaid: str) -> str:
        """The type of the properties without a name, "" where there are none; `unsaid` if the schema does not say."""
        others = schema.get("additionalProperties")
        allowed = [*schema.get("patternProperties", {}).values(), *([] if others in (None, False) else [others])]
        return _union(map(self.type, allowed)) if allowed or others is False else unsaid

    def meanings(self) -> Iterator[tuple[str, str]]:
        """The path and the description of each property that has one, parents first."""
        with self._viewer.view(self._document) as schema:
            yield from self._properties_in(schema, "")

    def _meanings(self, schema: Any, path: str) -> Iterator[tuple[str, str]]:
        with self._viewer.view(schema) as viewed:
            if "const" in viewed or "enum" in viewed or self.type(schema) == "any":
                return
            others = alternatives(viewed)
            for alternative in others:
                yield from self._meanings(alternative, path)
            if others:
                return
            if "array" in types(viewed) and "prefixItems" not in viewed:
                yield from self._meanings(viewed.get("items"), f"{path}[]")
            if "object" in types(viewed):
                yield from self._properties_in(viewed, path)
                yield from self._meanings(viewed.get("additionalProperties"), f"{path}{{}}")

    def _properties_in(self, schema: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
        for name, inner in self._viewer.properties(schema)[0].items():
            place = f"{path}.{_word(name, _KEY)}" if path else _word(name, _KEY)
            with self._viewer.view(inner) as viewed:
                if text := " ".join(str(viewed.get("description", "")).split()):
                    yield place, text
            yield from self._meanings(inner, place)


def _union(written: Iterable[str]) -> str:
    distinct = dict.fromkeys(written)
    return "any" if "any" in distinct else "|".join(distinct)


def _allowed(schema: dict[str, Any]) -> list[Any]:
    """The enumerated values of the declared types; all of them where none fits."""
    declared = types(schema)
    fitting = [value for value in schema["enum"] if not _TYPES_OF[type(value)].isdisjoint(declared)]
    return fitting or schema["enum"]


def _takes_null(written: str) -> bool:
    return not {"any", "null"}.isdisjoint(written.split("|"))


def _word(name: str, plain: re.Pattern[str]) -> str:
    return name if plain.fullmatch(name) else _json(name)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
