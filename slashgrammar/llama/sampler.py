"""Sampling under a grammar at next to no cost, with the distribution that masking the vocabulary first would give."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from slashgrammar.errors import GrammarError
from slashgrammar.llama.binding import Ids, Logits, last_logits
from slashgrammar.llama.chain import MIROSTAT_TOKENS, Chain, Floats, Found, kept, weights
from slashgrammar.llama.constraint import Compiled, Constraint
from slashgrammar.llama.ranking import Ranking, near_the_best

LogitsProcessor = Callable[[Ids, Logits], Logits]

_FIRST_PORTION = 16
_NARROW_AFTER = 63  # tokens looked at before the first bytes that may come next are asked for
_DRAWS = (1, 15, 64)
_CERTAIN = np.ones(1)
_CERTAIN.setflags(write=False)


class Sampling(TypedDict, total=False):
    """The parameters of `ConstrainedSampler` that few set."""

    typical_p: float
    repeat_penalty: float
    frequency_penalty: float
    presence_penalty: float
    mirostat_mode: int
    mirostat_tau: float
    mirostat_eta: float
    logit_bias: Mapping[int, float] | None
    logits_processor: Sequence[LogitsProcessor]


class ConstrainedSampler:
    """Draws tokens that a grammar allows, by the rules of a llama.cpp sampler chain.

    Tokens are tried best first until the chain has what it needs, so that mostly a handful of tokens meets the
    grammar instead of the whole vocabulary; the distribution is that of masking first. Control tokens are never
    drawn as text, and end-of-generation tokens exactly where the grammar may end.

    The parameters are those of `llama_cpp.Llama.generate`, with its meaning and its order of the chain: processors,
    bias, penalties over the last `llm.last_n_tokens_size` accepted tokens, grammar, then top-k, typical, top-p, min-p
    and temperature, or mirostat.

    Args:
        llm: a `llama_cpp.Llama`.
        grammar: a CompiledGrammar, or GBNF text with the start rule `root`.
        temperature: 0 takes the best token; below 0 draws from the model's own distribution.
        seed: of the draws, from 0; None, or -1 as in llama.cpp, for a different one each time.

    Raises:
        GrammarError: llama.cpp would not load the grammar, or could not bear it.
    """

    def __init__(
        self,
        llm: Any,
        grammar: Compiled | str,
        *,
        temperature: float = 0.8,
        top_k: int = 40,
        top_p: float = 0.95,
        min_p: float = 0.05,
        typical_p: float = 1.0,
        repeat_penalty: float = 1.0,
        frequency_penalty: float = 0.0,
        presence_penalty: float = 0.0,
        mirostat_mode: int = 0,
        mirostat_tau: float = 5.0,
        mirostat_eta: float = 0.1,
        logit_bias: Mapping[int, float] | None = None,
        logits_processor: Sequence[LogitsProcessor] = (),
        seed: int | None = None,
    ) -> None:
        self._llm = llm
        self._constraint = Constraint(llm, grammar)
        self._chain = Chain(temperature, top_k, top_p, min_p, typical_p, mirostat_mode, mirostat_tau, mirostat_eta)
        self._penalties = (repeat_penalty, frequency_penalty, presence_penalty)
        self._penalise = self._penalties != (1.0, 0.0, 0.0)
        if repeat_penalty <= 0:
            raise ValueError(f"repeat_penalty is above 0, not {repeat_penalty}")
        self._bias = dict(logit_bias or {})
        if unknown := [token for token in self._bias if not 0 <= token < self._constraint.vocabulary.size]:
            raise ValueError(f"logit_bias has tokens that the vocabulary has not: {unknown}")
        self._processors = tuple(logits_processor)
        self._unfit = np.flatnonzero(self._constraint.unfit)
        if seed is not None and seed < -1:
            raise ValueError(f"seed is {seed}; expected a whole number from 0, or -1 for a different one each time")
        self._seed = None if seed == -1 else seed
        self._work = np.empty(self._constraint.vocabulary.size, np.float32)
        self._start()

    def _start(self) -> None:
        self._random = np.random.default_rng(self._seed)
        self._recent: deque[int] = deque(maxlen=self._llm.last_n_tokens_size)
        self._mu = 2 * self._chain.mirostat_tau
        self._drawn: tuple[int, float] | None = None

    @property
    def checked(self) -> int:
        """How many tokens have met the grammar."""
        return self._constraint.checked

    def reset(self) -> None:
        """Back to the start of the grammar, with the seed's first draw next."""
        self._constraint.reset()
        self._start()

    def sample(self, logits: Logits | None = None) -> int:
        """Draws a token; `accept` it to go on.

        Args:
            logits: a number for each token of the vocabulary; None for those of the model's last evaluation, which
                `llm.scores` does not have unless the model was loaded with `logits_all`.

        Raises:
            GrammarError: no token of the vocabulary can go on from here.
            ModelError: the model has evaluated nothing.
        """
        logits = self._checked(logits)
        if not self._chain.truncates:
            return self._draw(self._prepare(logits))
        return self._drawn_of(*self._candidates(logits))

    def sample_among(self, ids: Ids, logits: Logits, size: int | None = None) -> int:
        """Draws a token where it is known which ones the grammar allows; as `sample` does, for next to nothing.

        Args:
            ids: those tokens, in ascending order.
            logits: as in `sample`.
            size: behind how many tokens that the model has evaluated this one stands; None for all of them.

        Raises:
            GrammarError: a processor or bias rules out all of them.
        """
        logits = self._checked(logits)
        if self._processors or self._bias or self._penalise:
            logits = self._prepare(logits, size)
        values = logits[ids].astype(np.float64)
        order = (-values).argsort(kind="stable")
        order = order[values[order] > -math.inf]
        if not len(order):
            raise self._stuck()
        values = values[order]
        most, _ = kept(self._chain, Found(values, -math.inf, 0.0), self._mu, len(logits))
        places, probabilities = weights(self._chain, values, int(most))
        return self._drawn_of(ids[order[places]], probabilities)

    def _drawn_of(self, ids: Ids, probabilities: Floats) -> int:
        place = 0
        if len(ids) > 1:
            chance = self._random.random()
            place = min(int(probabilities.cumsum().searchsorted(chance, side="right")), len(ids) - 1)
        self._drawn = int(ids[place]), float(probabilities[place])
        return self._drawn[0]

    def candidates(self, logits: Logits | None = None) -> tuple[Ids, Floats]:
        """The tokens that `sample` may draw, best first, and their probabilities."""
        return self._candidates(self._checked(logits))

    def accept(self, token: int) -> None:
        """Goes on behind a token, drawn by `sample` or not.

        Raises:
            GrammarError: the grammar does not allow the token here.
        """
        self._constraint.accept(token)
        self._recent.append(token)
        if self._drawn is not None and self._drawn[0] == token and self._chain.mirostat_mode:
            self._mu -= self._chain.mirostat_eta * (-math.log2(self._drawn[1]) - self._chain.mirostat_tau)
        self._drawn = None

    def _checked(self, logits: Logits | None) -> Logits:
        if logits is None:
            logits = last_logits(self._llm)
        if len(logits) != len(self._work):
            raise ValueError(f"{len(logits)} logits for a vocabulary of {len(self._work)} tokens")
        return np.asarray(logits, np.float32)

    def _candidates(self, logits: Logits) -> tuple[Ids, Floats]:
        if not self._processors and not self._bias and not self._penalise:
            found = self._near_the_best(logits)
            if found is not None:
                return found
        work = self._prepare(logits)
        if self._chain.greedy:
            return np.array([self._best(work)], np.int32), _CERTAIN
        return self._truncated(work)

    def _near_the_best(self, logits: Logits) -> tuple[Ids, Floats] | None:
        """The candidates where the best token is valid, and the chain keeps nothing far below it; mostly that is so.

        Reads the logits as they are, so that most steps copy nothing. None where it takes more than that.
        """
        chain = self._chain
        if chain.greedy:
            best = int(logits.argmax())
            valid = math.isfinite(logits[best]) and self._constraint.allows_one(best)
            return (np.array([best], np.int32), _CERTAIN) if valid else None
        if chain.mirostat_mode or chain.typical_p < 1 or not 0 < chain.min_p <= 1:
            return None
        found = near_the_best(logits, -math.log(chain.min_p), _NARROW_AFTER)
        if found is None:
            return None
        near, ceiling = found
        if len(near) == 1:
            return (near, _CERTAIN) if self._constraint.allows_one(int(near[0])) else None
        allowed = self._constraint.allows(near)
        if not allowed[0]:
            return None
        ids = near[allowed]
        if len(ids) == 1:
            return ids, _CERTAIN
        values = logits[ids].astype(np.float64)
        least, most = kept(chain, Found(values, ceiling, math.inf), self._mu, len(logits))
        if least != most:
            return None
        places, probabilities = weights(chain, values, int(most))
        return ids[places], probabilities

    def _prepare(self, logits: Logits, size: int | None = None) -> Logits:
        """A copy of the logits after processors, bias and penalties, without what no grammar may see."""
        work = self._work
        np.copyto(work, logits)
        for process in self._processors:
            work[:] = process(self._llm.input_ids[: self._llm.n_tokens if size is None else size], work)
        for token, bias in self._bias.items():
            work[token] += bias
        if self._penalise and self._recent:
            self._apply_penalties(work)
        work[self._unfit] = -np.inf
        return work

    def _apply_penalties(self, work: Logits) -> None:
        repeat, frequency, presence = self._penalties
        counts = Counter(self._recent)
        ids = np.fromiter(counts, np.int32, len(counts))
        often = np.fromiter(counts.values(), np.float32, len(counts))
        scores = work[ids]
        scores = np.where(scores <= 0, scores * np.float32(repeat), scores / np.float32(repeat))
        work[ids] = scores - often * np.float32(frequency) - np.float32(presence)

    def _best(self, work: Logits) -> int:
        best = work.argmax()
        if work[best] > -np.inf and self._constraint.allows_one(int(best)):
            return int(best)
        ranking = Ranking(work)
        portion = _FIRST_PORTION
        while not ranking.exhausted:
            ids = ranking.take(portion)
            valid = np.flatnonzero(self._constraint.allows(ids))
            if len(valid):
                return int(ids[valid[0]])
            portion = self._widen(ranking, portion)
        raise self._stuck()

    def _truncated(self, work: Logits) -> tuple[Ids, Floats]:
        """What the chain leaves of the valid tokens, as far as it has to know them."""
        chain = self._chain
        ranking = Ranking(work)
        ids = np.empty(0, np.int32)
        portion = self._first_portion()
        while True:
            fresh = ranking.take(portion)
            ids = np.concatenate([ids, fresh[self._constraint.allows(fresh)]])
            logits = work[ids].astype(np.float64)
            complete = ranking.exhausted
            rest = ranking.rest(logits[0]) if chain.weighs_rest and len(ids) and not complete else math.inf
            found = Found(logits, ranking.ceiling, rest)
            least, most = kept(chain, found, self._mu, len(work))
            if least == most:
                break
            portion = self._widen(ranking, portion)
        if not most:
            raise self._stuck()
        places, probabilities = weights(chain, logits, int(most))
        return ids[places], probabilities

    def _first_portion(self) -> int:
        if self._chain.mirostat_mode == 1:
            return MIROSTAT_TOKENS
        if self._chain.min_p > 0 or self._chain.top_p < 1 or self._chain.mirostat_mode or self._chain.top_k <= 0:
            return _FIRST_PORTION
        return self._chain.top_k

    def _widen(self, ranking: Ranking, portion: int) -> int:
        """The size of the next portion; the first time it grows large, impossible first bytes go."""
        if portion <= _NARROW_AFTER < portion * 4:
            ranking.keep(self._constraint.possible())
        return portion * 4

    def _draw(self, work: Logits) -> int:
        """A draw at the bare temperature: draws that the grammar refuses are drawn again without the refused token."""
        masses = np.exp((work - work.max()) / np.float32(self._chain.temperature))
        for count in _DRAWS:
            if count > _NARROW_AFTER:
                impossible = ~self._constraint.possible()
                work[impossible], masses[impossible] = -np.inf, 0
            sums = np.cumsum(masses, dtype=np.float64)
            if not sums[-1] > 0:
                break
            ids = np.searchsorted(sums, self._random.random(count) * sums[-1], side="right").astype(np.int32)
            np.minimum(ids, len(masses) - 1, out=ids)
            valid = np.flatnonzero(self._constraint.allows(ids))
            if len(valid):
                return int(ids[valid[0]])
            work[ids], masses[ids] = -np.inf, 0
        ids = np.flatnonzero(work > -np.inf).astype(np.int32)
        ids = ids[self._constraint.allows(ids)]
        if not len(ids):
            raise self._stuck()
        logits = work[ids].astype(np.float64)
        chances = np.exp((logits - logits.max()) / self._chain.temperature)
        return int(self._random.choice(ids, p=chances / chances.sum()))

    def _stuck(self) -> GrammarError:
        return GrammarError(
            "no token of the vocabulary may come next: the grammar asks for a character that the model cannot write, "
            "or a processor or bias rules out all that may come"
        )
