"""The lenient parser of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slashgrammar.calls.events import Event
from slashgrammar.calls.lenient.mender import Mender
from slashgrammar.calls.lenient.told import Told
from slashgrammar.calls.message import Call, Message
from slashgrammar.calls.stream import StreamParser
from slashgrammar.calls.validate import fits
from slashgrammar.grammar.delimiters import DEFAULT

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet


class LenientParser(StreamParser):
    """Parses a text as `StreamParser` does, and with repairs where that fails.

    Both readings go on side by side, and are the same as long as there is nothing to repair. From the first repair on,
    events are held back until the text is known to be wrong as it stands; if it never is, the repairs do not count,
    unless it calls nothing without them.

    Args:
        tools, reasoning: as in `StreamParser`.
    """

    def __init__(self, tools: ToolSet | None = None, *, reasoning: tuple[str, str] | None = DEFAULT) -> None:
        super().__init__(tools, reasoning=reasoning)
        self._tools = tools
        self._reasoning = reasoning
        self._mended: list[Event] = []
        self._mender = Mender(tools, reasoning, self._mended)
        self._told = Told()
        self._certain = Message()
        self._checked = 0
        self._is_mended = False

    def finish(self) -> Message:
        self.close()
        return self.message if self._is_mended else super().finish()

    @property
    def message(self) -> Message:
        return self._certain

    def _take(self, text: str) -> None:
        super()._take(text)
        self._mender.feed(text)

    def _end(self) -> None:
        super()._end()
        self._mender.close()
        strict, mended = super().message, self._mender.message
        if not self._mender.repairs:
            return
        calls_more = bool(mended.calls) and not strict.calls
        self._is_mended = self._undecodable is None and self._mender.fits and (bool(self._errors) or calls_more)
        if not self._is_mended and not self._errors:
            whole = StreamParser(self._tools, reasoning=self._reasoning).read([self._reading.text])
            self._mended[:] = self._told.rest(whole)

    def _drain(self) -> list[Event]:
        self._events.clear()
        is_held = bool(self._mender.repairs) and not self._closed and not self._is_wrong()
        count = self._mender.told if is_held else len(self._mended)
        events = self._mended[:count]
        del self._mended[:count]
        self._mender.told -= count
        self._told.add(events)
        if is_held:
            self._certain = self._mender.message_before
        elif self._closed and not self._errors and not self._is_mended:
            self._certain = super().message
        else:
            self._certain = self._mender.message
        return events

    def _is_wrong(self) -> bool:
        """Whether the text is wrong as it stands."""
        segments = self._reading.reader.segments
        while self._cause is None and self._checked < len(segments):
            segment = segments[self._checked]
            if isinstance(segment, Call) and not fits(segment, self._tools):
                return True
            self._checked += 1
        return self._cause is not None
