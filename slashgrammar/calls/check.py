"""Every problem of a text, not only the first.

Behind an error of syntax, reading goes on at the next argument of the line, where only one plain word lies between, or
else at the next line that can be an argument of the broken call or begins another call.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from slashgrammar.calls.driver import Fault
from slashgrammar.calls.events import Event
from slashgrammar.calls.message import Message
from slashgrammar.calls.opencall import Misuse
from slashgrammar.calls.places import Places
from slashgrammar.calls.reader import Reader
from slashgrammar.calls.reading import Reading
from slashgrammar.calls.validate import MOST_PROBLEMS
from slashgrammar.errors import TextError
from slashgrammar.grammar.delimiters import DEFAULT

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

_BEHIND_HEAD = ("HEAD",)
_BELOW_HEAD = ("HEAD", "EOL")
_PLAIN_WORD = re.compile(r"""[^ \t\r\n"'`()\[\]{}“‘]*""")


def check(tools: ToolSet | None, text: str, *, reasoning: tuple[str, str] | None = DEFAULT) -> list[TextError]:
    """All that is wrong with a text, in its order, as far as the first 1,000; empty where `ToolSet.parse` takes it.

    Args:
        tools: the tools that may be called, or None to take calls of any name with any arguments.
        text: the text.
        reasoning: the delimiters of reasoning, as in `StreamParser`.
    """
    return read(tools, text, reasoning)[1]


def read(tools: ToolSet | None, text: str, reasoning: tuple[str, str] | None) -> tuple[Message, list[TextError]]:
    """What a text holds, as far as it is right, and all that is wrong with it."""
    reading = Reading(tools, reasoning, Reader(tools, _Nowhere()))
    reading.take(text)
    cause = reading.read(text) or reading.end()
    message = reading.message
    return message, problems(reading, cause)


def problems(reading: Reading, cause: Fault | Misuse | None) -> list[TextError]:
    """All that is wrong with a text that was read up to its end, or to what was wrong there first."""
    text = reading.text
    places = Places(text)
    errors: list[TextError] = []
    while cause is not None and len(errors) < MOST_PROBLEMS:
        errors.append(reading.explain(cause, places))
        terminals, place = _resumption(reading, cause, places)
        reading.driver.resume(terminals, place)
        cause = reading.read(text, place) or reading.end()
    errors += islice(reading.errors(places), MOST_PROBLEMS)
    return sorted(errors, key=lambda error: error.offset)[:MOST_PROBLEMS]


class _Nowhere(list[Event]):
    """Events that nobody asks for."""

    def append(self, event: Event) -> None:
        return


def _resumption(reading: Reading, cause: Fault | Misuse, places: Places) -> tuple[tuple[str, ...], int]:
    """Where to go on behind an error, and which terminals shall have come before."""
    text = places.text
    begun = reading.reader.call.start if reading.reader.call is not None else cause.offset
    in_call = reading.reader.break_off()
    word = _PLAIN_WORD.match(text, cause.token if isinstance(cause, Fault) else cause.offset)
    if in_call and word is not None:
        terminal, end = reading.driver.first_token(_BEHIND_HEAD, text, word.end())
        if terminal == "WS" and reading.driver.first_token((*_BEHIND_HEAD, "WS"), text, end)[0] == "KEY":
            return _BEHIND_HEAD, word.end()
    place = places.line_start(cause.offset)
    if isinstance(cause, Misuse) or place <= begun or text[place : cause.offset].strip(" \t"):
        place = places.next_line(place)
    while place < len(text) and not _can_go_on(reading, text, place, in_call=in_call):
        place = places.next_line(place)
    return _BELOW_HEAD if in_call else (), place


def _can_go_on(reading: Reading, text: str, place: int, *, in_call: bool) -> bool:
    """Whether a line can be an argument of the broken call, or ends it.

    Outside of calls, which is behind the head of an unknown tool: whether it is no argument.
    """
    terminal, end = reading.driver.first_token(_BELOW_HEAD, text, place)
    if terminal == "WS":
        terminal, _ = reading.driver.first_token(_BELOW_HEAD, text, end)
    if not in_call:
        return terminal not in ("KEY", "EOL")
    if terminal in ("HEAD", "PATH") and reading.reader.retype(terminal, text[place:end], place) == "HEAD":
        return True
    return terminal in ("KEY", "EOL")
