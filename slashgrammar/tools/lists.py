"""Tools from the lists that other programs use, parsed from JSON already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from slashgrammar.errors import GrammarError, ToolError
from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.tools.normalise import normalise, normalise_schema
from slashgrammar.tools.signature_writer import write_type
from slashgrammar.tools.tool import Tool, check_name

# Where a list of tools may stand: an MCP result, the JSON-RPC message around it, a request to a chat API.
_LISTS = ("tools", "functions", "result")
_SCHEMAS = ("parameters", "input_schema", "inputSchema")
_KNOWN = (
    "an OpenAI, Anthropic or MCP list of tools, or a functions_definition.json: objects with `name`, `description` and "
    "`parameters`, `input_schema` or `inputSchema`"
)
# What the known lists have in an entry beside a schema; without one, an entry with other keys is something else, but
# for keys that are marked as somebody's own.
_BESIDE = {
    "_meta", "allowed_callers", "annotations", "cache_control", "defer_loading", "description", "display_name",
    "eager_input_streaming", "examples", "execution", "icons", "id", "input_examples", "metadata", "name",
    "outputSchema", "output_schema", "required", "response", "returns", "strict", "tags", "title", "type",
}  # fmt: skip
# The keywords by which a schema is known as one.
_KEYWORDS = {
    "$comment", "$defs", "$id", "$ref", "$schema", "additionalProperties", "allOf", "anyOf", "const", "default",
    "definitions", "deprecated", "description", "enum", "example", "examples", "exclusiveMaximum", "exclusiveMinimum",
    "format", "if", "items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength",
    "minProperties", "minimum", "multipleOf", "not", "nullable", "oneOf", "optional", "pattern", "patternProperties",
    "prefixItems", "properties", "propertyNames", "readOnly", "required", "title", "type", "uniqueItems",
}  # fmt: skip

CUSTOM_INPUT = "input"
"""The name of the one argument of a custom tool of OpenAI's."""


def custom_names(entries: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """The names of the custom tools in one of OpenAI's lists that `from_list` has read."""
    custom = (entry for entry in entries if entry.get("type") == "custom")
    return frozenset(entry.get("custom", entry)["name"] for entry in custom)


def from_list(data: object, *, where: str = "", skip: Callable[[ToolError], None] | None = None) -> Iterator[Tool]:
    """The tools of any known list, or of one entry of it.

    Known are OpenAI's lists (chat completions, with a `function` in each entry, and responses, without; custom tools
    too, whose one argument is called `input`), Anthropic's (`input_schema`), the result of MCP's `tools/list`
    (`inputSchema`, `outputSchema`), `functions_definition.json` (`parameters` as a table from names to schemas, and
    `returns`), and BFCL's function docs.

    Args:
        data: what `json.loads` made of it, or the object that a client library made of it with pydantic.
        where: what errors name, such as a file; a path within the list follows it.
        skip: takes the error of each entry that cannot be used, which is then left out; None to raise it.

    Raises:
        ToolError: it is no such list, or one of its tools cannot be used.
    """
    if hasattr(data, "model_dump"):
        data = data.model_dump(mode="json", by_alias=True, exclude_none=True)
    while isinstance(data, dict) and (key := next((key for key in _LISTS if key in data), None)):
        data, where = data[key], _join(where, key)
    if isinstance(data, dict):
        yield from _usable(data, where, skip)
    elif isinstance(data, list | tuple):
        for index, entry in enumerate(data):
            yield from _usable(entry, f"{where}[{index}]", skip)
    else:
        raise ToolError(f"found {_kind(data)}, expected {_KNOWN}", path=where.removesuffix(": "))


def _kind(value: object) -> str:
    """What a value is in JSON's words; Python's for others."""
    names = {bool: "true or false", int: "a number", float: "a number", str: "a string", list: "a list"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _is_beside(key: object) -> bool:
    return key in _BESIDE or (isinstance(key, str) and key.startswith(("_", "x-")))


def _usable(entry: object, where: str, skip: Callable[[ToolError], None] | None) -> Iterator[Tool]:
    try:
        yield _tool(entry, where)
    except ToolError as error:
        if skip is None:
            raise
        skip(error)


def _tool(entry: object, where: str) -> Tool:
    inner = entry.get("function") if isinstance(entry, dict) else None
    if isinstance(inner, dict):
        entry, where = inner, _join(where, "function")
    if not isinstance(entry, dict):
        raise ToolError(f"found {_kind(entry)}, expected {_KNOWN}", path=where)
    if entry.get("type") == "custom" and not any(key in entry for key in _SCHEMAS):
        entry, where = _custom(entry, where)
    keys = [key for key in _SCHEMAS if key in entry]
    kind = entry.get("type", "function")
    if kind != "function" and not keys:
        raise ToolError(f"a tool of type {kind!r} runs at its vendor's; expected {_KNOWN}", path=_join(where, "type"))
    if "name" not in entry:
        raise ToolError(f"an entry without `name`; expected {_KNOWN}", path=where.removesuffix(": "))
    name = check_name(entry["name"], path=_join(where, "name"))
    if len(keys) > 1:
        raise ToolError(f"has both {keys[0]} and {keys[1]}; leave one of them out", tool=name, path=where)
    if not keys and (foreign := next((key for key in entry if not _is_beside(key)), None)) is not None:
        message = (
            f"it has {foreign!r} and no schema, so it is no tool; expected {_KNOWN}; without arguments these are {{}}"
        )
        raise ToolError(message, tool=name, path=where.removesuffix(": "))
    parameters = entry[keys[0]] if keys else None
    if isinstance(parameters, dict):
        if _is_table(parameters):
            parameters = _from_table(parameters)
        elif not _is_schema(parameters):
            message = "neither a JSON Schema, with `type` and `properties`, nor a table from names to such schemas"
            raise ToolError(f"{message}; write one", tool=name, path=_join(where, keys[0]))
    schema = normalise(parameters, tool=name, path=_join(where, keys[0] if keys else "parameters"))
    return Tool(name, schema, _text(entry, "description", name, where), _returns(entry, name, where))


def _custom(entry: dict[str, Any], where: str) -> tuple[dict[str, Any], str]:
    """A custom tool of OpenAI's as a function whose one argument is its input, and where it is defined."""
    inner = entry.get("custom")
    if isinstance(inner, dict):
        entry, where = inner, _join(where, "custom")
    properties = {CUSTOM_INPUT: _input(entry, where)}
    parameters = {"type": "object", "properties": properties, "required": [CUSTOM_INPUT]}
    return {**{key: entry[key] for key in ("name", "description") if key in entry}, "parameters": parameters}, where


def _input(entry: dict[str, Any], where: str) -> dict[str, Any]:
    form = entry.get("format", {"type": "text"})
    kind = form.get("type") if isinstance(form, dict) else None
    place, name = _join(where, "format"), str(entry.get("name"))
    if kind not in ("text", "grammar"):
        raise ToolError('expected {"type": "text"} or {"type": "grammar", …}', tool=name, path=place)
    if kind == "text":
        return {"type": "string"}
    # Responses have the grammar here, chat completions one level below.
    definition = form.get("grammar", {key: value for key, value in form.items() if key != "type"})
    try:
        return {"type": "string", KEYWORD: ArgumentGrammar.of(definition).keyword}
    except GrammarError as error:
        raise ToolError(str(error), tool=name, path=place) from None


def _is_table(parameters: dict[str, Any]) -> bool:
    """Whether this is a table from the names of parameters to their schemas, and no schema itself."""
    if not all(isinstance(value, dict) and _is_schema(value) for value in parameters.values()):
        return False
    properties = parameters.get("properties")
    return properties is None or not all(isinstance(value, dict | bool) for value in properties.values())


def _is_schema(value: dict[str, Any]) -> bool:
    """Whether this can be meant as a schema: by one keyword, or because it says nothing."""
    return not value or any(key in _KEYWORDS or str(key).startswith("x-") for key in value)


def _from_table(table: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": table,
        "required": [name for name, schema in table.items() if "default" not in schema],
        "additionalProperties": False,
    }


def _returns(entry: dict[str, Any], name: str, where: str) -> str:
    for key in ("returns", "outputSchema"):
        schema = entry.get(key)
        if isinstance(schema, dict):
            place = _join(where, key)
            if described := _text(schema, "description", name, place):
                return described
            # Any word may name a type here, such as `void`: nothing is ever validated by it.
            simple = schema.keys() == {"type"} and isinstance(schema["type"], str)
            return write_type(schema if simple else normalise_schema(schema, tool=name, path=place))
        if schema is not None:
            return _text(entry, key, name, where)
    return ""


def _text(entry: dict[str, Any], key: str, name: str, where: str) -> str:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise ToolError(f"expected a text, found {type(value).__name__}", tool=name, path=_join(where, key))
    return value or ""


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where and not where.endswith(" ") else where + key
