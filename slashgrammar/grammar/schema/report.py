"""What a grammar does not say of a schema, so that validation has to check it afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Widening:
    """One constraint that the grammar of a tool takes more widely than its schema does.

    Attributes:
        tool: the tool's name.
        path: JSON pointer of the schema that holds the keyword, below the tool's parameters; "" is their root.
        keyword: the keyword of JSON Schema that is not kept to the letter.
        reason: what the grammar allows besides, in a few words.
    """

    tool: str
    path: str
    keyword: str
    reason: str

    def __str__(self) -> str:
        return f"{self.tool}: {self.keyword} at {self.path or '/'}: {self.reason}"


class Report:
    """Collects the widenings of one tool, each once, in the order they are found."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._entries: dict[Widening, None] = {}

    def add(self, path: str, keyword: str, reason: str) -> None:
        """Enter a widening."""
        self._entries[Widening(self._tool, path, keyword, reason)] = None

    def __iter__(self) -> Iterator[Widening]:
        return iter(self._entries)
