"""The tools of a set, from items of all kinds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import TypeAlias

from slashgrammar.errors import ToolError, UnusableTool
from slashgrammar.tools.lists import from_list
from slashgrammar.tools.tool import Tool

Skip: TypeAlias = "Callable[[ToolError], None]"
"""Takes the error of what cannot be used and is left out."""


def gather(items: Iterable[object], *, open_objects: bool, skip: Skip | None = None) -> dict[str, Tool]:
    """The tools of some items by name, in order.

    Args:
        items: what `ToolSet` takes.
        open_objects: as in `ToolSet`.
        skip: takes the error of each item that cannot be used, of tools that nothing meets the schema of too; without
            it, errors of items are raised, and those of schemas left to whoever compiles them.

    Raises:
        ToolError: an item is no tool, or two have one name.
    """
    tools: dict[str, Tool] = {}
    places: dict[str, int] = {}
    for place, item in enumerate(items):
        try:
            found = _tools_of(item, place, skip)
        except ToolError as error:
            _raise_or_skip(error, skip)
            continue
        for tool in found:
            try:
                if tool.name in tools:
                    message = f"items {places[tool.name]} and {place} both have this name; rename one of them"
                    raise ToolError(message, tool=tool.name)
                if skip is not None:
                    _check(tool, open_objects)
            except ToolError as error:
                _raise_or_skip(error, skip)
                continue
            tools[tool.name] = tool
            places[tool.name] = place
    return tools


def leave_out(error: ToolError) -> None:
    """Warn of a tool that is left out."""
    warnings.warn(f"{error}; the tool is left out", UnusableTool, stacklevel=2)


def _raise_or_skip(error: ToolError, skip: Skip | None) -> None:
    if skip is None:
        raise error
    skip(error)


def _check(tool: Tool, open_objects: bool) -> None:
    from slashgrammar.grammar.join import write_call

    write_call(tool, open_objects=open_objects)


def _tools_of(item: object, place: int, skip: Skip | None) -> list[Tool]:
    if isinstance(item, Tool):
        return [item]
    if isinstance(item, dict) or (hasattr(item, "model_dump") and not isinstance(item, type)):
        return list(from_list(item, where=f"item {place} ", skip=skip))
    from slashgrammar.tools.callables import from_callable, from_type

    if isinstance(item, type):
        return [from_type(item)]
    if callable(item):
        return [from_callable(item)]
    found = type(item).__name__
    raise ToolError(f"expected a Tool, a function, a type or an entry of a list, found {found}", path=f"item {place}")
