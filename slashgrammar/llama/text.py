"""Text as it comes: whole characters only, and never beyond a stop string."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class PieceDecoder:
    """The text of a growing row of token pieces."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, piece: bytes) -> str:
        """The characters that have become whole with these bytes."""
        return self._decoder.decode(piece)

    @property
    def is_whole(self) -> bool:
        """Whether no character has been begun that is not whole yet."""
        return not self._decoder.getstate()[0]


class StopFilter:
    """Lets a text through up to the stop string that is whole first, and holds back what may be the beginning of one.

    Attributes:
        stopped: whether a stop string has been reached; the text ends before it.
    """

    def __init__(self, stop: Sequence[str]) -> None:
        if isinstance(stop, str) or not all(stop):
            raise ValueError(f"stop is a list of texts that are not empty, not {stop!r}")
        self._stop = tuple(stop)
        self._longest = max(map(len, stop), default=0)
        self._held = ""
        self.stopped = False

    def feed(self, text: str) -> str:
        """The text that is certain to come before a stop string."""
        text = self._held + text
        found = [(place + len(stop), place) for stop in self._stop if (place := text.find(stop)) >= 0]
        if found:
            self.stopped = True
            self._held = ""
            return text[: min(found)[1]]
        keep = self._possible_start(text)
        self._held = text[keep:]
        return text[:keep]

    def finish(self) -> str:
        """What was held back, now that nothing follows."""
        text, self._held = self._held, ""
        return text

    def _possible_start(self, text: str) -> int:
        """Where the longest end of the text begins that a stop string begins with."""
        for start in range(max(0, len(text) - self._longest + 1), len(text)):
            if any(stop.startswith(text[start:]) for stop in self._stop):
                return start
        return len(text)
