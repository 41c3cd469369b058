"""The parameters of a tool as one plain JSON Schema of an object, whatever dialect they came in."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from slashgrammar.errors import ToolError
from slashgrammar.tools.nearest import nearest

if TYPE_CHECKING:
    from jsonschema_rs import Validator

MAX_DEPTH = 100
"""How deeply arrays and objects may nest in the definition of a tool, at most."""

SURROGATE = re.compile("[\ud800-\udfff]")

_JSON_TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")
# Names of types that lists of tools use outside of JSON Schema: BFCL's are Python's, others write them in capitals.
_OTHER_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "none": "null",
    "list": "array",
    "tuple": "array",
    "dict": "object",
}
_SCHEMA = {
    "additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
    "unevaluatedItems", "unevaluatedProperties",
}  # fmt: skip
_SCHEMA_LISTS = {"allOf", "anyOf", "items", "oneOf", "prefixItems"}
_SCHEMA_TABLES = {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
# Keywords beside a `$ref` at the root that do not constrain the arguments.
_ANNOTATIONS = {"$comment", "$defs", "$id", "$ref", "$schema", "definitions", "description", "title"}

_DRAFTS = (
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-04/schema#",
)


def normalise(parameters: object, *, tool: str, path: str = "parameters") -> dict[str, Any]:
    """A fresh copy of the parameters as an object schema: `type` and `properties` stand at its root.

    None and `{}` mean that the tool takes no arguments. Names of types outside of JSON Schema (`dict`, `float`,
    `tuple`, `any`, …) become its own; a `dict` that declares no properties takes any. A local `$ref` at the root is
    replaced by its target.

    Args:
        tool, path: what errors name.

    Raises:
        ToolError: this is no schema of an object, no JSON, or nested more than `MAX_DEPTH` levels deep.
    """
    if parameters is None or parameters == {}:
        return {"type": "object", "properties": {}, "additionalProperties": False}
    if not isinstance(parameters, dict):
        found = type(parameters).__name__
        raise ToolError(f"expected the JSON Schema of an object, found {found}", tool=tool, path=path)
    is_python = parameters.get("type") == "dict"
    if is_python:  # a tool that declares no arguments takes none
        parameters = {"properties": {}, **parameters}
    schema = _Copier(tool, is_python=is_python).schema(parameters, path, 0)
    root = _without_reference(schema, tool, path)
    declared = root.get("type", "object")
    if declared != "object" and not (isinstance(declared, list) and "object" in declared):
        found = " or ".join(map(str, declared)) if isinstance(declared, list) else declared
        message = f"arguments are an object, this schema wants {found}; make it a property of an object"
        raise ToolError(message, tool=tool, path=f"{path}.type")
    root = {**{"type": "object", "properties": {}}, **root, "type": "object"}
    _check_schema(root, tool, path)
    return root


def normalise_schema(schema: dict[str, Any], *, tool: str, path: str) -> dict[str, Any]:
    """The same for a schema of anything; raises the same."""
    copied: dict[str, Any] = _Copier(tool).schema(schema, path, 0)
    _check_schema(copied, tool, path)
    return copied


def resolve(document: object, reference: str) -> Any:
    """What a local reference such as `#/$defs/Point` points at, or None where it is not local or points nowhere."""
    if reference == "#":
        return document
    if not reference.startswith("#/"):
        return None
    for part in reference[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict) and key in document:
            document = document[key]
        elif isinstance(document, list) and key in map(str, range(len(document))):
            document = document[int(key)]
        else:
            return None
    return document


def _without_reference(schema: dict[str, Any], tool: str, path: str) -> dict[str, Any]:
    root, seen = schema, set()
    while isinstance(reference := root.get("$ref"), str) and root.keys() <= _ANNOTATIONS:
        target = resolve(schema, reference)
        if reference in seen or not isinstance(target, dict):
            raise ToolError(f"{reference!r} leads to no object schema", tool=tool, path=f"{path}.$ref")
        seen.add(reference)
        root = {**{key: value for key, value in root.items() if key != "$ref"}, **target}
    return root


@dataclass
class _Copier:
    """Copies a schema, translates the names of types on the way, and refuses what JSON cannot say.

    `is_python` says that it is of a list with Python's names for types, as BFCL's: there an `enum` of texts or numbers
    beside the type of an array means the items.
    """

    tool: str
    is_python: bool = False

    def schema(self, value: object, path: str, depth: int) -> Any:
        if not isinstance(value, dict):
            return self.value(value, path, depth)
        copied: dict[str, Any] = {}
        for key, inner in self.items(value, path, depth):
            place = f"{path}.{key}"
            if key in _SCHEMA_TABLES and isinstance(inner, dict):
                table = self.items(inner, place, depth + 1)
                copied[key] = {name: self.schema(each, f"{place}.{name}", depth + 2) for name, each in table}
            elif key in _SCHEMA_LISTS and isinstance(inner, list):
                copied[key] = [self.schema(each, f"{place}[{i}]", depth + 2) for i, each in enumerate(inner)]
            elif key in _SCHEMA:
                copied[key] = self.schema(inner, place, depth + 1)
            else:
                copied[key] = self.value(inner, place, depth + 1)
        if isinstance(copied.get("type"), str):
            self.translate_type(copied, path)
        if self.is_python and copied.get("type") == "array":
            self.move_enum(copied)
        return copied

    def move_enum(self, schema: dict[str, Any]) -> None:
        items, values = schema.get("items", {}), schema.get("enum")
        if isinstance(values, list) and isinstance(items, dict) and not any(isinstance(each, list) for each in values):
            schema["items"] = {**items, "enum": schema.pop("enum")}

    def translate_type(self, schema: dict[str, Any], path: str) -> None:
        declared: str = schema["type"]
        name = declared.lower()
        if declared in _JSON_TYPES:
            return
        if name == "any":
            del schema["type"]
        elif name in _JSON_TYPES or name in _OTHER_TYPES:
            schema["type"] = _OTHER_TYPES.get(name, name)
            if name == "dict" and "properties" not in schema:
                schema.setdefault("additionalProperties", True)
        else:
            guess = nearest(declared, _JSON_TYPES)
            hint = f"; did you mean {guess}?" if guess else ""
            self.fail(f"unknown type {declared!r}, expected one of {', '.join(_JSON_TYPES)}{hint}", f"{path}.type")

    def value(self, value: object, path: str, depth: int) -> Any:
        if isinstance(value, dict):
            return {key: self.value(each, f"{path}.{key}", depth + 1) for key, each in self.items(value, path, depth)}
        if isinstance(value, list | tuple):
            self.check_depth(path, depth)
            return [self.value(each, f"{path}[{i}]", depth + 1) for i, each in enumerate(value)]
        if isinstance(value, str):
            self.check_text(value, path)
        elif not (value is None or isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))):
            self.fail(f"{value!r} is no JSON; expected null, a bool, a finite number, str, list or dict", path)
        return value

    def items(self, value: dict[Any, Any], path: str, depth: int) -> Iterator[tuple[str, Any]]:
        self.check_depth(path, depth)
        for key, inner in value.items():
            if not isinstance(key, str):
                self.fail(f"key {key!r} is no string; the keys of a JSON object are", path)
            self.check_text(key, path)
            yield key, inner

    def check_depth(self, path: str, depth: int) -> None:
        if depth >= MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} levels deep; flatten the schema or use $ref", f"{path[:60]}…")

    def check_text(self, text: str, path: str) -> None:
        if SURROGATE.search(text):
            self.fail("a lone surrogate is no character; expected Unicode text", path)

    def fail(self, message: str, path: str) -> NoReturn:
        raise ToolError(message, tool=self.tool, path=path)


def _check_schema(schema: dict[str, Any], tool: str, path: str) -> None:
    """Raise unless the schema is valid in some draft; the error is of the draft that it declares, or the newest."""
    declared = str(schema.get("$schema", "")).rstrip("#")
    drafts = sorted(_DRAFTS, key=lambda draft: draft.rstrip("#") != declared)
    if is_schema(schema):
        return
    error = next(_metaschema(drafts[0]).iter_errors(schema))
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
    message = error.message if len(error.message) <= 200 else f"{error.message[:200]}…"
    raise ToolError(f"no valid JSON Schema: {message}", tool=tool, path=path + place)


def is_schema(value: object) -> bool:
    """Whether a value is a JSON Schema of some draft."""
    return any(_metaschema(draft).is_valid(value) for draft in _DRAFTS)


@lru_cache(maxsize=len(_DRAFTS))
def _metaschema(draft: str) -> Validator:
    from jsonschema_rs import validator_for

    # Without formats: a pattern that the library cannot read is no fault of the schema.
    return validator_for({"$schema": draft, "$ref": draft}, validate_formats=False)
