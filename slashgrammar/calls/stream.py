"""The parser of texts, whole or in pieces."""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING

from slashgrammar.calls.check import problems
from slashgrammar.calls.driver import Fault
from slashgrammar.calls.events import Event
from slashgrammar.calls.message import Message
from slashgrammar.calls.opencall import Misuse
from slashgrammar.calls.places import Places
from slashgrammar.calls.reader import Reader
from slashgrammar.calls.reading import Reading
from slashgrammar.errors import SlashSyntaxError, TextError
from slashgrammar.grammar.delimiters import DEFAULT

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet


class StreamParser:
    """Parses a text that comes in pieces, cut anywhere.

    Args:
        tools: the tools that may be called, or None to take calls of any name with any arguments.
        reasoning: the delimiters of reasoning; an empty opening one where the text begins inside it, None for none.
    """

    def __init__(self, tools: ToolSet | None = None, *, reasoning: tuple[str, str] | None = DEFAULT) -> None:
        self._events: list[Event] = []
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._cause: Fault | Misuse | None = None
        self._undecodable: TextError | None = None
        self._closed = False
        self._message: Message | None = None
        self._errors: list[TextError] = []
        self._begin(tools, reasoning)

    def _begin(self, tools: ToolSet | None, reasoning: tuple[str, str] | None) -> None:
        """Prepare to read. What reads another dialect has its own way of this, `message`, `_text`, `_take`, `_end`."""
        self._reading = Reading(tools, reasoning, Reader(tools, self._events))

    def feed(self, chunk: str | bytes) -> list[Event]:
        """Take more text; UTF-8 where it comes as bytes, cut even inside a character.

        Returns:
            What became certain. Where the text leaves the format there are no more events; `finish` raises the error.

        Raises:
            ValueError: the text was finished already.
        """
        if self._closed:
            raise ValueError("the text was finished; parse the next one with a new parser")
        if self._undecodable is not None:
            return []
        self._take(self._decode(chunk, final=False) if isinstance(chunk, bytes) else chunk)
        return self._drain()

    def close(self) -> list[Event]:
        """The text is over: the events that only its end makes certain. Whether the text is right, `finish` tells."""
        if not self._closed:
            self._closed = True
            if self._undecodable is None:
                self._take(self._decode(b"", final=True))
            self._end()
        return self._drain()

    def finish(self) -> Message:
        """The text is over: what it holds, as `ToolSet.parse` of the whole text would give it.

        Raises:
            TextError: the first thing that is wrong, as `ToolSet.parse` would raise it.
        """
        self.close()
        if self._errors:
            raise self._errors[0]
        return self.message

    def read(self, chunks: Iterable[str | bytes]) -> Iterator[Event]:
        """The events of all chunks, and those that the end makes certain; then the message is in `finish()`."""
        for chunk in chunks:
            yield from self.feed(chunk)
        yield from self.close()

    async def aread(self, chunks: AsyncIterable[str | bytes]) -> AsyncIterator[Event]:
        """The same for chunks that come asynchronously."""
        async for chunk in chunks:
            for event in self.feed(chunk):
                yield event
        for event in self.close():
            yield event

    @property
    def message(self) -> Message:
        """What is certain so far: segments, and the call that is open."""
        return self._message if self._message is not None else self._reading.message

    @property
    def _text(self) -> str:
        return self._reading.text

    def _end(self) -> None:
        if self._cause is None and self._undecodable is None:
            self._cause = self._reading.end()
        self._message = self._reading.message
        certain = self._events[:]
        self._errors = problems(self._reading, self._cause)
        self._events[:] = certain  # what is read behind an error, for more errors, is no part of the stream
        if self._undecodable is not None:
            self._errors.append(self._undecodable)

    def _drain(self) -> list[Event]:
        events = self._events[:]
        self._events.clear()
        return events

    def _take(self, text: str) -> None:
        self._reading.take(text)
        if self._cause is None:
            self._cause = self._reading.read(text)

    def _decode(self, chunk: bytes, *, final: bool) -> str:
        try:
            return self._decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode("utf-8")
            places = Places(self._text + before)
            problem = f"bytes that are no UTF-8: {error.reason}"
            self._undecodable = places.error(SlashSyntaxError, problem, len(places.text), expected="UTF-8")
            return before
