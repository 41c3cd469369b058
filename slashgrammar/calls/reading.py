"""A text while it is read: parser, meaning and errors together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from slashgrammar.calls.driver import Driver, Fault
from slashgrammar.calls.message import Message
from slashgrammar.calls.opencall import Misuse
from slashgrammar.calls.places import Places
from slashgrammar.calls.problems import early_close, misuse, syntax_error, unknown_tool
from slashgrammar.calls.reader import Reader
from slashgrammar.calls.table import load_table
from slashgrammar.calls.validate import call_errors
from slashgrammar.calls.values import SURROGATE
from slashgrammar.errors import IncompleteCall, TextError

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet


class Reading:
    """A text that is being read; it stops at the first error of syntax, and can be made to go on behind it.

    Args:
        tools: the tools that may be called, or None to take calls of any name with any arguments.
        reasoning: the delimiters of reasoning; an empty opening one where the text begins inside it, None for none.
        reader: what the parser tells its steps to.
    """

    def __init__(self, tools: ToolSet | None, reasoning: tuple[str, str] | None, reader: Reader) -> None:
        self.tools = tools
        self.reader = reader
        self.driver = Driver(load_table(reasoning), self.reader)
        self._chunks: list[str] = []
        if reasoning is not None and not reasoning[0]:
            self.driver.token("REASONING", "")

    @property
    def text(self) -> str:
        """All the text so far."""
        if len(self._chunks) > 1:
            self._chunks = ["".join(self._chunks)]
        return self._chunks[0] if self._chunks else ""

    @property
    def message(self) -> Message:
        """What is certain so far: segments, and the call that is open."""
        return Message((*self.reader.segments, *self.reader.open_segments), (), self.reader.partial_call)

    def take(self, text: str) -> None:
        """Keep more text for errors to show, without reading it."""
        self._chunks.append(text)

    def read(self, text: str, start: int = 0) -> Fault | Misuse | None:
        """Read text that was taken, from `start` on; what is wrong where it leaves the format."""
        try:
            self.driver.feed(text, start)
        except (Fault, Misuse) as cause:
            return cause
        return None

    def end(self) -> Fault | Misuse | None:
        """The text is over; what is wrong if it may not end there."""
        try:
            if self.text and not self.text.endswith("\n"):
                self.driver.feed("\n")
            self.driver.finish()
        except Misuse as cause:
            return cause
        except Fault as cause:
            end = len(self.text)
            return Fault(min(cause.offset, end), min(cause.token, end), cause.acceptable, cause.partial)
        self.reader.end_of_text()
        return None

    def errors(self, places: Places) -> Iterator[TextError]:
        """What is wrong with the calls that are whole, and with how blocks were closed."""
        for call in self.reader.calls:
            yield from call_errors(call.opened(), self.tools, places)
        if self.reader.open_fence and self.reader.early_close is not None:
            yield early_close(places, self.reader.early_close)

    def explain(self, cause: Fault | Misuse, places: Places) -> TextError:
        """The error for what `read` or `end` returned last, once the whole text was taken."""
        unknown = self.reader.unknown
        if isinstance(cause, Misuse):
            error = misuse(places, cause, self.reader)
        elif unknown is not None and not SURROGATE.match(self.text, cause.offset):
            error = unknown_tool(places, *unknown, [tool.name for tool in self.tools or ()])
        else:
            error = syntax_error(places, cause, self.reader)
        if isinstance(error, IncompleteCall):
            error.message = self.message
        if error.tool is not None and self.tools is not None and error.tool in self.tools:
            error.signature = self.tools[error.tool].signature()
        return error
