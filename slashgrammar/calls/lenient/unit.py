"""Lines that are repaired together, and where in the original text their characters come from."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, takewhile


class NeedMore(Exception):
    """The lines so far do not decide; to be tried again with more of them."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One rewriting of a unit's text, in places of the text as it was before it.

    Attributes:
        kind: as in `Repair`.
        start: where it begins.
        before, after: the text that was there, and that is there now.
    """

    kind: str
    start: int
    before: str
    after: str


class Unit:
    """A line, and those below it that a repair needs.

    Args:
        lines: all lines that are there, each with its line feed.
        ended: whether these are the last ones of the text.
        is_head: whether a line begins a call, so that nothing of the call before goes on behind it.
    """

    def __init__(self, lines: deque[str], *, ended: bool, is_head: Callable[[str], bool]) -> None:
        self._lines = lines
        self._ended = ended
        self.is_head = is_head
        self.text = lines[0]
        self.size = 1
        self.edits: list[Edit] = []

    def extend(self) -> bool:
        """Take as many lines more as there are, if so many come before the next call; False where there is none."""
        if self.size == len(self._lines) and not self._ended:
            raise NeedMore
        more = [*takewhile(lambda line: not self.is_head(line), islice(self._lines, self.size, 2 * self.size))]
        self.text += "".join(more)
        self.size += len(more)
        return bool(more)

    def trim(self, place: int) -> None:
        """Give lines back that were taken and not rewritten, behind the one of a place."""
        end = self.text.find("\n", place) + 1
        while end and len(self.text) - len(self._lines[self.size - 1]) >= end:
            self.size -= 1
            self.text = self.text[: len(self.text) - len(self._lines[self.size])]

    def ahead(self) -> Iterator[str]:
        """The lines below."""
        yield from islice(self._lines, self.size, None)
        if not self._ended:
            raise NeedMore

    def replace(self, kind: str, start: int, end: int, after: str) -> None:
        """Rewrite a part of the text."""
        self.edits.append(Edit(kind, start, self.text[start:end], after))
        self.text = self.text[:start] + after + self.text[end:]

    def origin(self, place: int, edits: int | None = None) -> int:
        """Where in the original lines a place comes from, after so many edits, or after all."""
        for edit in reversed(self.edits[:edits]):
            if place >= edit.start + len(edit.after):
                place += len(edit.before) - len(edit.after)
            elif place > edit.start:
                place = edit.start
        return place
