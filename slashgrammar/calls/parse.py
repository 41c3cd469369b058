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
    lenient: bool = False,
    reasoning: tuple[str, str] | None = DEFAULT,
) -> Message:
    """What a text holds.

    Args:
        text: the text.
        tools: the tools that may be called, or None to take calls of any name with any arguments.
        lenient: whether what is almost right is taken for what was meant; `slashgrammar.calls.lenient` says when.
        reasoning: the delimiters of reasoning, as in `StreamParser`.

    Raises:
        TextError: the first thing that is wrong with it.
    """
    if lenient:
        from slashgrammar.calls.lenient import LenientParser

        parser = LenientParser(tools, reasoning=reasoning)
        parser.feed(text)
        return parser.finish()
    message, errors = read(tools, text, reasoning)
    if errors:
        raise errors[0]
    return message
