"""From the steps of the parser to events and calls: what each terminal means, depending on where it stands."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any

from slashgrammar.calls.events import (
    ArgumentDelta,
    ArgumentEnd,
    ArgumentStart,
    CallEnd,
    CallStart,
    Event,
    ReasoningDelta,
    TextDelta,
)
from slashgrammar.calls.flow import LineHolder, Trimmer
from slashgrammar.calls.message import Call, PartialCall, Reasoning, Segment, Text
from slashgrammar.calls.values import MAX_DEPTH, Flaw, FlawedValue, StringDecoder, decode, decode_at

FENCES = frozenset(f"TICKS{length}" for length in range(3, 9))
_PROSE = FENCES | {"TEXT", "AFTER_CALL", "LIKE_REASONING", "LINE", "ROOT", "INFO", "TICKED", "LINES"}
_BEHIND_HEAD = frozenset({"WS", "EOL"})
_CONTENT = frozenset({"LINES", "INFO", "TICKED"})
_OPENING = frozenset({"_BEGIN_ARRAY", "_BEGIN_OBJECT"})
_CLOSING = frozenset({"_END_ARRAY", "_END_OBJECT"})


class Misuse(Exception):
    """A token that the grammar takes and the format does not: a key given twice, a value with a flaw.

    Attributes:
        offset: where it stands.
        flaw: what is wrong with it.
    """

    def __init__(self, offset: int, flaw: Flaw) -> None:
        super().__init__(flaw.problem)
        self.offset = offset
        self.flaw = flaw


@dataclass(slots=True)
class Argument:
    """An argument of a call, and where its key and its value stand in the text."""

    name: str
    key_at: int
    value_at: int
    value: Any = None


@dataclass(slots=True)
class OpenCall:
    """A call as far as it was read.

    Attributes:
        broken: whether something in it could not be read and was passed over.
    """

    name: str
    start: int
    end: int
    arguments: dict[str, Argument] = field(default_factory=dict)
    broken: bool = False

    def values(self) -> dict[str, Any]:
        return {name: argument.value for name, argument in self.arguments.items()}


class _Passages:
    """Prose or reasoning on its way into segments and into deltas, where a line break stands between two segments."""

    def __init__(self, events: list[Event], delta: type[TextDelta] | type[ReasoningDelta]) -> None:
        self._events = events
        self._delta = delta
        self._trimmer = Trimmer()
        self._pieces: list[str] = []
        self._is_first = True

    def feed(self, text: str) -> None:
        if passed := self._trimmer.feed(text):
            between = "" if self._pieces or self._is_first else "\n"
            self._events.append(self._delta(between + passed))
            self._pieces.append(passed)
            self._is_first = False

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def close(self) -> str:
        """The whole text of a segment; the next one begins."""
        text = self.text
        self._trimmer = Trimmer()
        self._pieces = []
        return text


class Reader:
    """Listens to a driver: `events` fills up with what is certain, `calls` with the calls that are whole.

    Args:
        known: the names of the tools, or None where any name may be called.
    """

    def __init__(self, known: Container[str] | None) -> None:
        self._known = known
        self.events: list[Event] = []
        self.segments: list[Segment] = []
        self.calls: list[OpenCall] = []
        self.call: OpenCall | None = None
        self.argument: Argument | None = None
        self.unknown: tuple[str, int] | None = None
        self._is_unknown_over = False
        self.early_close: int | None = None
        self.open_fence = False
        self._mode: Callable[[str, str, int, int], None] = self._in_prose
        self._head: tuple[str, int] | None = None
        self._prose = _Passages(self.events, TextDelta)
        self._thoughts = _Passages(self.events, ReasoningDelta)
        self._held = ""
        self._source: list[str] = []
        self._value: tuple[Any] | None = None
        self._depth = 0
        self._decoder: StringDecoder | None = None
        self._string: list[str] = []
        self._fence = ""
        self._fence_at = 0
        self._fence_open = False
        self._holder = LineHolder()
        self._closed: list[int] = []

    # --- What the driver tells.

    def retype(self, terminal: str, text: str) -> str:
        if self._known is None or terminal not in ("HEAD", "PATH"):
            return terminal
        if text[1:] in self._known:
            return "HEAD"
        return "UNKNOWN" if terminal == "HEAD" else "PATH"

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if self._head is not None:
            self._decide_head(terminal, *self._head)
        if self._is_unknown_over:
            self.unknown, self._is_unknown_over = None, False
        self._watch_for_early_close(terminal)
        self._mode(terminal, text, offset, shown)

    def reduce(self, rule: str) -> None:
        if rule == "argument":
            self._end_json()
        elif rule == "block":
            if self._mode == self._in_block:
                self._end_block()
        elif rule == "call":
            self._end_call()
        elif "_seen_" in rule:
            self._think(keep=int(rule.rpartition("_")[2]))
        elif rule in ("reasoning", "open_reasoning"):
            self._end_reasoning(rule)
        elif rule == "unknown":
            self._is_unknown_over = True
        elif rule == "unclosed":
            self.open_fence = self._mode == self._in_prose

    def takes(self, alive: frozenset[str]) -> bool:
        if self._head is not None:
            return alive <= _BEHIND_HEAD
        if self._mode == self._in_prose:
            return alive <= _PROSE
        if self._mode == self._in_value:
            return alive == {"STRING"} and not self._depth
        if self._mode == self._in_block:
            return self._fence_open and alive <= _CONTENT
        return self._mode == self._in_reasoning and alive == {"THOUGHT"}

    def partial(self, text: str, offset: int) -> None:
        if self._head is not None:
            self._decide_head("WS", *self._head)
        elif self._mode == self._in_prose:
            self._prose.feed(text)
        elif self._mode == self._in_reasoning:
            self._thoughts.feed(text)
        elif self._mode == self._in_block:
            self._add_content(text)
        else:
            self._add_string(text, offset, closed=False)

    def value(self, text: str, start: int, offset: int) -> int | None:
        found = decode_at(text, start)
        if found is None or _is_deep(text, start, found[1]):
            return None
        self._begin_value(offset)
        self._value = (found[0],)
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
        self._held = ""
        if self.call is None:
            self._mode = self._in_prose
            return False
        self.call.broken = True
        self._mode = self._in_call
        return True

    # --- Where the text stands: what a terminal means there.

    def _in_prose(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if terminal == "HEAD":
            self._head = (text, offset)
        elif terminal == "REASONING":
            self._close_prose()
            self._mode = self._in_reasoning
        else:
            if terminal == "UNKNOWN":
                self.unknown = (text[1:], offset)
            self._prose.feed(text[shown:])

    def _in_reasoning(self, terminal: str, text: str, offset: int, shown: int) -> None:
        self._held += text[shown:]

    def _in_call(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if terminal == "KEY":
            self._begin_argument(text, offset)

    def _in_value(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if terminal == "EOL":
            return
        if terminal in FENCES:
            self._begin_block(text, offset)
            return
        if terminal == "STRING" and not self._depth:
            self._add_string(text[shown:], offset, closed=True)
            return
        if not self._source:
            self._begin_value(offset)
        self._depth += (terminal in _OPENING) - (terminal in _CLOSING)
        if self._depth > MAX_DEPTH:
            raise Misuse(offset, Flaw("brackets nested too deeply", f"at most {MAX_DEPTH} levels"))
        self._source.append(text)

    def _in_block(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if not self._fence_open:
            self._fence_open = True
        elif text == self._fence:
            self._flush_fence()
            self._held = text
            self._fence_at = offset
        else:
            self._add_content(text[shown:])

    # --- Calls and their arguments.

    def _decide_head(self, following: str, text: str, offset: int) -> None:
        self._head = None
        if following == "STRAY_RETURN":
            self._prose.feed(text)
            return
        self._close_prose()
        self.call = OpenCall(text[1:], offset, offset + len(text))
        self.events.append(CallStart(self.call.name))
        self._mode = self._in_call

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
        self._mode = self._in_value
        self._source, self._string = [], []
        self._value = self._decoder = None
        self._depth = 0

    def _begin_value(self, offset: int) -> None:
        assert self.argument is not None
        self.argument.value_at = offset

    def _add_string(self, source: str, offset: int, *, closed: bool) -> None:
        assert self.argument is not None
        start = 0
        if self._decoder is None:
            self._begin_value(offset)
            self._decoder = StringDecoder()
            start = len('"')
        self._source.append(source)
        self._add_decoded(self._decoder.feed(source[start : len(source) - closed], last=closed))
        if self._decoder.flaw is not None:
            raise Misuse(self.argument.value_at + len('"') + self._decoder.flaw_at, self._decoder.flaw)

    def _add_decoded(self, text: str) -> None:
        if text:
            self._string.append(text)
            self.events.append(ArgumentDelta(text))

    def _end_json(self) -> None:
        assert self.argument is not None
        if self._value is not None:
            self._end_argument(self._value[0])
            return
        try:
            value = decode("".join(self._source))
        except FlawedValue as error:
            raise Misuse(self.argument.value_at, error.flaw) from None
        self._end_argument(value)

    def _begin_block(self, fence: str, offset: int) -> None:
        self._begin_value(offset)
        self._fence, self._fence_open = fence, False
        self._held = ""
        self._holder = LineHolder()
        self._mode = self._in_block

    def _add_content(self, text: str) -> None:
        self._flush_fence()
        self._add_decoded(self._holder.feed(text))

    def _flush_fence(self) -> None:
        """The fence that was held back closes nothing: it is content."""
        if self._held:
            held, self._held = self._held, ""
            self._add_decoded(self._holder.feed(held))

    def _end_block(self) -> None:
        self._held = ""
        self._closed = [self._fence_at]
        self._end_argument("".join(self._string))

    def _end_argument(self, value: Any) -> None:
        assert self.call is not None
        assert self.argument is not None
        self.argument.value = value
        self.call.arguments[self.argument.name] = self.argument
        self.events.append(ArgumentEnd(self.argument.name, value))
        self.argument = None
        self._mode = self._in_call

    def _end_call(self) -> None:
        if self._head is not None:
            self._decide_head("EOL", *self._head)
        assert self.call is not None
        call = Call(self.call.name, self.call.values(), (self.call.start, self.call.end))
        self.calls.append(self.call)
        self.segments.append(call)
        self.events.append(CallEnd(call))
        self.call = None
        self._mode = self._in_prose

    # --- Prose and reasoning.

    def _close_prose(self) -> None:
        if text := self._prose.close():
            self.segments.append(Text(text))

    def _think(self, keep: int) -> None:
        """Pass on what can be no part of the closing delimiter any more."""
        cut = len(self._held) - keep
        if cut > 0:
            self._thoughts.feed(self._held[:cut])
            self._held = self._held[cut:]

    def _end_reasoning(self, rule: str) -> None:
        if rule == "open_reasoning":
            self._think(keep=0)
        self._held = ""
        if text := self._thoughts.close():
            self.segments.append(Reasoning(text))
        self._mode = self._in_prose

    def _watch_for_early_close(self, terminal: str) -> None:
        """Note a value block that prose follows directly: if a fence stays open later, it was closed too early."""
        if not self._closed:
            return
        if terminal == "EOL" and len(self._closed) == 1:
            self._closed.append(0)
            return
        if terminal in _PROSE or terminal == "PATH":
            self.early_close = self._closed[0]
        self._closed = []

    @property
    def in_brackets(self) -> bool:
        """Whether the text stands inside the brackets of a value."""
        return self._mode == self._in_value and self._depth > 0

    @property
    def open_block(self) -> tuple[str, int] | None:
        """The fence of the block that is the open argument's value, and where it stands."""
        if self._mode != self._in_block or self.argument is None:
            return None
        return self._fence, self.argument.value_at

    @property
    def partial_call(self) -> PartialCall | None:
        """The call that is open."""
        if self.call is None:
            return None
        key = self.argument.name if self.argument is not None else None
        is_string = self.argument is not None and (self._decoder is not None or self._mode == self._in_block)
        return PartialCall(self.call.name, self.call.values(), key, "".join(self._string) if is_string else None)

    @property
    def open_segments(self) -> tuple[Segment, ...]:
        """The prose or reasoning that is open."""
        if self._mode == self._in_reasoning:
            return (Reasoning(self._thoughts.text),) if self._thoughts.text else ()
        return (Text(self._prose.text),) if self._prose.text else ()


def _is_deep(text: str, start: int, end: int) -> bool:
    """Whether brackets may be nested too deeply: then every one of them is counted."""
    return text.count("[", start, end) + text.count("{", start, end) > MAX_DEPTH
