"""Texts that a budget, a stop string or a broken connection has cut off."""

from __future__ import annotations

from slashgrammar.calls.message import Message
from slashgrammar.errors import IncompleteCall


def cut_off(text: str, message: Message) -> IncompleteCall:
    """The error of a text that ends inside a call, where more of it could have come.

    Args:
        text: the text.
        message: what it holds.
    """
    last = text.rpartition("\n")[2]
    error = IncompleteCall(
        "the text was cut off inside a call; give it more tokens",
        offset=len(text),
        line=text.count("\n") + 1,
        column=len(last) + 1,
        tool=message.calls[-1].name if message.calls else None,
        source=last,
    )
    error.message = message
    return error
