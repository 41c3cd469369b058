"""What is to be said of a checked text, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slashgrammar.errors import TextError
    from slashgrammar.tools import ToolSet


def verdict(tools: ToolSet, text: str, problems: list[TextError]) -> dict[str, Any]:
    """What is to be said of a text, as plain data; `calls` are those of a valid text."""
    calls = [] if problems else tools.parse(text).calls
    return {
        "valid": not problems,
        "calls": [{"name": call.name, "arguments": call.arguments} for call in calls],
        "errors": [problem.to_dict() for problem in problems],
    }
