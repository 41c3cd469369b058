"""Text that the grammar leaves no choice about, as the tokens a model would have written it in."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from typing import TYPE_CHECKING

from slashgrammar.llama.binding import Vocabulary

if TYPE_CHECKING:
    from slashgrammar.grammar.ir import CharClass
    from slashgrammar.grammar.matcher import Matcher

_REMEMBERED = 4096
_FEW = 64  # next characters up to here are tried one by one


class Forcing:
    """Follows a text through its grammar and says what must come.

    The forced text is tokenised behind the text before it. Its end stays open as far as a token of the vocabulary could
    reach over it into what follows: there the model chooses, as it would have without forcing.
    """

    def __init__(self, vocabulary: Vocabulary, matcher: Matcher) -> None:
        self._vocabulary = vocabulary
        self._matcher = matcher
        self._known: OrderedDict[tuple[str, str, object], list[int]] = OrderedDict()

    def follow(self, text: str) -> None:
        """Takes text that has been written."""
        self._matcher.feed(text)

    @property
    def ended(self) -> bool:
        """Whether nothing may follow but the end."""
        return self._matcher.is_member and not self._matcher.next_chars()

    def tokens(self, before: str) -> list[int]:
        """The tokens that must come next; none where the model has a choice.

        Args:
            before: the text directly before, of a token at least.
        """
        text = self._matcher.forced()
        if not text:
            return []
        ahead = self._matcher.copy()
        ahead.feed(text)
        following = ahead.next_chars()
        key = (before, text, following)
        tokens = self._known.get(key)
        if tokens is None:
            tokens = self._vocabulary.continuation(before, text)
            tokens = self._known[key] = tokens[: self._closed(tokens, following)]
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return tokens

    def _closed(self, tokens: list[int], following: CharClass) -> int:
        """How many of the tokens no longer token could replace, whatever follows."""
        pieces = [self._vocabulary.pieces[token] for token in tokens]
        text = b"".join(pieces)
        starts = range(max(0, len(text) - self._vocabulary.longest_piece), len(text))
        open_from = next((start for start in starts if self._grows(text[start:], following)), len(text))
        size = 0
        for count, piece in enumerate(pieces):
            size += len(piece)
            if size > open_from:
                return count
        return len(pieces)

    def _grows(self, end: bytes, following: CharClass) -> bool:
        """Whether a token begins with these bytes and goes on with what may follow."""
        if len(following) <= _FEW:
            return any(self._begins(end + char.encode("utf-8")) for char in following)
        pieces = self._vocabulary.sorted_pieces
        place = bisect_left(pieces, end + b"\0")
        return place < len(pieces) and pieces[place].startswith(end)

    def _begins(self, start: bytes) -> bool:
        pieces = self._vocabulary.sorted_pieces
        place = bisect_left(pieces, start)
        return place < len(pieces) and pieces[place].startswith(start)
