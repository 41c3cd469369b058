"""Whether calls fit their tools: JSON Schema, as `jsonschema_rs` decides it, in words that a model can act on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import jsonschema_rs

from slashgrammar.calls.grammar_keyword import KEYWORDS, NotInLanguage
from slashgrammar.calls.locate import locate
from slashgrammar.calls.message import Call
from slashgrammar.calls.opencall import OpenCall
from slashgrammar.calls.order import declared_order
from slashgrammar.calls.patterns import readable
from slashgrammar.calls.places import Places
from slashgrammar.calls.problems import unknown_tool
from slashgrammar.calls.rules import expectation, path_text, shown, some
from slashgrammar.errors import InvalidArgument, MissingArgument, TextError, UnknownArgument
from slashgrammar.grammar.keys import write_key
from slashgrammar.grammar.schema.closed import closed
from slashgrammar.tools.nearest import nearest

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

MOST_PROBLEMS = 1_000
"""How many problems of a text are listed."""

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
    errors = list(islice(_validator(tools, call.name).iter_errors(call.values()), MOST_PROBLEMS))
    for error in errors:
        if call.broken and error.kind.name == "required" and not error.instance_path:
            continue
        for explained in _explain(error, errors, call, tools, places):
            if not isinstance(error.__cause__, NotInLanguage):  # of which a signature says nothing
                explained.signature = tools[call.name].signature()
            yield explained


def fits(call: Call, tools: ToolSet | None) -> bool:
    """Whether nothing is wrong with a call."""
    return tools is None or (call.name in tools and _validator(tools, call.name).is_valid(call.arguments))


def argument_errors(tools: ToolSet, tool: str, name: str, value: Any) -> list[Any]:
    """The validation errors of `jsonschema_rs` about the value of one argument, whatever the others may be."""
    errors = _validator(tools, tool).iter_errors({name: value})
    return [error for error in errors if list(error.instance_path)[:1] == [name]]


def _validator(tools: ToolSet, name: str) -> jsonschema_rs.Validator:
    known = _validators.setdefault(tools, {})
    if name not in known:
        known[name] = validator_of(closed(tools[name].parameters, tools.open_objects, tool=name))
    return known[name]


def validator_of(schema: dict[str, Any]) -> jsonschema_rs.Validator:
    """The validator of a schema that `closed` gave."""
    try:
        return jsonschema_rs.validator_for(schema, validate_formats=True, keywords=KEYWORDS)
    except jsonschema_rs.ValidationError:
        return jsonschema_rs.validator_for(readable(schema), validate_formats=True, keywords=KEYWORDS)


def _explain(error: Any, errors: list[Any], call: OpenCall, tools: ToolSet, places: Places) -> Iterator[TextError]:
    path = list(error.instance_path)
    kind = error.kind.name
    if kind in ("additionalProperties", "unevaluatedProperties"):
        known = declared_order(tools, call.name).names(path)
        for name in _unexpected(error, errors):
            problem = f"there is no {'key' if path else 'argument'} {name}"
            expected = f"one of {some(known)}" if known else "none" if path else "no arguments"
            offset = _place([*path, name], call, places) if path else call.arguments[name].key_at
            yield places.error(
                UnknownArgument, problem, offset, tool=call.name, path=path_text([*path, name]), expected=expected,
                nearest=nearest(name, known),
            )  # fmt: skip
    elif kind == "required":
        name = error.kind.as_dict()["property"]
        problem = f"the required {'key' if path else 'argument'} {name} is missing"
        expected = f"{json.dumps(name, ensure_ascii=False)}: …" if path else f"{write_key(name)}=…"
        yield places.error(
            MissingArgument, problem, _place(path, call, places), tool=call.name, path=path_text([*path, name]),
            expected=expected,
        )  # fmt: skip
    else:
        yield places.error(
            InvalidArgument, _problem(error), _place(path, call, places),
            tool=call.name, path=path_text(path), expected=expectation(error),
        )  # fmt: skip


def _problem(error: Any) -> str:
    cause = error.__cause__
    return cause.problem if isinstance(cause, NotInLanguage) else f"the value {shown(error.instance)} does not fit"


def _unexpected(error: Any, errors: list[Any]) -> list[str]:
    """The names that are there for no reason.

    A validator also lists those that a form declares which the object misses for another error; that one is enough.
    """
    path = list(error.instance_path)
    depth = len(path)
    below = [list(other.instance_path) for other in errors if list(other.instance_path)[:depth] == path]
    if any(other.kind.name in ("anyOf", "oneOf") and list(other.instance_path) == path for other in errors):
        return []
    wrong = {inner[depth] for inner in below if len(inner) > depth}
    return [name for name in error.kind.as_dict()["unexpected"] if name not in wrong]


def _place(path: list[str | int], call: OpenCall, places: Places) -> int:
    """Where the value at a path stands; the head for the arguments as a whole."""
    argument = call.arguments.get(str(path[0])) if path else None
    return locate(places.text, argument.value_at, path[1:]) if argument is not None else call.start
