"""A call to show to a model, made up from the schema of one of its tools."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from slashgrammar.calls.message import Call
from slashgrammar.errors import ToolError
from slashgrammar.prompts.values import Values, is_file_name, is_long_text, is_made_up
from slashgrammar.tools.views import Viewer

if TYPE_CHECKING:
    from slashgrammar.tools.tool import Tool
    from slashgrammar.tools.toolset import ToolSet

_CLOSER = "and as at based by for from given in including on or such that to using when where which with within"
_FURTHER = re.compile(rf"\W*(?:[\n,;:(]|\.(?:\s|$)|\s(?:{_CLOSER.replace(' ', '|')})\b)")  # what a request need not say


def example_call(tools: ToolSet) -> Call:
    """A call of the tool that shows most of the format in the least space; its arguments are valid if any can be found.

    Best is a tool that takes a text of several lines and something else; the text is written as one of several lines.
    """
    calls = [(_shows(tool, arguments), tool, arguments) for tool in tools for arguments in _tries(tool)]
    calls.sort(key=lambda call: call[0])
    valid = (call for call in calls if _is_valid(call[1], call[2], tools))
    _, tool, arguments = next(valid, calls[0])
    return Call(tool.name, arguments)


def dotted(call: Call, tools: ToolSet) -> Call:
    """The call with dots for texts of which the schema says nothing: small models repeat those less than made-up ones.

    Texts of several lines that go into files stay, to show code blocks.
    """
    tool = tools[call.name]
    arguments, table = dict(call.arguments), tool.parameters.get("properties", {})
    is_file = any(is_file_name(name) for name in arguments)
    for name, value in call.arguments.items():
        tried = {**arguments, name: _dots(value)}
        shows_block = is_file and "\n" in str(value)
        if not shows_block and is_made_up(table.get(name)) and _is_valid(tool, tried, tools):
            arguments = tried
    return Call(call.name, arguments)


def _dots(value: Any) -> Any:
    if isinstance(value, list):
        return [_dots(each) for each in value]
    return "..." if isinstance(value, str) else value


def example_request(tool: Tool, call: Call) -> str:
    """What a user could have asked for to get the call: what the tool does, in short, and the values.

    A request without the values would teach a small model to make values up, or to repeat those of the example.
    """
    request = _FURTHER.split(tool.description.strip(), maxsplit=1)[0] or f"Call {tool.name}"
    values = [f"{name} {_said(value)}" for name, value in call.arguments.items()]
    return f"{request}: {', '.join(values)}" if values else request


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tries(tool: Tool) -> list[dict[str, Any]]:
    arguments = _arguments(tool)
    return [arguments] if arguments.keys() & set(tool.parameters.get("required", ())) else [arguments, {}]


def _arguments(tool: Tool) -> dict[str, Any]:
    """What the tool must be given; where it need not be given anything, the first thing that it may be."""
    viewer = Viewer(tool.parameters)
    with viewer.view(tool.parameters) as schema:
        table, required = viewer.properties(schema)
        names = [name for name in table if name in required] or list(table)[:1]
        long = [name for name in names if is_long_text(name, table[name])][-1:]
        values = Values(viewer)
        return {name: values.long(name) if name in long else values.of(name, table[name]) for name in names}


def _shows(tool: Tool, arguments: dict[str, Any]) -> tuple[bool, bool, bool, int]:
    has_block = any(isinstance(value, str) and "\n" in value for value in arguments.values())
    return not (has_block and len(arguments) > 1), not has_block, not arguments, len(arguments)


def _is_valid(tool: Tool, arguments: dict[str, Any], tools: ToolSet) -> bool:
    from jsonschema_rs import validator_for

    from slashgrammar.calls.grammar_keyword import KEYWORDS
    from slashgrammar.grammar.schema.closed import closed

    try:
        schema = closed(tool.parameters, tools.open_objects, tool=tool.name)
        validator = validator_for(schema, keywords=KEYWORDS)
    except (ToolError, ValueError):  # such a tool is shown all the same: whether it can be used, compiling says
        return False
    return validator.is_valid(arguments)
