"""Errors in few tokens, for the model that made them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slashgrammar.errors import TextError

_BUDGET = 68
_LEAST_FOR_SIGNATURE = 26
_PIECE = re.compile(r"[A-Za-z]+|[^\x00-\x7f]| (?=\S)|[\s\S]")


def feedback(error: TextError) -> str:
    """What was wrong, where, what was expected, and the signature of the tool, in at most 80 tokens.

    Tokens are estimated without a vocabulary, on the high side of what byte-level BPE makes of English and JSON. Where
    the text is too long, the end of the expectation and of the signature are cut off.
    """
    usage = f"usage: {error.signature}" if error.signature else ""
    message = _clipped(_message(error), _BUDGET - min(_tokens(usage), _LEAST_FOR_SIGNATURE))
    return f"{message}\n{_clipped(usage, _BUDGET - _tokens(message))}" if usage else message


def _message(error: TextError) -> str:
    """The error without what the signature and the problem say already."""
    place = f"line {error.line}, column {error.column}"
    if error.path and error.path not in error.problem:
        place += f", argument {error.path}"
    text = f"{place}: {error.problem}"
    if error.expected:
        text += f"; expected {error.expected}"
    return f"{text}; did you mean {error.nearest}?" if error.nearest is not None else text


def _clipped(text: str, budget: int) -> str:
    if _tokens(text) <= budget:
        return text
    spent = _cost("…")
    for piece in _PIECE.finditer(text):
        spent += _cost(piece[0])
        if spent > budget:
            break
    return text[: piece.start()].rstrip() + "…"


def _tokens(text: str) -> int:
    return sum(_cost(piece[0]) for piece in _PIECE.finditer(text))


def _cost(piece: str) -> int:
    if not piece.isascii():
        return len(piece.encode("utf-8", "replace"))
    if piece.isalpha():
        return (len(piece) + 2) // 3
    return 0 if piece == " " else 1
