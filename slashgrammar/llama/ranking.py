"""Tokens best first, without sorting the vocabulary."""

from __future__ import annotations

import numpy as np

from slashgrammar.llama.binding import Ids, Logits, Mask

_ROWS = 64


class Ranking:
    """The tokens of one step in the order of their logits, equal ones by id, handed out in portions.

    A bound for the n-th largest logit is found over the maxima of 64-token groups, so that a first portion costs one
    pass over the logits. Tokens of logit minus infinity are never handed out.
    """

    def __init__(self, logits: Logits) -> None:
        self._logits = logits
        self._groups: Logits | None = None
        self.taken = 0
        self.floor = np.float32(np.inf)  # all tokens above or at it have been handed out

    def take(self, count: int) -> Ids:
        """The next tokens: at least `count`, or all that are left."""
        bound = self._bound(self.taken + count)
        portion = self._logits >= bound
        if self.taken:
            portion &= self._logits < self.floor
        ids = np.flatnonzero(portion).astype(np.int32)
        self.floor = bound
        self.taken += len(ids)
        return ids[np.argsort(-self._logits[ids], kind="stable")]

    @property
    def exhausted(self) -> bool:
        """Whether every token has been handed out."""
        return bool(self.floor == _LOWEST)

    def rest(self, reference: float) -> float:
        """The mass, in units of exp(reference), of the tokens not yet handed out."""
        below = self._logits[self._logits < self.floor]
        return float(np.exp(below.astype(np.float64) - reference).sum())

    def exclude(self, tokens: Mask) -> None:
        """Takes tokens out that have not been handed out."""
        self._logits[tokens & (self._logits < self.floor)] = -np.inf
        self._groups = None

    def _bound(self, total: int) -> np.float32:
        """A logit that at least `total` tokens reach, or the lowest there is."""
        if self._groups is None:
            whole = len(self._logits) // _ROWS * _ROWS
            self._groups = self._logits[:whole].reshape(_ROWS, -1).max(axis=0)
        values = self._groups if total * 2 < len(self._groups) else self._logits
        if total >= len(values):
            return _LOWEST
        bound: np.float32 = np.partition(values, len(values) - total)[len(values) - total]
        return bound if bound > _LOWEST else _LOWEST


_LOWEST = np.finfo(np.float32).min
