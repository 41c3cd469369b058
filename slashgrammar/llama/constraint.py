"""Which tokens a grammar lets come next: llama.cpp's engine, and what it does not look at."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.gbnf.limits import check_gbnf
from slashgrammar.llama.binding import NO_BYTE, GrammarEngine, Ids, Mask, vocabulary
from slashgrammar.llama.utf8 import unfinished


class Compiled(Protocol):
    """Whatever has a GBNF text, such as a CompiledGrammar."""

    @property
    def gbnf(self) -> str:
        """The grammar, its start rule named `root`."""


class Constraint:
    """A text on its way through a grammar, token by token.

    Beyond the grammar, the bytes of the text must be UTF-8, no control token stands for text, and generation ends
    only behind a whole character.

    Attributes:
        vocabulary: of the model.
        unfit: tokens that stand for no text here: those of the vocabulary, but for control tokens that the grammar
            names as a part of its texts.
        checked: how many tokens the engine has been asked about.

    Raises:
        GrammarError: llama.cpp would not load the grammar, or could not bear it.
    """

    def __init__(self, llm: Any, grammar: Compiled | str) -> None:
        self.vocabulary = vocabulary(llm)
        named = self.vocabulary.ids_of(control_tokens_of(grammar))
        self.unfit = self.vocabulary.unfit.copy()
        self._first_bytes = self.vocabulary.first_bytes.copy()
        for name, token in named.items():
            self.unfit[token] = False
            self._first_bytes[token] = name.encode("utf-8")[0]
        self._odd = self.unfit | self.vocabulary.ragged  # tokens that need a second look even when the grammar has none
        self.checked = 0
        self._engine = GrammarEngine(llm, checked_gbnf(grammar))
        self._pending = b""  # bytes of a character that is not whole yet

    def reset(self) -> None:
        """Back to the start of the grammar."""
        self._engine.reset()
        self._pending = b""

    def allows(self, ids: Ids) -> Mask:
        """For each token whether it may come next."""
        self.checked += len(ids)
        allowed = self._engine.allowed(ids)
        doubtful = allowed if self._pending else self._odd[ids]
        if doubtful.any():
            for place in (allowed & doubtful).nonzero()[0]:
                allowed[place] = self._goes_on(ids[place])
        return allowed

    def allows_one(self, token: int) -> bool:
        """The same for one token, for less."""
        self.checked += 1
        return self._engine.allows(token) and self._goes_on(token)

    def _goes_on(self, token: int) -> bool:
        """Whether the token is one for texts, and the bytes of the text stay UTF-8 with it."""
        if not self._pending and not self._odd[token]:
            return True
        if self.unfit[token]:
            return False
        if self.vocabulary.ends[token]:
            return not self._pending
        return unfinished(self._pending + self.vocabulary.pieces[token]) is not None

    def possible(self) -> Mask:
        """Every token that begins with a byte that may come next, and every one that ends generation.

        What the grammar refuses of a token's first byte alone, it refuses of the token.
        """
        table = np.ones(NO_BYTE + 1, np.bool_)
        known = np.flatnonzero(self.vocabulary.byte_ids >= 0)
        table[known] = self.allows(self.vocabulary.byte_ids[known])
        return table[self._first_bytes]

    def mask(self) -> Mask:
        """For every token of the vocabulary whether it may come next."""
        mask = self.possible() & ~self.unfit
        ids = np.flatnonzero(mask).astype(np.int32)
        mask[ids] = self.allows(ids)
        return mask

    def accept(self, token: int) -> None:
        """Goes on behind a token.

        Raises:
            GrammarError: the token may not come next.
        """
        if not 0 <= token < self.vocabulary.size:
            raise GrammarError(f"token {token} is not in the vocabulary of {self.vocabulary.size} tokens")
        piece = self.vocabulary.pieces[token]
        if self.unfit[token]:
            raise GrammarError(f"token {token} ({piece!r}) stands for no text")
        if not self._goes_on(token):
            raise GrammarError(f"token {token} ({piece!r}) is not what the grammar allows here")
        self._engine.accept(token)
        if self._pending or self.vocabulary.ragged[token]:
            self._pending = b"" if self.vocabulary.ends[token] else unfinished(self._pending + piece) or b""


def control_tokens_of(grammar: object) -> frozenset[str]:
    """Names of control tokens that the texts of a grammar hold; none for GBNF text."""
    names: frozenset[str] = getattr(grammar, "control_tokens", frozenset())
    return names


def checked_gbnf(grammar: Compiled | str) -> str:
    """The text of a grammar that llama.cpp can load; raises GrammarError where it cannot."""
    gbnf = grammar if isinstance(grammar, str) else grammar.gbnf
    _check(gbnf)
    return gbnf


@lru_cache(maxsize=64)
def _check(gbnf: str) -> None:
    check_gbnf(gbnf)
