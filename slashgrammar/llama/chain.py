"""The truncations of llama.cpp's sampler chain, over tokens that a grammar has let pass.

Every rule but typical sampling keeps the best tokens down to some place. How many it keeps may hang on tokens that
nobody has looked at yet; each rule therefore answers with the fewest and the most it could keep, and once the two
agree no further token needs a look. Definitions as in llama.cpp's `llama_sampler_init_*` (llama-sampling.cpp).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MIROSTAT_TOKENS = 100  # as many as llama-cpp-python lets mirostat 1 estimate from


@dataclass(frozen=True, slots=True)
class Found:
    """The valid tokens found so far.

    Attributes:
        logits: their logits, best first.
        ceiling: a logit that no valid token still to be found exceeds; minus infinity when all are found.
        rest: at least the mass, in units of exp(best logit), of those still to be found.
    """

    logits: Floats
    ceiling: float
    rest: float

    @property
    def complete(self) -> bool:
        """Whether no further token is valid."""
        return self.ceiling == -math.inf


@dataclass(slots=True)
class Chain:
    """The parameters of a chain, named and ordered as in `llama_cpp.Llama.generate`."""

    temperature: float = 0.8
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    typical_p: float = 1.0
    mirostat_mode: int = 0
    mirostat_tau: float = 5.0
    mirostat_eta: float = 0.1

    def __post_init__(self) -> None:
        if self.mirostat_mode not in (0, 1, 2):
            raise ValueError(f"mirostat_mode is 0, 1 or 2, not {self.mirostat_mode}")
        if not all(map(math.isfinite, (self.temperature, self.top_p, self.min_p, self.typical_p))):
            raise ValueError("temperature, top_p, min_p and typical_p are finite numbers")
        if self.temperature < 0:  # llama-cpp-python's way to ask for the model's own distribution
            self.temperature, self.top_k, self.top_p, self.min_p, self.typical_p, self.mirostat_mode = 1, 0, 1, 0, 1, 0

    @property
    def greedy(self) -> bool:
        """Whether the best token is taken, whatever else is set."""
        return self.temperature == 0

    @property
    def truncates(self) -> bool:
        """Whether some rule cuts the tail off."""
        cuts = self.top_k > 0 or self.top_p < 1 or self.min_p > 0 or self.typical_p < 1
        return cuts or self.greedy or self.mirostat_mode > 0

    @property
    def weighs_rest(self) -> bool:
        """Whether the place of the cut hangs on the mass of the whole vocabulary."""
        if self.greedy or self.mirostat_mode:
            return self.mirostat_mode == 2 and not self.greedy
        return self.top_k <= 0 and (self.top_p < 1 or self.typical_p < 1)


def kept(chain: Chain, found: Found, mu: float, vocabulary_size: int) -> tuple[float, float]:
    """The fewest and the most tokens that the chain keeps; infinity where the most is unknown.

    Args:
        mu: mirostat's current bound on the surprise, in bits.
        vocabulary_size: of the model; mirostat 1 reckons with it.
    """
    count = len(found.logits)
    if not count:
        return 0, 0 if found.complete else math.inf
    if chain.greedy:
        return 1, 1
    if chain.mirostat_mode == 1:
        if count < MIROSTAT_TOKENS and not found.complete:
            return 0, math.inf
        size = _mirostat_size(found.logits, mu, vocabulary_size)
        return (min(size, count),) * 2 if count >= size or found.complete else (0, math.inf)
    limit = chain.top_k if chain.top_k > 0 and not chain.mirostat_mode else math.inf
    logits = found.logits[: int(min(count, limit))]
    complete = found.complete or len(logits) == limit
    if chain.typical_p < 1 and not chain.mirostat_mode:
        return (len(logits),) * 2 if complete else (0, math.inf)
    weights = np.exp(logits - logits[0])
    mass = weights.cumsum()
    rest = 0.0 if complete else min(found.rest, (limit - len(logits)) * math.exp(found.ceiling - logits[0]))
    if chain.mirostat_mode == 2:
        least = _at_least(logits, math.log(mass[-1] + rest) - mu * math.log(2) + logits[0])
        most = _at_least(logits, math.log(mass[-1]) - mu * math.log(2) + logits[0])
        if not complete and most == len(logits):
            return max(1, least), math.inf
        return max(1, least), max(1, most)
    low, high = _nucleus(chain.top_p, mass, rest, complete)
    bound = logits[0] + math.log(chain.min_p) if chain.min_p > 0 else -math.inf
    level = _at_least(logits, bound)
    low = min(low, level)
    if complete or found.ceiling < bound:
        high = min(high, max(level, 1))
    return max(low, 1), high


def weights(chain: Chain, logits: Floats, size: int) -> tuple[NDArray[np.intp], Floats]:
    """The places that stay, of the first `size` valid tokens that `kept` asked for, and their probabilities."""
    places = np.arange(size)
    if chain.typical_p < 1 and not chain.mirostat_mode and not chain.greedy:
        places = _typical(chain.typical_p, softmax(logits[:size]))
        inner = logits[places]
        stay = _nucleus(chain.top_p, np.cumsum(np.exp(inner - inner[0])), 0.0, True)[0]
        if chain.min_p > 0:
            stay = min(stay, max(1, _at_least(inner, inner[0] + math.log(chain.min_p))))
        places = places[: int(stay)]
    temperature = 1.0 if chain.mirostat_mode or chain.greedy else chain.temperature
    return places, softmax(logits[places] / temperature)


def softmax(logits: Floats) -> Floats:
    """The probabilities that belong to logits sorted best first."""
    raised: Floats = np.exp(logits - logits[0])
    raised /= raised.sum()
    return raised


def _at_least(logits: Floats, bound: float) -> int:
    """How many of the descending logits reach the bound."""
    return int((-logits).searchsorted(-bound, side="right"))


def _nucleus(top_p: float, mass: Floats, rest: float, complete: bool) -> tuple[float, float]:
    """The fewest and the most tokens that hold `top_p` of a mass between mass[-1] and mass[-1] + rest."""
    count = len(mass)
    if top_p >= 1:
        return count, count if complete else math.inf
    low = int(mass.searchsorted(top_p * mass[-1])) + 1
    high = int(mass.searchsorted(top_p * (mass[-1] + rest))) + 1
    return min(low, count), high if high <= count else count if complete else math.inf


def _typical(typical_p: float, probabilities: Floats) -> NDArray[np.intp]:
    """Locally typical sampling (Meister et al. 2022): the tokens whose surprise is closest to the entropy."""
    surprise = -np.log(probabilities, out=np.full_like(probabilities, -1e9), where=probabilities > 0)
    entropy = float((probabilities * surprise).sum())
    order = np.argsort(np.abs(surprise - entropy), kind="stable")
    size = int(np.searchsorted(np.cumsum(probabilities[order]), typical_p, side="right")) + 1
    return np.sort(order[:size])


def _mirostat_size(logits: Floats, mu: float, vocabulary_size: int) -> int:
    """How many tokens mirostat 1 (Basu et al. 2021) keeps for a surprise of `mu` bits under Zipf's law."""
    head = logits[:MIROSTAT_TOKENS]
    if len(head) < 2:
        return 1
    ranks = np.arange(1, len(head))
    steps = np.log((ranks + 1) / ranks)
    exponent = float(steps @ (head[:-1] - head[1:]) / (steps @ steps))
    excess = exponent - 1
    if exponent <= 0 or excess == 0:
        return len(logits)
    try:
        size = (excess * 2**mu / (1 - vocabulary_size**-excess)) ** (1 / exponent)
    except OverflowError:
        return vocabulary_size
    return max(1, int(min(size, vocabulary_size)))
