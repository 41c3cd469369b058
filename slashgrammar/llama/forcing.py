"""Text that the grammar leaves no choice about, as the tokens a model would have written it in."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slashgrammar.llama.binding import Ids, Vocabulary

if TYPE_CHECKING:
    from slashgrammar.grammar.ir import CharClass
    from slashgrammar.grammar.matcher import Matcher

_REMEMBERED = 4096
_FEW = 64  # next characters up to here are tried one by one


@dataclass(frozen=True, slots=True)
class Draft:
    """Forced text in the tokens that a tokenizer gives it.

    Attributes:
        tokens: the text, as far as no token could reach over its end.
        spellings: for each token those that the grammar allows in its place: itself, and others that the text begins
            with there. Empty where the tokens are to be taken as they are.
    """

    tokens: list[int]
    spellings: Sequence[Ids] = ()


NOTHING = Draft([])


class Forcing:
    """Follows a text through its grammar and says what must come.

    The forced text is tokenised behind the text before it. Its end stays open as far as a token of the vocabulary could
    reach over it into what follows: there the model chooses, as it would have without forcing.

    Args:
        matcher: at the beginning of the text; it is moved along.
        force: whether to say what must come at all, or only follow.
        control_tokens: names of control tokens that are meant where they stand in the text.

    Attributes:
        matcher: where the text stands.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        matcher: Matcher,
        *,
        force: bool = True,
        control_tokens: frozenset[str] = frozenset(),
    ) -> None:
        self._vocabulary = vocabulary
        self._named = vocabulary.ids_of(control_tokens)
        self.matcher = matcher
        self._force = force
        self._known: OrderedDict[tuple[str, str, object], Draft] = OrderedDict()

    def follow(self, text: str) -> None:
        """Takes text that has been written."""
        self.matcher.feed(text)

    @property
    def ended(self) -> bool:
        """Whether nothing may follow but the end."""
        return self.matcher.is_member and not self.matcher.next_chars()

    def draft(self, before: str, due: str | None = None) -> Draft:
        """The tokens that must come next; none where the model has a choice.

        Args:
            before: the text directly before, of a token at least.
            due: a text that has to come, whatever else could.
        """
        if due is not None:
            return Draft(self._vocabulary.continuation(before, due, self._named))
        text = self.matcher.forced() if self._force else ""
        if not text:
            return NOTHING
        ahead = self.matcher.copy()
        ahead.feed(text)
        following = ahead.next_chars()
        key = (before, text, following)
        draft = self._known.get(key)
        if draft is None:
            draft = self._known[key] = self._drafted(before, text, following)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return draft

    def _drafted(self, before: str, text: str, following: CharClass) -> Draft:
        tokens = self._vocabulary.continuation(before, text, self._named)
        if not following:  # with nothing behind it, its spelling changes nothing
            return Draft(tokens)
        rest = b"".join(self._vocabulary.pieces[token] for token in tokens)
        tokens = tokens[: self._closed(tokens, following)]
        spellings = []
        for token in tokens:
            spellings.append(self._vocabulary.beginning(rest, self._named))
            rest = rest[len(self._vocabulary.pieces[token]) :]
        return Draft(tokens, spellings)

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
