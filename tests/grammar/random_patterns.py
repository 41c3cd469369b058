"""Random regular expressions of Python, and texts that come close to matching them."""

from __future__ import annotations

import random
import re

_ATOMS = [
    "a",
    "b",
    "c",
    ".",
    "ab",
    r"\d",
    r"\w",
    r"\s",
    r"\S",
    "[ab]",
    "[^a]",
    r"[^\W\d]",
    "[a-c-]",
    "é",
    "K",
    r"\n",
    r"\.",
]
_CONDITIONS = ["^", "$", r"\b", r"\B", r"\A", r"\Z"]
_TEXT = "aabbccdK1_ -.\nékßs"
_FLAGS = [0, 0, 0, re.IGNORECASE, re.MULTILINE, re.DOTALL, re.ASCII, re.IGNORECASE | re.ASCII, re.MULTILINE | re.DOTALL]


class PatternSource:
    """Draws patterns, flags and texts from one seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def draw(self) -> tuple[str, re.RegexFlag]:
        """A pattern that Python compiles, and flags."""
        while True:
            pattern, flags = self._pattern(3), re.RegexFlag(self._random.choice(_FLAGS))
            try:
                re.compile(pattern, flags)
            except re.error:  # a look-behind that has no fixed width
                continue
            return pattern, flags

    def texts(self, pattern: str, flags: re.RegexFlag, count: int) -> list[str]:
        """Short texts: what the pattern finds in random ones, changes of that, and random ones."""
        compiled = re.compile(pattern, flags)
        found: list[str] = []
        while len(found) < count:
            text = self._text(12)
            found += {part for match in compiled.finditer(text) for part in (match[0], self._mutate(match[0]))}
            found.append(self._text(4))
        return found[:count]

    def _pattern(self, depth: int) -> str:
        one = self._random.random
        if depth == 0:
            return self._random.choice(_CONDITIONS) if one() < 0.12 else self._random.choice(_ATOMS)
        kind = one()
        if kind < 0.35:
            return "".join(self._pattern(depth - 1) for _ in range(self._random.randint(1, 3)))
        if kind < 0.5:
            return "(?:" + "|".join(self._pattern(depth - 1) for _ in range(self._random.randint(2, 3))) + ")"
        if kind < 0.75:
            bounds = self._random.choice(["*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}"])
            lazy = self._random.choice(["", "", "?"])
            return f"(?:{self._pattern(depth - 1)}){bounds}{lazy}"
        if kind < 0.87:
            return f"({self._random.choice(['?=', '?!', '?<=', '?<!'])}{self._pattern(depth - 1)})"
        return self._pattern(depth - 1)

    def _text(self, length: int) -> str:
        return "".join(self._random.choices(_TEXT, k=self._random.randint(0, length)))

    def _mutate(self, text: str) -> str:
        place = self._random.randint(0, len(text))
        return text[:place] + self._text(1) + text[place + self._random.randint(0, 1) :]
