"""Tokens best first, without sorting the vocabulary."""

from __future__ import annotations

import math

import numpy as np

from slashgrammar.llama.binding import Ids, Logits, Mask

_ROWS = 64
_LOWEST = np.finfo(np.float32).min


def near_the_best(logits: Logits, gap: float, most: int) -> tuple[Ids, float] | None:
    """The tokens whose logit is at most `gap` below the best one, best first, and a logit that no other one exceeds.

    One pass over the logits finds the best of each 64 tokens; then a few of these groups are looked at. None where
    there are more than `most`, or the best logit is no finite number.
    """
    width = len(logits) // _ROWS
    grid, tail = logits[: width * _ROWS].reshape(_ROWS, width), logits[width * _ROWS :]
    highest = np.maximum.reduce(grid, axis=0, initial=-np.inf)
    peak = float(np.maximum.reduce(highest, initial=-np.inf))
    if len(tail):
        peak = float(np.maximum(peak, tail.max()))
    if not math.isfinite(peak):
        return None
    floor = np.float32(peak - gap)
    if float(floor) > peak - gap:  # a bound is rounded down
        floor = np.nextafter(floor, _LOWEST)
    columns = (highest >= floor).nonzero()[0]
    if len(columns) > most:
        return None
    if len(columns) == 1:  # mostly it is so, and every call of numpy counts here: its code has left the caches
        ids = (grid[:, columns[0]] >= floor).nonzero()[0] * width + columns[0]
    else:
        rows, places = (grid[:, columns] >= floor).nonzero()
        ids = rows * width + columns[places]
    if len(tail):
        ids = np.concatenate([ids, (tail >= floor).nonzero()[0] + width * _ROWS])
    if len(ids) > most:
        return None
    if len(ids) > 1:
        ids = ids[(-logits[ids]).argsort(kind="stable")]
    return ids.astype(np.int32), math.nextafter(float(floor), -math.inf)


class Ranking:
    """The tokens of one step in the order of their logits, equal ones by id, handed out in portions.

    A bound for the n-th largest logit is found over the maxima of 64-token groups, so that a first portion costs one
    pass over the logits. Tokens whose logit is minus infinity or no number are never handed out.
    """

    def __init__(self, logits: Logits) -> None:
        self._logits = logits
        self._ids: Ids | None = None  # the tokens that the logits belong to, once some have been left out
        self._groups: Logits | None = None
        self._ahead = 0  # how many of them have been handed out
        self.floor = np.float32(np.inf)  # no token that has not been handed out reaches it

    def take(self, count: int) -> Ids:
        """The next tokens: at least `count`, or all that are left."""
        bound = self._bound(self._ahead + count)
        portion = self._logits >= bound
        if self._ahead:
            portion &= self._logits < self.floor
        places = portion.nonzero()[0]
        places = places[np.argsort(-self._logits[places], kind="stable")]
        self.floor = bound
        self._ahead += len(places)
        return (places if self._ids is None else self._ids[places]).astype(np.int32)

    @property
    def ceiling(self) -> float:
        """The highest logit that a token not yet handed out may have; minus infinity when there is none."""
        return -math.inf if self.exhausted else float(np.nextafter(self.floor, _LOWEST))

    @property
    def exhausted(self) -> bool:
        """Whether every token has been handed out."""
        return bool(self.floor == _LOWEST)

    def rest(self, reference: float) -> float:
        """The mass, in units of exp(reference), of the tokens not yet handed out."""
        below = self._logits[self._logits < self.floor]
        return float(np.exp(below.astype(np.float64) - reference).sum())

    def keep(self, tokens: Mask) -> None:
        """Leaves out all other tokens, and those handed out already."""
        left = self._logits < self.floor
        left &= tokens if self._ids is None else tokens[self._ids]
        places = np.flatnonzero(left).astype(np.int32)
        self._ids = places if self._ids is None else self._ids[places]
        self._logits = self._logits[places]
        self._groups, self._ahead = None, 0

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
