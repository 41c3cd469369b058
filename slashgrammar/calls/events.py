"""The events of a stream. Each is final: nothing that an event says is ever taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from slashgrammar.calls.message import Call


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More prose; together these texts are `Message.text`."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More reasoning; together these texts are `Message.reasoning`."""

    text: str


@dataclass(frozen=True, slots=True)
class CallStart:
    """A call of the named tool begins."""

    name: str


@dataclass(frozen=True, slots=True)
class ArgumentStart:
    """An argument of the open call begins."""

    name: str


@dataclass(frozen=True, slots=True)
class ArgumentDelta:
    """More text of the open argument, which is a string: its characters, not its source."""

    text: str


@dataclass(frozen=True, slots=True)
class ArgumentEnd:
    """The open argument is whole."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class CallEnd:
    """The open call is whole."""

    call: Call


Event: TypeAlias = TextDelta | ReasoningDelta | CallStart | ArgumentStart | ArgumentDelta | ArgumentEnd | CallEnd
