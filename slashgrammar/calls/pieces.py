"""Texts that grow."""

from __future__ import annotations

_MOST_PIECES = 4_096


class Pieces:
    """A text made of pieces: no addition takes long, however many came before, and small ones take little room."""

    def __init__(self) -> None:
        self._joined: list[str] = []
        self._pieces: list[str] = []

    def add(self, text: str) -> None:
        self._pieces.append(text)
        if len(self._pieces) == _MOST_PIECES:
            self._joined.append("".join(self._pieces))
            self._pieces.clear()

    @property
    def text(self) -> str:
        return "".join([*self._joined, *self._pieces])
