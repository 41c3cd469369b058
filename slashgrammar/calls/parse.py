"""A whole text at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slashgrammar.calls.check import read
from slashgrammar.calls.message import Message
from slashgrammar.grammar.delimiters import DEFAULT

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet


def parse(
    text: str,
    tools: ToolSet | None = None,
    *,
    reasoning: tuple[str, str] | None = DEFAULT,
) -> Message:
    """What a text holds.

    Args:
        text: the text.
        tools: the tools that may be called, or None to take calls of any name with any arguments.
        reasoning: the delimiters of reasoning, as in `StreamParser`.

    Raises:
        TextError: the first thing that is wrong with it.
    """
    message, errors = read(tools, text, reasoning)
    if errors:
        raise errors[0]
    return message
