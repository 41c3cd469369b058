"""The parser of texts with calls as JSON between `<tool_call>` tags; `grammars/hermes_reading.lark`."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

from slashgrammar.calls.driver import Driver, Fault
from slashgrammar.calls.events import ArgumentEnd, ArgumentStart, CallEnd, CallStart, Event, ReasoningDelta, TextDelta
from slashgrammar.calls.message import Call, Message, PartialCall, Reasoning, Segment, Text
from slashgrammar.calls.modes import JsonMode, ReasoningMode
from slashgrammar.calls.opencall import Argument, Misuse, OpenCall
from slashgrammar.calls.passages import Passages
from slashgrammar.calls.reader import kept_of_reasoning
from slashgrammar.calls.stream import StreamParser
from slashgrammar.calls.table import load_table
from slashgrammar.calls.values import Flaw, FlawedValue, decode
from slashgrammar.dialects.hermes import KEYS, check
from slashgrammar.errors import IncompleteCall
from slashgrammar.grammar.delimiters import DEFAULT

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet

_BLANK = " \t\r\n"
_PROSE = frozenset({"TEXT", "LESS"})
_NO_CALL = Flaw("this is no call", "")  # `check` says it in more words


class HermesParser(StreamParser):
    """Parses a text with calls in JSON that comes in pieces, cut anywhere.

    Args:
        tools, reasoning: as in `StreamParser`. Reasoning stands first in the text.
    """

    def _begin(self, tools: ToolSet | None, reasoning: tuple[str, str] | None) -> None:
        self._tools = tools
        self._reasoning = reasoning
        self._opening, closing = reasoning or ("", DEFAULT[1])
        self._reader = HermesReader(tools, self._events)
        self._driver = Driver(load_table(("", closing), grammar="hermes_reading.lark"), self._reader)
        self._chunks: list[str] = []
        self._blanks: list[str] = []  # at the end of what has come
        self._is_begun = False
        self._lead = ""  # the text as long as its first word may become the opening delimiter

    @property
    def message(self) -> Message:
        return self._message if self._message is not None else self._reader.message

    @property
    def _text(self) -> str:
        return "".join(self._chunks)

    def _take(self, text: str) -> None:
        self._chunks.append(text)
        body = text.rstrip(_BLANK)
        if self._cause is None and body:
            self._read("".join([*self._blanks, body]))
            self._blanks.clear()
        self._blanks.append(text[len(body) :])

    def _read(self, text: str, *, last: bool = False) -> None:
        try:
            if not self._is_begun:
                text = self._lead = self._lead + text
                if not last and self._may_open(text):
                    return
                self._is_begun = True
                text = text[self._take_opening(text) :]
            self._driver.feed(text)
            if last:
                self._driver.finish()
                self._reader.end_of_text()
        except (Fault, Misuse) as cause:
            self._cause = cause

    def _may_open(self, lead: str) -> bool:
        """Whether the text begins with a part of the opening delimiter."""
        word = lead.lstrip(_BLANK)
        return self._opening.startswith(word) and word != self._opening

    def _take_opening(self, lead: str) -> int:
        """Begin the reasoning, if any opens the text; gives how much of the text that takes."""
        start = len(lead) - len(lead.lstrip(_BLANK)) if self._opening else 0
        if self._reasoning is None or not lead.startswith(self._opening, start):
            return 0
        end = start + len(self._opening)
        self._driver.token("REASONING", lead[:end])
        return end

    def _end(self) -> None:
        if self._cause is None and self._undecodable is None:
            self._read("", last=True)
        self._message = self._reader.message
        self._errors = list(check(self._text, self._tools, reasoning=self._reasoning))
        for error in self._errors:
            if isinstance(error, IncompleteCall):
                error.message = self._message
        if self._undecodable is not None:
            self._errors.append(self._undecodable)


class HermesReader:
    """Listens to a driver of `hermes_reading.lark`, and tells of what is certain.

    Args:
        known: the names of the tools, or None where any name may be called.
        events: where events are appended to.
    """

    renamed = frozenset[str]()

    def __init__(self, known: Container[str] | None, events: list[Event]) -> None:
        self._known = known
        self._events = events
        self._segments: list[Segment] = []
        self._prose = Passages(events, TextDelta)
        self._thoughts = Passages(events, ReasoningDelta)
        self._thinking: ReasoningMode | None = None
        self._call: OpenCall | None = None
        self._end = 0
        self._begin_call(0)
        self._call = None

    def retype(self, terminal: str, text: str, offset: int) -> str:
        return terminal

    def value(self, text: str, start: int, offset: int) -> int | None:
        return None

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if terminal == "REASONING":
            self._thinking = ReasoningMode(self._thoughts)
        elif self._thinking is not None:
            self._thinking.shift(terminal, text, offset, shown)
        elif terminal in _PROSE:
            self._prose.feed(text[shown:])
        elif terminal == "OPENING":
            self._close_prose()
            self._begin_call(offset)
        else:
            self._end = offset + len(text)
            if self._depth == 2:
                self._argument_token(terminal, text, offset, shown)
            elif terminal != "CLOSING":
                self._call_token(terminal, text, offset)

    def reduce(self, rule: str) -> None:
        if rule in ("call", "last_call"):
            self._end_call()
        elif rule in ("reasoning", "open_reasoning"):
            if rule == "open_reasoning" and self._thinking is not None:
                self._thinking.release(0)
            self._thinking = None
            if text := self._thoughts.close():
                self._segments.append(Reasoning(text))
        elif self._thinking is not None and (kept := kept_of_reasoning(rule)) is not None:
            self._thinking.release(kept)

    def takes(self, alive: frozenset[str]) -> bool:
        if self._thinking is not None:
            return self._thinking.takes(alive)
        if self._call is not None:
            return self._mode is not None and self._mode.takes(alive)
        return alive <= _PROSE

    def partial(self, text: str, offset: int) -> None:
        if self._thinking is not None:
            self._thinking.partial(text, offset)
        elif self._mode is not None:
            self._mode.partial(text, offset)
        else:
            self._prose.feed(text)

    def end_of_text(self) -> None:
        """The text is over."""
        self._close_prose()

    @property
    def message(self) -> Message:
        """What is certain so far."""
        segments = self._segments[:]
        if text := self._thoughts.text:
            segments.append(Reasoning(text))
        if text := self._prose.text:
            segments.append(Text(text))
        return Message(tuple(segments), (), self._partial_call)

    @property
    def _partial_call(self) -> PartialCall | None:
        if self._call is None or not self._call.name:
            return None
        key = self._argument.name if self._argument is not None else None
        return PartialCall(self._call.name, self._call.values(), key, self._mode.text if self._mode else None)

    # --- The object of a call: its name and its arguments, in any order.

    def _begin_call(self, offset: int) -> None:
        self._call = OpenCall("", offset, offset)
        self._held: list[Event] = []  # of arguments that stand before the name
        self._depth = 0
        self._key: str | None = None
        self._keys: set[str] = set()
        self._argument: Argument | None = None
        self._mode: JsonMode | None = None

    def _call_token(self, terminal: str, text: str, offset: int) -> None:
        """A token outside of the arguments."""
        if self._depth == 0:
            self._depth = 1
        elif terminal == "STRING" and self._key is None:
            self._key = self._decoded(text, offset)
            same = self._keys & set(KEYS if self._key in KEYS else [self._key])
            if same or self._key not in ("name", *KEYS):
                raise Misuse(offset, _NO_CALL)
            self._keys.add(self._key)
        elif terminal == "STRING" and self._key == "name":
            self._take_name(self._decoded(text, offset), offset)
        elif terminal == "_BEGIN_OBJECT" and self._key in KEYS:
            self._depth = 2
        elif terminal == "_COMMA":
            self._key = None
        elif terminal == "_END_OBJECT":
            if "name" not in self._keys:
                raise Misuse(offset, _NO_CALL)
        elif terminal != "_COLON":
            raise Misuse(offset, _NO_CALL)

    def _take_name(self, name: str, offset: int) -> None:
        assert self._call is not None
        if not name or (self._known is not None and name not in self._known):
            raise Misuse(offset, _NO_CALL)
        self._call.name = name
        self._events += [CallStart(name), *self._held]
        self._held = []

    def _argument_token(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if self._mode is not None:
            self._mode.shift(terminal, text, offset, shown)
            if self._mode.depth == 0:
                self._end_argument(self._mode.end())
        elif terminal == "STRING":
            self._begin_argument(self._decoded(text, offset), offset)
        elif terminal == "_COLON" and self._argument is not None:
            self._mode = JsonMode(self._argument, self._sink)
        elif terminal == "_END_OBJECT":
            self._depth = 1

    @property
    def _sink(self) -> list[Event]:
        """Where the events of arguments go: no event of a call comes before its name."""
        return self._events if "name" in self._keys else self._held

    def _begin_argument(self, name: str, offset: int) -> None:
        assert self._call is not None
        if name in self._call.arguments:
            raise Misuse(offset, _NO_CALL)
        self._argument = Argument(name, offset, offset)
        self._sink.append(ArgumentStart(name))

    def _end_argument(self, value: Any) -> None:
        assert self._call is not None
        assert self._argument is not None
        self._argument.value = value
        self._call.arguments[self._argument.name] = self._argument
        self._sink.append(ArgumentEnd(self._argument.name, value))
        self._argument = self._mode = None

    def _end_call(self) -> None:
        assert self._call is not None
        call = Call(self._call.name, self._call.values(), (self._call.start, self._end))
        self._segments.append(call)
        self._events.append(CallEnd(call))
        self._call = None

    def _close_prose(self) -> None:
        if text := self._prose.close():
            self._segments.append(Text(text))

    @staticmethod
    def _decoded(text: str, offset: int) -> str:
        try:
            value: str = decode(text)
        except FlawedValue as error:
            raise Misuse(offset, error.flaw) from None
        return value
