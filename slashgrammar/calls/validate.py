"""Whether calls fit their tools: JSON Schema, as `jsonschema_rs` decides it, in words that a model can act on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import jsonschema_rs

from slashgrammar.calls.places import Places
from slashgrammar.calls.problems import unknown_tool
from slashgrammar.calls.reader import OpenCall
from slashgrammar.errors import ArgumentError, InvalidArgument, MissingArgument, TextError, UnknownArgument
from slashgrammar.grammar.schema.closed import closed
from slashgrammar.tools.nearest import nearest

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

_validators: WeakKeyDictionary[ToolSet, dict[str, jsonschema_rs.Validator]] = WeakKeyDictionary()


def call_errors(call: OpenCall, tools: ToolSet | None, places: Places) -> Iterator[TextError]:
    """What is wrong with a call: a tool that is not there, arguments that its schema does not take.

    Nothing is, where no tools are known.
    """
    if tools is None:
        return
    if call.name not in tools:
        yield unknown_tool(places, call.name, call.start, [tool.name for tool in tools])
        return
    for error in _validator(tools, call.name).iter_errors(call.values()):
        if call.broken and error.kind.name == "required" and not error.instance_path:
            continue
        yield from _explain(error, call, tools, places)


def _validator(tools: ToolSet, name: str) -> jsonschema_rs.Validator:
    known = _validators.setdefault(tools, {})
    if name not in known:
        schema = closed(tools[name].parameters, tools.open_objects, tool=name)
        known[name] = jsonschema_rs.validator_for(schema)
    return known[name]


def _explain(error: Any, call: OpenCall, tools: ToolSet, places: Places) -> Iterator[TextError]:
    path = list(error.instance_path)
    kind, details = error.kind.name, error.kind.as_dict()
    signature = tools[call.name].signature()
    if kind in ("additionalProperties", "unevaluatedProperties"):
        known = _known_names(tools[call.name].parameters, path)
        for name in details["unexpected"]:
            expected = ("one of " + ", ".join(known)) if known else "no arguments" if not path else "no such key"
            yield _error(
                UnknownArgument, f"there is no {'key' if path else 'argument'} {name}", [*path, name], call, places,
                expected, nearest(name, known), signature,
            )  # fmt: skip
    elif kind == "required":
        name = details["property"]
        problem = f"the required {'key' if path else 'argument'} {name} is missing"
        yield _error(MissingArgument, problem, [*path, name], call, places, f"{name}=…", None, signature)
    else:
        problem, expected = _describe(kind, details, error)
        yield _error(InvalidArgument, problem, path, call, places, expected, None, signature)


def _error(
    kind: type[ArgumentError], problem: str, path: list[str | int], call: OpenCall, places: Places,
    expected: str, closest: str | None, signature: str,
) -> TextError:  # fmt: skip
    argument = call.arguments.get(str(path[0])) if path else None
    if argument is None:
        offset = call.start
    elif kind is UnknownArgument and len(path) == 1:
        offset = argument.key_at
    else:
        offset = argument.value_at
    error = places.error(
        kind, problem, offset, tool=call.name, path=_path_text(path), expected=expected, nearest=closest
    )
    error.signature = signature
    return error


def _path_text(path: list[str | int]) -> str:
    """`["edits", 0, "old"]` as `edits[0].old`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def _describe(kind: str, details: dict[str, Any], error: Any) -> tuple[str, str]:
    value = _short(error.instance)
    if kind == "type":
        return f"{value} is no {' or '.join(details['types'])}", " or ".join(details["types"])
    if kind == "enum":
        return f"{value} is none of the values it may be", "one of " + ", ".join(map(_short, details["options"]))
    if kind == "const":
        return f"{value} is not the value it must be", _short(details["expected_value"])
    if kind in ("anyOf", "oneOf"):
        branches = dict.fromkeys(_branch(branch) for branch in details.get("context", ()))
        return f"{value} fits none of its forms", " or ".join(branches)
    if kind == "falseSchema":
        return f"{value} may not be given", "nothing"
    limits = " ".join(_short(limit) for limit in details.values() if not isinstance(limit, list))
    return f"{value} breaks the rule {kind}", f"{kind} {limits}".strip()


def _branch(errors: list[Any]) -> str:
    error = errors[0]
    details = error.kind.as_dict()
    where = _path_text(list(error.instance_path))
    if error.kind.name == "required":
        return f"an object with {details['property']}"
    return f"{where + ' ' if where else ''}{_describe(error.kind.name, details, error)[1]}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


def _known_names(schema: Any, path: list[str | int]) -> list[str]:
    """The names that the object at a path may hold, as far as its schema lists them plainly."""
    for part in path:
        if not isinstance(schema, dict):
            return []
        schema = schema.get("items") if isinstance(part, int) else schema.get("properties", {}).get(part)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return list(properties) if isinstance(properties, dict) else []
