"""The token loop: evaluate, draw or force, accept, decode."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from slashgrammar.llama.binding import Context, Ids, Logits, Vocabulary
from slashgrammar.llama.closing import Closing
from slashgrammar.llama.forcing import NOTHING, Forcing
from slashgrammar.llama.limits import Limits
from slashgrammar.llama.sampler import ConstrainedSampler
from slashgrammar.llama.text import PieceDecoder, StopFilter


@dataclass(slots=True)
class Stats:
    """What a generation cost.

    Attributes:
        prompt_tokens: tokens of the prompt; with retries, of the last one.
        reused_tokens: those of them that the key-value cache held already.
        sampled: tokens drawn, the one that ended generation included.
        forced: tokens that the grammar left no choice about, evaluated together.
        checked: tokens that the grammar was asked about.
        evaluations: runs of the model.
        model_seconds: time in the model.
        constraint_seconds: time in the sampler and the grammar.
        attempts: 1, and one more for each retry.
    """

    prompt_tokens: int = 0
    reused_tokens: int = 0
    sampled: int = 0
    forced: int = 0
    checked: int = 0
    evaluations: int = 0
    model_seconds: float = 0.0
    constraint_seconds: float = 0.0
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class TokenProbability:
    """How likely the model found a token, before the grammar had its say.

    Attributes:
        token: its id.
        piece: its bytes.
        logprob: the natural logarithm of its probability; 0.0 where the model was not asked: in forced text that ends
            everything, and where prose or reasoning is closed.
        top: the likeliest tokens in its place, best first, without a `top` of their own.
    """

    token: int
    piece: bytes
    logprob: float
    top: tuple[TokenProbability, ...] = ()


class TokenLoop:
    """Writes one text behind a prompt: iterate over its pieces.

    Attributes:
        called: to be set from outside when a call has begun.
        finish_reason: None until the end, then "stop", "length" or "cancelled".
        probabilities: of the tokens written, if they were asked for.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        context: Context,
        sampler: ConstrainedSampler,
        forcing: Forcing,
        limits: Limits,
        stats: Stats,
    ) -> None:
        self._vocabulary = vocabulary
        self._context = context
        self._sampler = sampler
        self._forcing = forcing
        self._limits = limits
        self._stats = stats
        self.called = False
        self.finish_reason: str | None = None
        self.probabilities: list[TokenProbability] = []

    def write(self, prompt: Sequence[int]) -> Iterator[str]:
        """The text, in pieces as they become certain."""
        decoder, stop = PieceDecoder(), StopFilter(self._limits.stop)
        ids = np.zeros(self._context.size, np.int32)
        start = size = len(prompt)
        ids[:size] = prompt
        end = len(ids) if self._limits.max_tokens is None else size + self._limits.max_tokens
        closing = Closing(self._limits, start, end)
        self._prefill(ids[: size - 1])
        while self.finish_reason is None:
            if self._limits.cancelled.is_set():
                self.finish_reason = "cancelled"
                break
            if self._forcing.ended:
                self.finish_reason = "stop"
                break
            if size >= end:
                self.finish_reason = "length"
                break
            draft = NOTHING
            if decoder.is_whole:
                due = None if self.called else closing.due(size, self._forcing.matcher)
                draft = self._forcing.draft(self._text_of(int(ids[size - 1])), due)
            tokens = draft.tokens[: end - size]
            if draft.spellings and self._context.rewinds:
                tokens = self._spelled(ids, size, tokens[: self._context.batch - 1], draft.spellings)
            elif tokens:
                self._given(tokens)
            else:
                tokens = [self._sampled(self._evaluate(ids[:size]))]
                if self._vocabulary.ends[tokens[0]]:
                    self.finish_reason = "stop"
                    break
            ids[size : size + len(tokens)] = tokens
            size += len(tokens)
            text = decoder.feed(b"".join(self._vocabulary.pieces[token] for token in tokens))
            self._forcing.follow(text)
            closing.follow(text)
            yield stop.feed(text)
            if stop.stopped:
                self.finish_reason = "stop"
        yield stop.finish()

    def _prefill(self, ids: Ids) -> None:
        """Evaluates what stands before the prompt's last token, so that this one is always evaluated alone.

        The numbers depend on what is evaluated together; a prompt that the cache holds gives the same ones this way.
        """
        if len(ids) and self._context.reusable(ids) < len(ids):
            self._evaluate(ids)

    def _evaluate(self, ids: Ids) -> Logits:
        with self._in_model():
            return self._context.evaluate(ids)

    @contextmanager
    def _in_model(self) -> Iterator[None]:
        begin = time.perf_counter()
        before = self._context.calls
        yield
        self._stats.evaluations += self._context.calls - before
        self._stats.model_seconds += time.perf_counter() - begin

    def _text_of(self, token: int) -> str:
        special = self._vocabulary.control[token] or self._vocabulary.ends[token]
        return "" if special else self._vocabulary.pieces[token].decode("utf-8", "ignore")

    def _given(self, tokens: Sequence[int]) -> None:
        """Accepts tokens that are not for the model to choose."""
        begin = time.perf_counter()
        for token in tokens:
            self._sampler.accept(token)
            if self._limits.logprobs is not None:
                self.probabilities.append(TokenProbability(token, self._vocabulary.pieces[token], 0.0))
        self._stats.forced += len(tokens)
        self._stats.constraint_seconds += time.perf_counter() - begin

    def _spelled(self, ids: Ids, size: int, tokens: list[int], spellings: Sequence[Ids]) -> list[int]:
        """The forced tokens behind the first `size` ones, up to the first in whose place the model writes another."""
        end = size + len(tokens)
        ids[size:end] = tokens
        with self._in_model():
            rows = self._context.evaluate_draft(ids[:end], len(tokens))
        written: list[int] = []
        for forced, choice, logits in zip(tokens, spellings, rows, strict=False):
            begin = time.perf_counter()
            token = self._sampler.sample_among(choice, logits, size + len(written))
            self._sampler.accept(token)
            self._stats.constraint_seconds += time.perf_counter() - begin
            self._note(token, logits)
            written.append(token)
            if token != forced:
                self._stats.sampled += 1
                break
            self._stats.forced += 1
        return written

    def _sampled(self, logits: Logits) -> int:
        """A token drawn and accepted."""
        begin = time.perf_counter()
        before = self._sampler.checked
        token = self._sampler.sample(logits)
        self._sampler.accept(token)
        self._stats.checked += self._sampler.checked - before
        self._stats.sampled += 1
        self._stats.constraint_seconds += time.perf_counter() - begin
        self._note(token, logits)
        return token

    def _note(self, token: int, logits: Logits) -> None:
        if self._limits.logprobs is not None:
            self.probabilities.append(self._probability(token, logits, self._limits.logprobs))

    def _probability(self, token: int, logits: Logits, count: int) -> TokenProbability:
        shifted = logits.astype(np.float64) - float(logits.max())
        scores = shifted - np.log(np.exp(shifted).sum())
        best = np.argpartition(-scores, count)[:count] if count else np.empty(0, np.int64)
        pieces = self._vocabulary.pieces
        top = tuple(
            TokenProbability(place, pieces[place], float(scores[place]))
            for place in best[np.argsort(-scores[best], kind="stable")].tolist()
        )
        return TokenProbability(token, pieces[token], float(scores[token]), top)
