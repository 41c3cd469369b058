"""Values of the wrong type that can be converted to the right one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from slashgrammar.calls.validate import argument_errors
from slashgrammar.calls.values import FlawedValue, decode_at

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

_ROUNDS = 20
_LITERALS = {"true": True, "false": False, "null": None, "none": None}
_TYPES = {"integer": (int,), "number": (int, float), "array": (list,), "object": (dict,), "null": (type(None),)}
_FORMS = ("anyOf", "oneOf")


def takes_text(tools: ToolSet, tool: str, name: str) -> bool:
    """Whether an argument may be a string of some kind, so that no string for it is ever converted."""
    kinds = {error.kind.name for error in argument_errors(tools, tool, name, "text") if len(error.instance_path) == 1}
    return not kinds & {"type", "falseSchema", *_FORMS}


def converted(tools: ToolSet, tool: str, name: str, value: Any) -> Any:
    """The value that fits the argument's schema and was meant by one that does not; the value itself if there is none.

    A text becomes the number, boolean, null, array or object that it spells; a number or boolean the text that spells
    it; and where a list is asked for, anything else a list of one.
    """
    result = value
    for _ in range(_ROUNDS):
        errors = argument_errors(tools, tool, name, result)
        if not errors:
            return result
        step = next((changed for error in errors if (changed := _step(result, error)) is not None), None)
        if step is None:
            return value
        result = step[0]
    return value


def _step(value: Any, error: Any) -> tuple[Any] | None:
    """The value with the part that an error is about converted, or None where that cannot be."""
    for place, kind in _wanted(error):
        part = _conversion(place.instance, kind)
        if part is not None:
            return (_replaced(value, list(place.instance_path)[1:], part[0]),)
    return None


def _wanted(error: Any) -> Iterator[tuple[Any, str]]:
    """The types that are asked for, each with its error; of alternatives, those of the whole value come first."""
    if error.kind.name == "type":
        yield from ((error, kind) for kind in error.kind.as_dict()["types"])
    elif error.kind.name in _FORMS:
        branches = [branch for errors in error.kind.as_dict()["context"] for branch in errors]
        for branch in sorted(branches, key=lambda branch: len(branch.instance_path)):
            yield from _wanted(branch)


def _conversion(value: Any, kind: str) -> tuple[Any] | None:
    if isinstance(value, str):
        return _spelled(value, kind) or (([value],) if kind == "array" else None)
    if kind == "array" and value is not None and not isinstance(value, list):
        return ([value],)
    if kind == "string" and isinstance(value, bool | int | float):
        return (json.dumps(value),)
    return None


def _spelled(text: str, kind: str) -> tuple[Any] | None:
    """The value of a type that a text spells."""
    text = text.strip()
    if text.casefold() in _LITERALS:
        value: Any = _LITERALS[text.casefold()]
    else:
        source = text.lstrip("0") or "0" if text.isdecimal() else text
        try:
            found = decode_at(source, 0)
        except FlawedValue:
            return None
        if found is None or found[1] < len(source):
            return None
        value = found[0]
    if isinstance(value, bool):
        return (value,) if kind == "boolean" else None
    return (value,) if isinstance(value, _TYPES.get(kind, ())) else None


def _replaced(value: Any, path: list[str | int], part: Any) -> Any:
    """The value with one part of it replaced; what is around the part is copied."""
    if not path:
        return part
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(copy[path[0]], path[1:], part)
    return copy
