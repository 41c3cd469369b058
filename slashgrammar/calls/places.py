"""Places in a text, as people count them."""

from __future__ import annotations

from slashgrammar.calls.values import SURROGATE
from slashgrammar.errors import TextError


class Places:
    """Lines and columns of a text, counted from 1; only a line feed ends a line.

    Asked in the order of the text, it counts each line once.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._offset = 0
        self._line = 1
        self._sources: dict[int, str] = {}

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column."""
        if offset < self._offset:
            self._offset, self._line = 0, 1
        self._line += self.text.count("\n", self._offset, offset)
        self._offset = offset
        return self._line, offset - self.line_start(offset) + 1

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def next_line(self, offset: int) -> int:
        """Where the line behind the one of `offset` begins; the length of the text where there is none."""
        return self.text.find("\n", offset) + 1 or len(self.text)

    def source(self, offset: int) -> str:
        """The text of the line, with a replacement character for each lone surrogate."""
        start = self.line_start(offset)
        if start not in self._sources:
            end = self.text.find("\n", start)
            line = self.text[start : end if end >= 0 else len(self.text)]
            self._sources[start] = SURROGATE.sub("\N{REPLACEMENT CHARACTER}", line)
        return self._sources[start]

    def error(self, kind: type[TextError], problem: str, offset: int, **fields: str | None) -> TextError:
        """An error of this kind at a place."""
        offset = min(offset, len(self.text))
        line, column = self.position(offset)
        words = {name: _printable(text) for name, text in fields.items()}
        place = {"offset": offset, "line": line, "column": column, "source": self.source(offset)}
        return kind(_printable(problem), **place, **words)  # type: ignore[arg-type]


def _printable(text: str | None) -> str | None:
    """The text with lone surrogates as escapes, which no stream could print."""
    return text and SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
