"""Calls as text, in the canonical way of writing: `parse(render(calls)).calls == calls`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from slashgrammar.calls.message import Call
from slashgrammar.calls.order import in_declared_order
from slashgrammar.errors import ToolError
from slashgrammar.grammar.keys import write_key

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

_UNFIT_FOR_BLOCK = re.compile("[\x00-\x08\x0b-\x1f]")
_FENCE = re.compile("^`+", re.MULTILINE)
_LONGEST_FENCE = 8


def render(calls: Iterable[Call], tools: ToolSet | None = None, *, style: str = "lines") -> str:
    """Writes calls one argument a line; texts of several lines become code blocks, everything else is JSON.

    Args:
        calls: the calls.
        tools: where given, arguments and keys of objects are written in the order that their schemas declare.
        style: "lines", or "inline" to write the arguments of a call on its head line as far as no block is needed.

    Raises:
        ToolError: a name that no head can hold, or a value that is no JSON.
    """
    return "\n".join(_call(call, tools, style) for call in calls)


def _call(call: Call, tools: ToolSet | None, style: str) -> str:
    if not call.name or re.search(r"\s", call.name):
        raise ToolError("a name that a head can hold has no white space", tool=call.name)
    arguments = call.arguments
    if tools is not None and call.name in tools:
        arguments = in_declared_order(arguments, tools[call.name].parameters)
    text = f"/{call.name}"
    after_block = False
    for name, value in arguments.items():
        block = _block(value) if isinstance(value, str) else None
        separator = " " if style == "inline" and not after_block else "\n"
        text += f"{separator}{write_key(name)}=" + (_json(value, call, name) if block is None else f"\n{block}")
        after_block = block is not None
    return text


def _json(value: Any, call: Call, name: str) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolError(f"the value is no JSON: {error}", tool=call.name, path=name) from None
    return text


def _block(text: str) -> str | None:
    """The text as a code block; None where it has one line, or something that a block cannot carry exactly."""
    if "\n" not in text or _UNFIT_FOR_BLOCK.search(text):
        return None
    longest = max(map(len, _FENCE.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}" if len(fence) <= _LONGEST_FENCE else None
