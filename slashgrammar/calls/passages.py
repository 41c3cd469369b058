"""Prose and reasoning on their way into segments and deltas."""

from __future__ import annotations

from slashgrammar.calls.events import Event, ReasoningDelta, TextDelta
from slashgrammar.calls.pieces import Pieces

_BLANK = " \t\r\n"


class Passages:
    """Collects the text of one segment after the other; in the deltas a line break stands between two of them."""

    def __init__(self, events: list[Event], delta: type[TextDelta] | type[ReasoningDelta]) -> None:
        self._events = events
        self._delta = delta
        self._trimmer = Trimmer()
        self._pieces = Pieces()
        self._break_before = False

    def feed(self, text: str) -> None:
        if passed := self._trimmer.feed(text):
            self._events.append(self._delta("\n" + passed if self._break_before else passed))
            self._pieces.add(passed)
            self._break_before = False

    @property
    def text(self) -> str:
        return self._pieces.text

    def close(self) -> str:
        """The whole text of a segment; the next one begins."""
        text = self.text
        if text:
            self._break_before = True
        self._trimmer = Trimmer()
        self._pieces = Pieces()
        return text


class Trimmer:
    """Cuts blank lines before a text, and white space behind it, while the text comes in pieces."""

    def __init__(self) -> None:
        self._held: list[str] = []
        self._started = False

    def feed(self, text: str) -> str:
        """What can be passed on: all but white space at the end, which may turn out to be the end of the text."""
        body = text.rstrip(_BLANK)
        if not body:
            if self._started or "\n" not in text:
                self._held.append(text)
            else:
                self._held = [text[text.rindex("\n") + 1 :]]
            return ""
        before = "".join(self._held)
        if not self._started:
            blank = before + body[: len(body) - len(body.lstrip(_BLANK))]
            before = blank[blank.rfind("\n") + 1 :]
            body = body.lstrip(_BLANK)
            self._started = True
        self._held = [text[len(text.rstrip(_BLANK)) :]]
        return before + body
