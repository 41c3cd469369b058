"""Ends reasoning and prose when their time is up: by what closes them, written in the model's place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from slashgrammar.llama.limits import Limits

if TYPE_CHECKING:
    from slashgrammar.grammar.matcher import Matcher

_FENCES = tuple("`" * size + "\n" for size in range(3, 9))
_ENDS = ("", "\n", *(f"\n{fence}" for fence in _FENCES), *(f"\n{fence}{fence}" for fence in _FENCES))
_NEVER_BEHIND_A_HEAD = "@"  # prose and blocks go on with it behind the beginning of a call, a call does not


class Closing:
    """Watches a text for the moment when reasoning has used up its budget, or a required call has to begin.

    Args:
        limits: the budgets.
        start, end: the number of tokens at which the text begins, and at which it ends at the latest.
    """

    def __init__(self, limits: Limits, start: int, end: int) -> None:
        self._opening, self._reasoning_end = limits.reasoning or ("", "")
        self._think_until = end if limits.reasoning_tokens is None else start + limits.reasoning_tokens
        self._heads = limits.must_call
        self._talk_until = start + (end - start) // 4
        self._thought = ""  # the text as long as it may be reasoning
        self._thinking = limits.reasoning is not None

    def follow(self, text: str) -> None:
        """Takes text that has been written."""
        if self._thinking:
            self._thought += text
            known = self._thought.startswith(self._opening) or self._opening.startswith(self._thought)
            self._thinking = known and self._reasoning_end not in self._thought

    def due(self, size: int, matcher: Matcher) -> str | None:
        """What has to be written now, with so many tokens written; None as long as the model is free.

        Args:
            matcher: where the text stands; it is not moved.
        """
        inside = self._thinking and len(self._thought) >= len(self._opening)
        if self._heads and size >= self._talk_until:
            way = _way_to_call(matcher, self._heads, f"\n{self._reasoning_end}\n" if inside else "")
            if way is not None:
                return way + _common_start(self._heads)
        if inside and size >= self._think_until:
            return f"\n{self._reasoning_end}"
        return None


def _common_start(texts: Iterable[str]) -> str:
    first, last = min(texts), max(texts)
    return first[: next((place for place, char in enumerate(first) if not last.startswith(char, place)), len(first))]


def _way_to_call(matcher: Matcher, heads: Iterable[str], start: str) -> str | None:
    """The shortest text that ends what is open, so that a call may follow; None where none may, or a call is open."""
    return next((start + end for end in _ENDS if _begins_call(matcher, start + end, heads)), None)


def _begins_call(matcher: Matcher, text: str, heads: Iterable[str]) -> bool:
    for head in heads:
        ahead = matcher.copy()
        if ahead.feed(text + head) and _NEVER_BEHIND_A_HEAD not in ahead.next_chars():
            return True
    return False
