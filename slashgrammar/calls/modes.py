"""What a terminal means where the text stands: in prose, in reasoning, in a value of JSON, or in a code block."""

from __future__ import annotations

from typing import Any, Protocol

from slashgrammar.calls.events import ArgumentDelta, Event
from slashgrammar.calls.opencall import Argument, Misuse
from slashgrammar.calls.passages import Passages
from slashgrammar.calls.pieces import Pieces
from slashgrammar.calls.strings import StringDecoder
from slashgrammar.calls.values import MAX_DEPTH, Flaw, FlawedValue, decode

FENCES = frozenset(f"TICKS{length}" for length in range(3, 9))
PROSE = FENCES | {"TEXT", "AFTER_CALL", "LIKE_REASONING", "LINE", "ROOT", "INFO", "TICKED", "LINES"}
_CONTENT = frozenset({"LINES", "INFO", "TICKED"})
_STRING = frozenset({"STRING"})
_THOUGHT = frozenset({"THOUGHT"})
_DEEPER = {"_BEGIN_ARRAY": 1, "_BEGIN_OBJECT": 1, "_END_ARRAY": -1, "_END_OBJECT": -1}


class Mode(Protocol):
    """A kind of place."""

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        """A token was taken; the first `shown` of its characters came through `partial` before."""

    def takes(self, alive: frozenset[str]) -> bool:
        """Whether the text of a token that may become one of these terminals, and nothing else, means something yet."""

    def partial(self, text: str, offset: int) -> None:
        """More text of such a token."""


class ProseMode:
    """Prose, with its opaque blocks."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        self._passages.feed(text[shown:])

    def takes(self, alive: frozenset[str]) -> bool:
        return alive <= PROSE

    def partial(self, text: str, offset: int) -> None:
        self._passages.feed(text)


class ReasoningMode:
    """Reasoning; what may be the beginning of the closing delimiter is held back."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._held = ""

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if terminal != "REASONING":
            self._held += text[shown:]

    def takes(self, alive: frozenset[str]) -> bool:
        return alive == _THOUGHT

    def partial(self, text: str, offset: int) -> None:
        self._passages.feed(text)

    def release(self, kept: int) -> None:
        """Pass on all but the last characters."""
        cut = len(self._held) - kept
        if cut > 0:
            self._passages.feed(self._held[:cut])
            self._held = self._held[cut:]


class CallMode:
    """Between the arguments of a call, where nothing but a key means something."""

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        return

    def takes(self, alive: frozenset[str]) -> bool:
        return False

    def partial(self, text: str, offset: int) -> None:
        return


class JsonMode:
    """The value of an argument, in JSON."""

    def __init__(self, argument: Argument, events: list[Event]) -> None:
        self._argument = argument
        self._events = events
        self._source: list[str] = []
        self._decoder: StringDecoder | None = None
        self._string = Pieces()
        self.depth = 0

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if terminal == "EOL":
            return
        if terminal == "STRING" and not self.depth:
            self._add(text[shown:], offset, last=True)
            return
        if not self._source:
            self._argument.value_at = offset
        self.depth += _DEEPER.get(terminal, 0)
        if self.depth > MAX_DEPTH:
            raise Misuse(offset, Flaw("brackets nested too deeply", f"at most {MAX_DEPTH} levels"))
        self._source.append(text)

    def takes(self, alive: frozenset[str]) -> bool:
        return alive == _STRING and not self.depth

    def partial(self, text: str, offset: int) -> None:
        self._add(text, offset, last=False)

    def end(self) -> Any:
        """The value; raises Misuse where it has a flaw."""
        if self._decoder is not None:
            return self._string.text
        try:
            return decode("".join(self._source))
        except FlawedValue as error:
            raise Misuse(self._argument.value_at, error.flaw) from None

    @property
    def text(self) -> str | None:
        """As much of a string as is certain; None where the value is no string."""
        return self._string.text if self._decoder is not None else None

    def _add(self, source: str, offset: int, *, last: bool) -> None:
        begin = 0
        if self._decoder is None:
            self._argument.value_at = offset
            self._decoder = StringDecoder()
            begin = len('"')
        text = self._decoder.feed(source[begin : len(source) - last], last=last)
        if text:
            self._string.add(text)
            self._events.append(ArgumentDelta(text))
        if self._decoder.flaw is not None:
            raise Misuse(self._argument.value_at + len('"') + self._decoder.flaw_at, self._decoder.flaw)


class BlockMode:
    """The value of an argument, as a code block that a fence has opened."""

    def __init__(self, argument: Argument, events: list[Event], fence: str, offset: int) -> None:
        argument.value_at = offset
        self._events = events
        self._string = Pieces()
        self._held: list[str] = []
        self._is_open = False
        self.fence = fence
        self.closed_at = offset

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if not self._is_open:
            self._is_open = True
        elif text == self.fence:
            self._held.append(text)
            self.closed_at = offset
        else:
            self._add(text[shown:])

    def takes(self, alive: frozenset[str]) -> bool:
        return self._is_open and alive <= _CONTENT

    def partial(self, text: str, offset: int) -> None:
        self._add(text)

    def end(self) -> str:
        """The value; what is held back is the closing fence and the line break before it."""
        return self.text

    @property
    def text(self) -> str:
        """As much of the value as is certain."""
        return self._string.text

    def _add(self, text: str) -> None:
        """Content, and with it the fences and the line break before it, which are content too."""
        text = "".join([*self._held, text])
        self._held = ["\n"] if text.endswith("\n") else []
        text = text.removesuffix("\n")
        if text:
            self._string.add(text)
            self._events.append(ArgumentDelta(text))
