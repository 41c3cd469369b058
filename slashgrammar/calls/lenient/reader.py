"""The reader of repaired texts: it takes slips in names, and values of convertible types, for what was meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from slashgrammar.calls.events import ArgumentDelta, Event
from slashgrammar.calls.lenient.names import Names
from slashgrammar.calls.lenient.types import converted, takes_text
from slashgrammar.calls.modes import FENCES
from slashgrammar.calls.reader import Reader
from slashgrammar.grammar.keys import write_key

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet


class LenientReader(Reader):
    """A reader that repairs what the grammar says nothing of.

    Args:
        tools: the tools that may be called, or None.
        events: where events are appended to.
        note: takes kind, offset, and the text before and after of each repair.
        origin: where in the original text an offset comes from.

    Attributes:
        prose_heads: offsets of heads that are to be read as prose.
        content_fences: offsets of fences that are to be read as content of a block.
    """

    renamed = Reader.renamed | FENCES

    def __init__(
        self,
        tools: ToolSet | None,
        events: list[Event],
        note: Callable[[str, int, str, str], None],
        origin: Callable[[int], int],
    ) -> None:
        super().__init__(tools, events)
        self.names = Names(tools)
        self.prose_heads: set[int] = set()
        self.content_fences: set[int] = set()
        self._tools = tools
        self._note = note
        self._origin = origin
        self._takes_text: dict[tuple[str, str], bool] = {}

    def retype(self, terminal: str, text: str, offset: int) -> str:
        if terminal in FENCES:
            return "LINES" if offset in self.content_fences else terminal
        return "PATH" if offset in self.prose_heads else super().retype(terminal, text, offset)

    def _decide_head(self, following: str, text: str, offset: int) -> None:
        super()._decide_head(following, text, offset)
        if self.call is not None:
            self.call.start, self.call.end = self._origin(self.call.start), self._origin(self.call.end)

    def _begin_argument(self, key: str, offset: int) -> None:
        assert self.call is not None
        name = json.loads(key[:-1]) if key.startswith('"') else key[:-1]
        meant = self.names.argument(self.call.name, name)
        if meant != name and meant not in self.call.arguments:
            written = write_key(meant)
            self._note("name", offset, key[:-1], written)
            key = f"{written}="
        super()._begin_argument(key, offset)

    def _argument_events(self) -> list[Event]:
        return self.events if self._takes_any_text() else []

    def _takes_any_text(self) -> bool:
        """Whether a text for the open argument stays what it is, so that its parts may be told at once."""
        assert self.call is not None
        assert self.argument is not None
        if self._tools is None:
            return True
        key = (self.call.name, self.argument.name)
        if key not in self._takes_text:
            self._takes_text[key] = takes_text(self._tools, *key)
        return self._takes_text[key]

    def _end_argument(self, value: Any) -> None:
        assert self.call is not None
        assert self.argument is not None
        is_told = isinstance(value, str) and self._takes_any_text()
        if self._tools is not None:
            meant = converted(self._tools, self.call.name, self.argument.name, value)
            if meant is not value:
                before, after = (json.dumps(one, ensure_ascii=False) for one in (value, meant))
                self._note("type", self.argument.value_at, before, after)
                value = meant
        if isinstance(value, str) and value and not is_told:
            self.events.append(ArgumentDelta(value))
        super()._end_argument(value)
        self.call.end = self._origin(self._end)
