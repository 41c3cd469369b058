"""Tokens to text as they come: whole characters only, and never beyond a stop string."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class TextStream:
    """The text of a growing row of pieces.

    Attributes:
        stopped: whether a stop string has been reached; the text ends before it.
    """

    def __init__(self, stop: Sequence[str] = ()) -> None:
        if not all(stop):
            raise ValueError("a stop string is not empty")
        self._stop = tuple(stop)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self._longest = max(map(len, stop), default=0)
        self.stopped = False

    def feed(self, piece: bytes) -> str:
        """The text that has become certain with these bytes."""
        text = self._held + self._decoder.decode(piece)
        places = [place for place in map(text.find, self._stop) if place >= 0]
        if places:
            self.stopped = True
            self._held = ""
            return text[: min(places)]
        keep = self._possible_start(text)
        self._held = text[keep:]
        return text[:keep]

    def finish(self) -> str:
        """The text that was held back; bytes of an unfinished character are dropped."""
        text, self._held = self._held, ""
        return text

    def _possible_start(self, text: str) -> int:
        """Where the longest end of the text begins that a stop string may begin with."""
        for start in range(max(0, len(text) - self._longest + 1), len(text)):
            if any(stop.startswith(text[start:]) for stop in self._stop):
                return start
        return len(text)
