"""What the commands write: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
import unicodedata
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slashgrammar.calls import Call

VALID, INVALID, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: the text is valid; it is not; there was nothing to judge; the user ended it."""

_BIDIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def console(*, stderr: bool = False) -> Console:
    """Where to write: in colour on a terminal unless NO_COLOR is set, as plain text elsewhere, never wrapped."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, soft_wrap=True)


def write(text: str) -> None:
    """Text for other programs, exactly as it is, with a line break behind it; for a terminal what that may show."""
    text = visible(text) if sys.stdout.isatty() else text
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def fail(message: str) -> None:
    """One line on standard error that says why the command cannot go on."""
    console(stderr=True).print(Text.assemble(("error: ", "bold red"), visible(message, breaks=False)))


def note(message: str) -> None:
    """One line on standard error that the user should know of."""
    console(stderr=True).print(Text.assemble(("note: ", "bold yellow"), visible(message, breaks=False)))


def visible(text: str, *, breaks: bool = True) -> str:
    """The text as a terminal may show it: no character in it moves the cursor, changes colours or turns text around.

    Each such character becomes another one; `breaks` leaves line breaks and tabs as they are.
    """
    return "".join(char if breaks and char in "\n\t" else _visible(char) for char in text)


def _visible(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return " " if char in "\n\t" else chr(0x2400 + code)  # Unicode's pictures of control characters
    if char.isascii():
        return "\u2421" if code == 0x7F else char
    return "\ufffd" if char in _BIDIRECTIONAL or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") else char


def to_json(value: Any) -> str:
    """One line of JSON in real Unicode."""
    return json.dumps(value, ensure_ascii=False)


def show_calls(calls: Iterable[Call], out: Console) -> None:
    """Calls as values, one a line: the name, then the arguments as JSON."""
    from rich.highlighter import JSONHighlighter

    for call in calls:
        arguments = Text(visible(to_json(call.arguments)))
        JSONHighlighter().highlight(arguments)
        out.print(Text.assemble("  ", (visible(call.name), "bold"), " ", arguments))


def counted(count: int, noun: str) -> str:
    """A number with its noun: `1 call`, `2 calls`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
