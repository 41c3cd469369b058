"""From the steps of the parser to events and calls."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cache
from typing import Any

from slashgrammar.calls.events import (
    ArgumentEnd,
    ArgumentStart,
    CallEnd,
    CallStart,
    Event,
    ReasoningDelta,
    TextDelta,
)
from slashgrammar.calls.message import Call, PartialCall, Reasoning, Segment, Text
from slashgrammar.calls.modes import FENCES, PROSE, BlockMode, CallMode, JsonMode, Mode, ProseMode, ReasoningMode
from slashgrammar.calls.opencall import Argument, ClosedCall, Misuse, OpenCall
from slashgrammar.calls.passages import Passages
from slashgrammar.calls.values import Flaw, FlawedValue, decode, decode_at, is_deep, may_be_deep

_BEHIND_HEAD = frozenset({"WS", "EOL"})


class Reader:
    """Listens to a driver, and tells of what is certain.

    Args:
        known: the names of the tools, or None where any name may be called.
        events: where events are appended to.

    Attributes:
        segments: what is whole, in order.
        calls: the calls among it, with their places.
        call, argument: those that are open.
        unknown: name and place of what looks like a call of an unknown tool, while that is not decided.
        early_close: where a fence closes a value that prose follows directly.
        open_fence: whether a fence of prose stays open at the end.
    """

    def __init__(self, known: Container[str] | None, events: list[Event]) -> None:
        self._known = known
        self.events = events
        self.segments: list[Segment] = []
        self.calls: list[ClosedCall] = []
        self.call: OpenCall | None = None
        self.argument: Argument | None = None
        self.unknown: tuple[str, int] | None = None
        self._is_unknown_over = False
        self.early_close: int | None = None
        self.open_fence = False
        self._is_reasoning_open = False
        self._head: tuple[str, int] | None = None
        self._prose = Passages(self.events, TextDelta)
        self._thoughts = Passages(self.events, ReasoningDelta)
        self._prose_mode = ProseMode(self._prose)
        self._reasoning_mode = ReasoningMode(self._thoughts)
        self._call_mode = CallMode()
        self._mode: Mode = self._prose_mode
        self._closed: list[int] = []
        self._end = 0
        self._at_end_of: dict[str, Callable[[], None]] = {
            "argument": self._end_json,
            "block": self._end_block,
            "call": self._end_call,
            "unknown": self._end_unknown,
            "reasoning": self._end_reasoning,
            "open_reasoning": self._end_open_reasoning,
            "unclosed": self._end_unclosed,
        }

    # --- What the driver tells.

    renamed = frozenset({"HEAD", "PATH"})

    def retype(self, terminal: str, text: str, offset: int) -> str:
        if self._known is None:
            return terminal
        if text[1:] in self._known:
            return "HEAD"
        return "UNKNOWN" if terminal == "HEAD" else "PATH"

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if self._head is not None:
            self._decide_head(terminal, *self._head)
        if self._is_unknown_over:
            self.unknown, self._is_unknown_over = None, False
        if self._closed:
            self._watch_for_early_close(terminal)
        self._end = offset + len(text)
        if terminal == "KEY":
            self._begin_argument(text, offset)
        elif terminal == "HEAD":
            self._head = (text, offset)
        elif terminal in FENCES and isinstance(self._mode, JsonMode):
            assert self.argument is not None
            self._mode = BlockMode(self.argument, self._argument_events(), text, offset)
        else:
            if terminal == "UNKNOWN":
                self.unknown = (text[1:], offset)
            elif terminal == "REASONING":
                self._close_prose()
                self._mode = self._reasoning_mode
            self._mode.shift(terminal, text, offset, shown)

    def reduce(self, rule: str) -> None:
        end = self._at_end_of.get(rule)
        if end is not None:
            end()
        elif (kept := kept_of_reasoning(rule)) is not None:
            self._reasoning_mode.release(kept)

    def takes(self, alive: frozenset[str]) -> bool:
        return alive <= _BEHIND_HEAD if self._head is not None else self._mode.takes(alive)

    def partial(self, text: str, offset: int) -> None:
        if self._head is not None:
            self._decide_head("WS", *self._head)
        else:
            self._mode.partial(text, offset)

    def value(self, text: str, start: int, offset: int) -> int | None:
        try:
            found = decode_at(text, start)
        except FlawedValue as error:
            if may_be_deep(text, start, error.end):
                return None
            raise Misuse(offset, error.flaw) from None
        if found is None or (may_be_deep(text, start, found[1]) and is_deep(found[0])):
            return None
        assert self.argument is not None
        self.argument.value_at = offset
        self._end = offset + found[1] - start
        self._end_argument(found[0])
        return found[1]

    def end_of_text(self) -> None:
        """The text is over: what was open at its end, as it may be, is closed."""
        if self._head is not None:
            self._decide_head("EOL", *self._head)
        self._close_prose()

    def break_off(self) -> bool:
        """Pass over what cannot be read; True if that is inside a call, which then stays open."""
        if self._head is not None:
            self._decide_head("EOL", *self._head)
        self.unknown = self.argument = None
        self._is_unknown_over = False
        if self.call is None:
            self._mode = self._prose_mode
            return False
        self.call.broken = True
        self._mode = self._call_mode
        return True

    # --- Calls and their arguments.

    def _decide_head(self, following: str, text: str, offset: int) -> None:
        self._head = None
        if following == "STRAY_RETURN":
            self._prose.feed(text)
            return
        self._close_prose()
        self.call = OpenCall(text[1:], offset, offset + len(text))
        self.events.append(CallStart(self.call.name))
        self._mode = self._call_mode

    def _begin_argument(self, key: str, offset: int) -> None:
        assert self.call is not None
        name = key[:-1]
        if name.startswith('"'):
            try:
                name = decode(name)
            except FlawedValue as error:
                raise Misuse(offset, error.flaw) from None
        if name in self.call.arguments:
            flaw = Flaw(f"the argument {name} is given twice", "each argument once", name, duplicate=True)
            raise Misuse(offset, flaw)
        self.argument = Argument(name, offset, offset + len(key))
        self.events.append(ArgumentStart(name))
        self._mode = JsonMode(self.argument, self._argument_events())

    def _argument_events(self) -> list[Event]:
        """Where the deltas of the open argument go."""
        return self.events

    def _end_json(self) -> None:
        assert isinstance(self._mode, JsonMode)
        self._end_argument(self._mode.end())

    def _end_block(self) -> None:
        if isinstance(self._mode, BlockMode):
            self._closed = [self._mode.closed_at]
            self._end = self._mode.closed_at + len(self._mode.fence)
            self._end_argument(self._mode.text)

    def _end_argument(self, value: Any) -> None:
        assert self.call is not None
        assert self.argument is not None
        self.argument.value = value
        self.call.arguments[self.argument.name] = self.argument
        self.call.end = self._end
        self.events.append(ArgumentEnd(self.argument.name, value))
        self.argument = None
        self._mode = self._call_mode

    def _end_call(self) -> None:
        if self._head is not None:
            self._decide_head("EOL", *self._head)
        assert self.call is not None
        call = Call(self.call.name, self.call.values(), (self.call.start, self.call.end))
        self.calls.append(self.call.closed())
        self.segments.append(call)
        self.events.append(CallEnd(call))
        self.call = None
        self._mode = self._prose_mode

    def _end_unknown(self) -> None:
        self._is_unknown_over = True

    # --- Prose and reasoning.

    def _close_prose(self) -> None:
        if text := self._prose.close():
            self.segments.append(Text(text))

    def _end_reasoning(self) -> None:
        self._reasoning_mode = ReasoningMode(self._thoughts)
        if text := self._thoughts.close():
            self.segments.append(Reasoning(text))
        self._mode = self._prose_mode

    def _end_open_reasoning(self) -> None:
        self._reasoning_mode.release(0)
        self._end_reasoning()
        self._is_reasoning_open = True

    def _end_unclosed(self) -> None:
        self.open_fence = not self._is_reasoning_open

    def _watch_for_early_close(self, terminal: str) -> None:
        """Note a value block that prose follows directly: if a fence stays open later, it was closed too early."""
        if terminal == "EOL" and len(self._closed) == 1:
            self._closed.append(0)
            return
        if terminal in PROSE or terminal == "PATH":
            self.early_close = self._closed[0]
        self._closed = []

    # --- What others ask.

    @property
    def in_brackets(self) -> bool:
        """Whether the text stands inside the brackets of a value."""
        return isinstance(self._mode, JsonMode) and self._mode.depth > 0

    @property
    def open_block(self) -> tuple[str, int] | None:
        """The fence of the block that is the open argument's value, and where it stands."""
        if self.argument is None or not isinstance(self._mode, BlockMode):
            return None
        return self._mode.fence, self.argument.value_at

    @property
    def partial_call(self) -> PartialCall | None:
        """The call that is open."""
        if self.call is None:
            return None
        key = self.argument.name if self.argument is not None else None
        text = self._mode.text if isinstance(self._mode, JsonMode | BlockMode) else None
        return PartialCall(self.call.name, self.call.values(), key, text)

    @property
    def open_segments(self) -> tuple[Segment, ...]:
        """The prose or reasoning that is open."""
        if self._mode is self._reasoning_mode:
            return (Reasoning(self._thoughts.text),) if self._thoughts.text else ()
        return (Text(self._prose.text),) if self._prose.text else ()


@cache
def kept_of_reasoning(rule: str) -> int | None:
    """How many characters of the closing delimiter end a reasoning of this rule; None for a rule of anything else."""
    before, _, size = rule.rpartition("_seen_")
    return int(size) if before + size != rule else None
