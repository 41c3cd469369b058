"""Tools as signature text: `grammars/signature.lark` describes it, `signature_reader` reads it back.

A signature says types, bounds, enumerations, defaults, nested fields and texts. What else a schema demands is left out,
and a schema without a type is given the one that its keywords are for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
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
_NO_DEFAULT = object()
_TOOL = re.compile(r'[^\s("#.][^\s("]*')
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def write_signature(tool: Tool, *, descriptions: bool = False) -> str:
    """The tool as a signature; with `descriptions` also what its parameters mean, one on a line below it."""
    writer = _Writer(tool.parameters)
    line = f"{_word(tool.name, _TOOL)}({writer.parameters()})"
    if returns := " ".join(word for word in tool.returns.split() if word != "#"):  # a lone # begins the description
        line += f"->{returns}"
    if description := " ".join(tool.description.split()):
        line += f" # {description}"
    if descriptions:
        line += "".join(f"\n  {path}: {text}" for path, text in writer.meanings.items())
    return line


def write_type(schema: Any) -> str:
    """A JSON Schema as the type of a parameter, such as `Array[str](1..5)|null`."""
    return _Writer(schema).type(schema, "")


class _Writer:
    """Writes the types of one schema document.

    Attributes:
        meanings: the descriptions of what has been written, each on one line, by path: `edits[].old`, `limits{}.low`.
    """

    def __init__(self, document: Any) -> None:
        self._document = document
        self._viewer = Viewer(document)
        self.meanings: dict[str, str] = {}

    def parameters(self) -> str:
        with self._viewer.view(self._document) as schema:
            return self._fields(schema, "")

    def type(self, schema: Any, path: str) -> str:
        return "|".join(self._alternatives(schema, path))

    def _alternatives(self, schema: Any, path: str) -> list[str]:
        with self._viewer.view(schema) as viewed:
            if "const" in viewed:
                written = [_literal(viewed["const"])]
            elif viewed.get("enum"):
                written = _union(map(_literal, _allowed(viewed)))
            elif others := alternatives(viewed):
                written = self._union(others, path)
            else:
                written = _union(self._simple(viewed, name, path) for name in types(viewed)) or ["any"]
            return _union([*written, "null"]) if viewed.get("nullable") is True else written

    def _union(self, schemas: Iterable[Any], path: str) -> list[str]:
        known = dict(self.meanings)
        written = _union(each for schema in schemas for each in self._alternatives(schema, path))
        if written == ["any"]:
            self.meanings = known
        return written

    def _simple(self, schema: dict[str, Any], name: str, path: str) -> str:
        if name == "array":
            return self._array(schema, path)
        if name == "object":
            return self._object(schema, path)
        return _TYPE_NAMES.get(name, name) + write_bounds(schema, name)

    def _array(self, schema: dict[str, Any], path: str) -> str:
        items = schema.get("items", {})
        prefix = items if isinstance(items, list) else schema.get("prefixItems")
        if prefix is None and schema.get("maxItems") == 0:
            return "[]"
        if prefix is None:
            inner = self.type(items, f"{path}[]")
            return ("array" if inner == "any" else f"Array[{inner}]") + write_bounds(schema, "array")
        if schema.get("minItems") == schema.get("maxItems") == len(prefix):
            return f"[{', '.join(self.type(each, f'{path}[{i}]') for i, each in enumerate(prefix))}]"
        return "array" + write_bounds(schema, "array")

    def _object(self, schema: dict[str, Any], path: str) -> str:
        table, _ = self._viewer.properties(schema)
        if table:
            return f"{{{self._fields(schema, path)}}}"
        others = self._others(schema, path, unsaid="any")
        if not others:
            return "{}"
        return ("object" if others == "any" else f"Object[{others}]") + write_bounds(schema, "object")

    def _fields(self, schema: dict[str, Any], path: str) -> str:
        table, required = self._viewer.properties(schema)
        fields = [self._field(name, inner, path, name in required) for name, inner in table.items()]
        if others := self._others(schema, path, unsaid=""):
            fields.append("..." if others == "any" else f"...:{others}")
        return ", ".join(fields)

    def _field(self, name: str, schema: Any, path: str, required: bool) -> str:
        word, place = _word(name, _NAME), f"{path}.{_word(name, _KEY)}".removeprefix(".")
        with self._viewer.view(schema) as viewed:
            meaning = " ".join(str(viewed.get("description", "")).split())
            if meaning:
                self.meanings.setdefault(place, meaning)
            default = viewed.get("default", _NO_DEFAULT)
        written = self._alternatives(schema, place)
        if required:
            return f"{word}:{'|'.join(written)}"
        # Many lists say `default: null` where null is no value at all: the parameter may just be left out.
        if default is _NO_DEFAULT or (default is None and not {"any", "null"} & set(written)):
            return f"{word}?:{'|'.join(written)}"
        return f"{word}:{'|'.join(written)}={_json(default)}"

    def _others(self, schema: dict[str, Any], path: str, unsaid: str) -> str:
        """The type of the properties without a name, "" where there are none; `unsaid` if the schema does not say."""
        others = schema.get("additionalProperties")
        allowed = [*schema.get("patternProperties", {}).values(), *([] if others in (None, False) else [others])]
        if not allowed:
            return unsaid if others is None else ""
        return "|".join(self._union(allowed, f"{path}{{}}"))


def _union(written: Iterable[str]) -> list[str]:
    """The distinct alternatives; literals together, as they are one enumeration."""
    distinct = dict.fromkeys(written)
    if "any" in distinct:
        return ["any"]
    literals = [each for each in distinct if each[0] in '"-0123456789' or each in ("true", "false", "null")]
    first = next((i for i, each in enumerate(distinct) if each in literals), 0)
    others = [each for each in distinct if each not in literals]
    return [*others[:first], *literals, *others[first:]]


def _allowed(schema: dict[str, Any]) -> list[Any]:
    """The enumerated values of the declared types; all of them where none fits."""
    declared = types(schema)
    fitting = [value for value in schema["enum"] if not _TYPES_OF[type(value)].isdisjoint(declared)]
    return fitting or schema["enum"]


def _word(name: str, plain: re.Pattern[str]) -> str:
    return name if plain.fullmatch(name) else _json(name)


def _literal(value: Any) -> str:
    """A JSON value as a type: arrays and objects of literals are written like any others."""
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_word(key, _NAME)}:{_literal(each)}' for key, each in value.items())}}}"
    return _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
