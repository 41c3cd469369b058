"""Parameters that are plain: a closed object of scalars, as most tools have.

What a scalar takes does not depend on the tool, so that it is compiled once and remembered. The meaning is that of the
general way, which is asked for each scalar and for everything else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from slashgrammar.errors import ToolError
from slashgrammar.grammar.ir import Node

if TYPE_CHECKING:
    from slashgrammar.grammar.schema.arguments import Arguments, Value

_ANNOTATIONS = frozenset(
    ("$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly")
)
_OBJECT = frozenset(("additionalProperties", "properties", "required", "type"))
_MOST = 100
_NAME = "?"

Compile = Callable[[dict[str, Any], str], "Arguments"]


def plain_values(
    parameters: dict[str, Any], open_objects: bool, compile_: Compile
) -> tuple[dict[str, tuple[Value, bool]], dict[str, Node]] | None:
    """The values of the properties, whether each is required, and the rules; None for parameters of other kinds.

    `compile_` makes the arguments of the parameters of a closed tool.
    """
    if not _is_closed(parameters, open_objects):
        return None
    properties, required = parameters.get("properties", {}), parameters.get("required", [])
    if not isinstance(properties, dict) or len(properties) > _MOST or not _are_names(required, properties):
        return None
    values: dict[str, tuple[Value, bool]] = {}
    rules: dict[str, Node] = {}
    for name, schema in properties.items():
        content = _content(schema)
        scalar = _scalar(content, compile_) if content is not None else None
        if scalar is None:
            return None
        values[name] = (scalar[0], name in required)
        rules.update(scalar[1])
    return values, rules


def _is_closed(parameters: dict[str, Any], open_objects: bool) -> bool:
    closed = parameters.get("additionalProperties") is False or (
        not open_objects and "additionalProperties" not in parameters
    )
    return closed and parameters.get("type") == "object" and parameters.keys() - _ANNOTATIONS <= _OBJECT


def _are_names(required: object, properties: dict[str, Any]) -> bool:
    return isinstance(required, list) and all(isinstance(name, str) and name in properties for name in required)


def _content(schema: object) -> str | None:
    """What a schema says, as JSON; None where it holds other schemas, or may refer to any."""
    if not isinstance(schema, dict) or "type" not in schema:
        return None
    said = {key: value for key, value in schema.items() if key not in _ANNOTATIONS}
    for key, value in said.items():
        values = value if isinstance(value, list) else [value]
        if not isinstance(key, str) or key[:1] == "$" or key == "id":
            return None
        if not all(item is None or isinstance(item, (str, int, float)) for item in values):
            return None
    return json.dumps(said)


@lru_cache(maxsize=2048)
def _scalar(content: str, compile_: Compile) -> tuple[Value, dict[str, Node]] | None:
    """What a schema takes as the value of an argument, if it is alone; None where more is to be said of it."""
    parameters = {"type": "object", "properties": {"": json.loads(content)}, "required": [""]}
    try:
        arguments = compile_(parameters, _NAME)
    except ToolError:
        return None  # with the name of the tool and the place, that is an error to raise
    if arguments.report or any(name.startswith(f"{_NAME}:") for name in arguments.rules):
        return None
    ((entry,),) = arguments.shapes
    return entry.arguments[0].value, arguments.rules
