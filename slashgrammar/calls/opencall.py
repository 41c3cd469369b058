"""Calls while they are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from slashgrammar.calls.values import Flaw


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

    def closed(self) -> ClosedCall:
        return ClosedCall(self.name, self.start, self.end, tuple(self.arguments.values()), self.broken)


@dataclass(frozen=True, slots=True)
class ClosedCall:
    """A call that is whole, in little room: a text may hold a million of them."""

    name: str
    start: int
    end: int
    arguments: tuple[Argument, ...]
    broken: bool

    def opened(self) -> OpenCall:
        arguments = {argument.name: argument for argument in self.arguments}
        return OpenCall(self.name, self.start, self.end, arguments, self.broken)
