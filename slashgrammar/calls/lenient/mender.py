"""Reads a text line by line, and repairs each line before it is read where it has to be.

A line is read on trial. Where that leaves the grammar, a repair that knows what was meant rewrites the line, and it is
tried again. A repair may look at the lines below, and take some of them; if they have not come yet, the line waits.
Repairs never change what was read before, so that what they lead to can be told at once.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from slashgrammar.calls.events import Event
from slashgrammar.calls.lenient.faults import mend_fault, mend_value
from slashgrammar.calls.lenient.fences import is_closing, is_content, mend_below_key, wraps_calls
from slashgrammar.calls.lenient.lines import mend_argument, mend_head
from slashgrammar.calls.lenient.reader import LenientReader
from slashgrammar.calls.lenient.trial import Trial
from slashgrammar.calls.lenient.unit import NeedMore, Unit
from slashgrammar.calls.message import Call, Message, Repair
from slashgrammar.calls.modes import FENCES
from slashgrammar.calls.reading import Reading
from slashgrammar.calls.validate import fits

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

_MOST_TRIALS = 100
_LONGEST_UNIT = 1_000_000


class Mender:
    """A text that is read with repairs.

    Args:
        tools, reasoning: as in `StreamParser`.
        events: where events are appended to.

    Attributes:
        repairs: what was repaired so far.
        failed: whether something was met that no repair knows.
        told: how many events there were before the first repair.
        message_before: the message at that moment.
    """

    def __init__(self, tools: ToolSet | None, reasoning: tuple[str, str] | None, events: list[Event]) -> None:
        self.repairs: list[Repair] = []
        self.failed = False
        self.told = 0
        self.message_before = Message()
        self._events = events
        self._tools = tools
        self._reader = LenientReader(tools, events, self._note, self._origin)
        self._reading = Reading(tools, reasoning, self._reader)
        self._lines: deque[str] = deque()
        self._size = 0
        self._enough = 0
        self._beginning: list[str] = []
        self._ended = False
        self._unit: Unit | None = None
        self._base = 0
        self._place, self._line = 0, 1
        self._source = ""
        self._wrapper = ""
        self._has_bare_calls = False

    def feed(self, text: str) -> None:
        """Take more text."""
        first, *others = text.split("\n")
        self._beginning.append(first)
        for other in others:
            self._add("".join(self._beginning) + "\n")
            self._beginning = [other]
        self._read()

    def close(self) -> None:
        """The text is over."""
        rest = "".join(self._beginning)
        if rest:
            self._add(rest + "\n")
        self._ended = True
        self._read()
        while not self.failed and self._reader.open_block is not None:
            fence = self._reader.open_block[0]
            end = (self._line - 1, len(rest) + 1) if rest else (self._line, 1)
            self.repairs.append(Repair("closing-fence", *end, "", fence))
            self._reading.read(f"{fence}\n")
        self.failed = self.failed or self._reading.end() is not None

    @property
    def message(self) -> Message:
        """What is certain so far."""
        message = self._reading.message
        repairs = sorted(self.repairs, key=lambda repair: (repair.line, repair.column))
        return Message(message.segments, tuple(repairs), message.partial)

    @property
    def fits(self) -> bool:
        """Whether all was understood, and each call fits its tool."""
        calls = (segment for segment in self._reader.segments if isinstance(segment, Call))
        return not self.failed and all(fits(call, self._tools) for call in calls)

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._size += len(line)

    def _read(self) -> None:
        while self._lines and not self.failed:
            if self._size < self._enough and not self._ended:
                return
            unit = Unit(self._lines, ended=self._ended, is_head=self._reader.names.is_head)
            self._reader.prose_heads.clear()
            self._reader.content_fences.clear()
            try:
                self.failed = not self._mend(unit)
            except NeedMore:
                self._enough = 2 * self._size
                return
            self._commit(unit)

    def _mend(self, unit: Unit) -> bool:
        """Make the unit right; False where that cannot be."""
        self._base = self._reading.driver.offset
        acceptable = self._reading.driver.acceptable
        if len(unit.text) > _LONGEST_UNIT:
            return True
        if "HEAD" in acceptable:
            if self._mend_wrapping(unit):
                return True
            mend_head(unit, self._reader.names)
            if self._reader.call is not None and "KEY" in acceptable and not unit.edits:
                mend_argument(unit, self._reader.names, self._reader.call)
        elif acceptable >= FENCES:
            self._mend_block(unit)
            return True
        elif "THOUGHT" in acceptable:
            return True
        return self._try(unit)

    def _try(self, unit: Unit) -> bool:
        """Rewrite the unit until it can be read; False where that cannot be."""
        grown_from = None
        for _ in range(_MOST_TRIALS):
            if len(unit.text) > _LONGEST_UNIT:
                return True
            trial = Trial(self._reading.driver, self._reader, unit.text)
            end = trial.end_behind(self._base + grown_from) if grown_from is not None else None
            if end is not None:
                unit.trim(end - self._base)
                grown_from = None
            elif trial.fault is not None:
                if not mend_fault(unit, trial, trial.fault, self._reader, self._base):
                    return False
            elif trial.in_brackets:
                grown_from = len(unit.text) if grown_from is None else grown_from
                if not unit.extend() and not mend_value(unit, trial, self._base):
                    return False
            elif not trial.awaits_block or not mend_below_key(unit):
                return True
        return False

    def _mend_wrapping(self, unit: Unit) -> bool:
        """Take away a fence around calls; False where the unit is none."""
        if self._wrapper:
            if not is_closing(unit, self._wrapper):
                return False
            self._wrapper = ""
        elif self._tools is None or self._has_bare_calls or not wraps_calls(unit):
            return False
        else:
            self._wrapper = unit.text[: len(unit.text) - len(unit.text.lstrip("`"))]
        unit.replace("fence", 0, len(unit.text), "")
        return True

    def _mend_block(self, unit: Unit) -> None:
        """Take a fence that would close a value for content where it cannot be the last one."""
        block = self._reader.open_block
        if block is None or not is_closing(unit, block[0]):
            return
        closes = Trial(self._reading.driver, self._reader, unit.text).closes_block
        if closes and is_content(unit, block[0]):
            self._reader.content_fences.add(self._base)
            unit.replace("inner-fence", 0, len(unit.text), unit.text)

    def _commit(self, unit: Unit) -> None:
        """Read a unit for good."""
        self._unit = unit
        self._source = "".join(self._lines.popleft() for _ in range(unit.size))
        for number, edit in enumerate(unit.edits):
            self._repaired(edit.kind, unit.origin(edit.start, number), edit.before, edit.after)
        calls = self._calls_begun()
        if not self.failed:
            self.failed = self._reading.read(unit.text) is not None
        if not self._wrapper and self._calls_begun() > calls:
            self._has_bare_calls = True
        self._size -= len(self._source)
        self._place += len(self._source)
        self._line += unit.size

    def _calls_begun(self) -> int:
        return len(self._reader.calls) + (self._reader.call is not None)

    def _note(self, kind: str, offset: int, before: str, after: str) -> None:
        self._repaired(kind, self._origin(offset) - self._place, before, after)

    def _origin(self, offset: int) -> int:
        assert self._unit is not None
        return self._place + self._unit.origin(offset - self._base)

    def _repaired(self, kind: str, place: int, before: str, after: str) -> None:
        """Record a repair at a place of the lines that are being read."""
        if not self.repairs:
            self.told, self.message_before = len(self._events), self._reading.message
        line = self._line + self._source.count("\n", 0, place)
        column = place - self._source.rfind("\n", 0, place)
        self.repairs.append(Repair(kind, line, column, before, after))
