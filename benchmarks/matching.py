"""Whether a call is the right one, by the rules of the Berkeley Function Calling Leaderboard's checker of syntax trees.

Texts are compared without case, blanks and the characters `,./-_*^`, single quotes as double ones; numbers by value, an
integer where a float is asked for included; lists and objects by their members. The leaderboard accepts several values
for an argument, of which the data has the first. An argument that need not be given may be left out, or may have its
default; one that the data does not have is wrong otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from slashgrammar import Call, Tool

_IGNORED = re.compile(r"[ ,./\-_*^]")


def right(calls: Sequence[Call], expected: Call, tool: Tool) -> bool:
    """Whether there is one call, of the right tool, with the right arguments."""
    if len(calls) != 1 or calls[0].name != expected.name:
        return False
    given = calls[0].arguments
    if any(name not in given for name in tool.parameters.get("required", ())):
        return False
    properties = tool.parameters.get("properties", {})
    defaults = {name: schema["default"] for name, schema in properties.items() if "default" in schema}
    wanted = {**defaults, **expected.arguments}
    return all(name in wanted and same(value, wanted[name]) for name, value in given.items())


def same(value: Any, expected: Any) -> bool:
    """Whether a value is what was expected, or as good."""
    if isinstance(value, str) and isinstance(expected, str):
        return _plain(value) == _plain(expected)
    if isinstance(value, list) and isinstance(expected, list):
        return len(value) == len(expected) and all(map(same, value, expected))
    if isinstance(value, dict) and isinstance(expected, dict):
        return value.keys() == expected.keys() and all(same(value[key], expected[key]) for key in value)
    return isinstance(value, bool) == isinstance(expected, bool) and value == expected


def _plain(text: str) -> str:
    return _IGNORED.sub("", text).lower().replace("'", '"')
