"""Every problem of a text, not only the first.

Behind an error of syntax, reading goes on at the next line that can be an argument of the broken call or begins
another call.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from slashgrammar.calls.driver import Fault
from slashgrammar.calls.places import Places
from slashgrammar.calls.reader import Misuse
from slashgrammar.calls.reading import Reading
from slashgrammar.errors import TextError
from slashgrammar.grammar.delimiters import DEFAULT

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

MOST_PROBLEMS = 1_000
_BELOW_HEAD = ("HEAD", "EOL")


def check(tools: ToolSet | None, text: str, *, reasoning: tuple[str, str] | None = DEFAULT) -> list[TextError]:
    """All that is wrong with a text, in its order, as far as the first 1,000; empty where `ToolSet.parse` takes it.

    Args:
        tools: the tools that may be called, or None to take calls of any name with any arguments.
        text: the text.
        reasoning: the delimiters of reasoning, as in `StreamParser`.
    """
    reading = Reading(tools, reasoning)
    reading.take(text)
    return problems(reading, reading.read(text) or reading.end())


def problems(reading: Reading, cause: Fault | Misuse | None) -> list[TextError]:
    """All that is wrong with a text that was read up to its end, or to what was wrong there first."""
    text = reading.text
    places = Places(text)
    errors: list[TextError] = []
    while cause is not None and len(errors) < MOST_PROBLEMS:
        errors.append(reading.explain(cause, places))
        in_call = reading.reader.break_off()
        place = places.next_line(cause.offset)
        while place < len(text) and not _can_go_on(reading, text, place, in_call=in_call):
            place = places.next_line(place)
        reading.driver.resume(_BELOW_HEAD if in_call else (), place)
        cause = reading.read(text, place) or reading.end()
    errors += islice(reading.errors(places), MOST_PROBLEMS)
    return sorted(errors, key=lambda error: error.offset)[:MOST_PROBLEMS]


def _can_go_on(reading: Reading, text: str, place: int, *, in_call: bool) -> bool:
    """Whether a line can be an argument of the broken call, or ends it.

    Outside of calls, which is behind the head of an unknown tool: whether it is no argument.
    """
    terminal, end = reading.driver.first_token(_BELOW_HEAD, text, place)
    if terminal == "WS":
        terminal, _ = reading.driver.first_token(_BELOW_HEAD, text, end)
    if not in_call:
        return terminal not in ("KEY", "EOL")
    if terminal in ("HEAD", "PATH") and reading.reader.retype(terminal, text[place:end]) == "HEAD":
        return True
    return terminal in ("KEY", "EOL")
