"""What a text turns out to be: prose, reasoning and calls, in their order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(slots=True)
class Call:
    """A call of a tool.

    Attributes:
        name: the tool's name.
        arguments: its arguments, as plain JSON values.
        span: where it stands in the text, as a half-open range of indices; (0, 0) for a call made by hand.
    """

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    span: tuple[int, int] = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Text:
    """Prose, without blank lines around it and blanks behind it."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Reasoning, without its delimiters and the blank space at its borders."""

    text: str


Segment: TypeAlias = Text | Reasoning | Call


@dataclass(frozen=True, slots=True)
class PartialCall:
    """A call that a text breaks off in.

    Attributes:
        name: the tool's name.
        arguments: the arguments that are whole.
        key: the argument that is not, or None between arguments.
        text: as much of that argument's string as is certain; None where it is no string.
    """

    name: str
    arguments: dict[str, Any]
    key: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing that lenient parsing put right.

    Attributes:
        kind: what was done, as a stable word such as `trailing-comma`.
        line, column: where in the text, counted from 1.
        before, after: the text as it was and as it was read.
    """

    kind: str
    line: int
    column: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Message:
    """A parsed text.

    Attributes:
        segments: prose, reasoning and calls in the order of the text.
        repairs: what lenient parsing put right; empty for a text that was in order.
        partial: the call that is still open, in the message of a stream or of an `IncompleteCall`.
    """

    segments: tuple[Segment, ...] = ()
    repairs: tuple[Repair, ...] = ()
    partial: PartialCall | None = None

    @property
    def calls(self) -> list[Call]:
        """The calls in order."""
        return [segment for segment in self.segments if isinstance(segment, Call)]

    @property
    def text(self) -> str:
        """The prose, pieces between calls joined by a line break."""
        return "\n".join(segment.text for segment in self.segments if isinstance(segment, Text))

    @property
    def reasoning(self) -> str:
        """The reasoning, pieces joined by a line break."""
        return "\n".join(segment.text for segment in self.segments if isinstance(segment, Reasoning))
