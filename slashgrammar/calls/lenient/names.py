"""Slips in names: another case, hyphens for underscores."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from slashgrammar.calls.order import declared_order

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

_SEPARATOR = re.compile(r"[-_.]")
_HEAD = re.compile(r"/([^\s({]+)")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")


class Names:
    """The names of tools and arguments, where tools are known."""

    def __init__(self, tools: ToolSet | None) -> None:
        self._tools = tools
        self._by_sound = _by_sound(tool.name for tool in tools or ())
        self._arguments: dict[str, list[str]] = {}

    def tool(self, name: str) -> str | None:
        """The tool that is meant; None where there is none, or more than one that could be."""
        if self._tools is None:
            return name if _WORD.fullmatch(name) else None
        return name if name in self._tools else self._by_sound.get(_sound(name))

    def is_head(self, line: str) -> bool:
        """Whether a line begins with the head of a tool."""
        head = _HEAD.match(line)
        return head is not None and self.tool(head[1]) is not None

    def needs_arguments(self, tool: str) -> bool:
        """Whether the tool cannot be called without any; True where no tools are known."""
        return self._tools is None or bool(self._tools[tool].parameters.get("required"))

    def arguments(self, tool: str | None) -> list[str] | None:
        """The arguments that the tool declares; None where no tools are known."""
        if self._tools is None or tool is None or tool not in self._tools:
            return None
        if tool not in self._arguments:
            self._arguments[tool] = list(declared_order(self._tools, tool).names([]))
        return self._arguments[tool]

    def argument(self, tool: str, name: str) -> str:
        """The argument that is meant; the name itself where none is."""
        declared = self.arguments(tool)
        if declared is None or name in declared:
            return name
        return _by_sound(declared).get(_sound(name)) or name


def _by_sound(names: Iterable[str]) -> dict[str, str | None]:
    result: dict[str, str | None] = {}
    for name in names:
        sound = _sound(name)
        result[sound] = None if sound in result else name
    return result


def _sound(name: str) -> str:
    return _SEPARATOR.sub("", name).casefold()
