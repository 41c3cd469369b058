"""Calls as text, in the canonical way of writing: `parse(render(calls)).calls == calls`."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from slashgrammar.calls.message import Call
from slashgrammar.calls.order import declared_order
from slashgrammar.calls.rules import path_text
from slashgrammar.calls.values import MAX_DEPTH, MAX_DIGITS, SURROGATE
from slashgrammar.errors import ToolError
from slashgrammar.grammar.keys import write_key
from slashgrammar.grammar.numerals import canonical
from slashgrammar.tools.tool import check_name

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
        ToolError: a name that no head can hold, a value that is no JSON, or a tool whose schema cannot be used.
    """
    return "\n".join(_call(call, tools, style) for call in calls)


def _call(call: Call, tools: ToolSet | None, style: str) -> str:
    arguments = call.arguments
    check_name(call.name)
    check_json(arguments, call.name)
    if tools is not None and call.name in tools:
        arguments = declared_order(tools, call.name).arrange(arguments)
    text = f"/{call.name}"
    after_block = False
    for name, value in arguments.items():
        block = _block(value) if isinstance(value, str) else None
        separator = " " if style == "inline" and not after_block else "\n"
        text += f"{separator}{write_key(name)}=" + (_json(value) if block is None else f"\n{block}")
        after_block = block is not None
    return text


def _json(value: Any) -> str:
    return json.dumps(canonical(value), ensure_ascii=False)


def check_json(arguments: Any, tool: str) -> None:
    """Raises ToolError where the arguments hold something that JSON has no word for."""
    work: list[tuple[list[str | int], Any]] = [([], arguments)]
    while work:
        path, value = work.pop()
        problem = _problem(value, len(path))
        if problem:
            raise ToolError(f"{problem}, which JSON cannot say", tool=tool, path=path_text(path))
        if isinstance(value, dict):
            work.extend(([*path, name], inner) for name, inner in reversed(value.items()))
        elif isinstance(value, list | tuple):
            work.extend(([*path, place], value[place]) for place in reversed(range(len(value))))


def _problem(value: Any, depth: int) -> str:
    if isinstance(value, str):
        return "a lone surrogate" if SURROGATE.search(value) else ""
    if isinstance(value, dict | list | tuple):
        if depth > MAX_DEPTH:
            return f"brackets nested more than {MAX_DEPTH} deep"
        keys = value if isinstance(value, dict) else ()
        wrong = next((key for key in keys if not isinstance(key, str) or SURROGATE.search(key)), None)
        return "" if wrong is None else f"the key {wrong!r}"
    if isinstance(value, float):
        return "" if math.isfinite(value) else f"the number {value}"
    if isinstance(value, int):
        return "" if abs(value) < 10**MAX_DIGITS else f"a number of more than {MAX_DIGITS} digits"
    return "" if value is None else f"a value of type {type(value).__name__}"


def _block(text: str) -> str | None:
    """The text as a code block; None where it has one line, or something that a block cannot carry exactly."""
    if "\n" not in text or _UNFIT_FOR_BLOCK.search(text):
        return None
    longest = max(map(len, _FENCE.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}" if len(fence) <= _LONGEST_FENCE else None
