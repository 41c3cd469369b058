"""What is being generated, in the shapes of OpenAI's chat completions."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any, Protocol

from slashgrammar.calls.events import Event
from slashgrammar.calls.openai import Deltas
from slashgrammar.errors import IncompleteCall
from slashgrammar.llama.collected import Collected
from slashgrammar.llama.loop import Stats, TokenProbability


class Source(Protocol):
    """Whatever generates events: a `Generation` or a `Writing`."""

    def __iter__(self) -> Iterator[Event]: ...

    @property
    def finish_reason(self) -> str | None:
        """Why it ended; None before."""

    @property
    def probabilities(self) -> list[TokenProbability]:
        """Of the tokens so far, where they were asked for."""

    @property
    def stats(self) -> Stats:
        """What it has cost so far."""

    @property
    def message(self) -> Any:
        """What the events add up to; raises what is wrong with it."""


class Completion:
    """One answer: `chunks` streams it, `whole` waits for its end. The one is made of the other.

    Args:
        source: what generates it.
        model: the model's name in the answer.
        logprobs: whether to tell the probabilities that the source noted.
        custom: the names of custom tools, whose calls have a form of their own.
    """

    def __init__(
        self, source: Source, model: str, *, logprobs: bool = False, custom: Collection[str] = frozenset()
    ) -> None:
        self._source = source
        self._custom = custom
        self._logprobs = logprobs
        self._told = 0
        self._head = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": int(time.time()), "model": model}

    def chunks(self, *, usage: bool = False) -> Iterator[dict[str, Any]]:
        """The chunks of the stream, the role first, the finish reason last.

        Args:
            usage: whether a chunk with the numbers of tokens follows.

        Raises:
            TextError: a call does not fit its tool where the grammar had to be wider than the tool's schema.
        """
        deltas = Deltas(custom=self._custom)
        yield self._chunk({"role": "assistant"})
        for event in self._source:
            yield self._chunk(deltas.delta(event))
        with suppress(IncompleteCall):  # what was there has been sent, and the finish reason says that it was cut off
            _ = self._source.message
        yield self._chunk({}, self._source.finish_reason)
        if usage:
            yield {**self._head, "object": "chat.completion.chunk", "choices": [], "usage": self.usage()}

    def whole(self) -> dict[str, Any]:
        """The answer when it is complete; raises as `chunks` does."""
        return self.collect(list(self.chunks()))

    def collect(self, chunks: list[dict[str, Any]]) -> dict[str, Any]:
        """The whole answer that chunks are of."""
        collected = Collected()
        probabilities: list[dict[str, Any]] = []
        for chunk in chunks:
            choice = chunk["choices"][0]
            collected.add(choice["delta"])
            probabilities += (choice["logprobs"] or {}).get("content", [])
        choice = {
            "index": 0,
            "message": collected.message,
            "logprobs": {"content": probabilities, "refusal": None} if self._logprobs else None,
            "finish_reason": chunks[-1]["choices"][0]["finish_reason"],
        }
        return {**self._head, "object": "chat.completion", "choices": [choice], "usage": self.usage()}

    def usage(self) -> dict[str, int]:
        """The numbers of tokens, of the last attempt's prompt and of all that was written."""
        stats = self._source.stats
        written = stats.sampled + stats.forced
        return {
            "prompt_tokens": stats.prompt_tokens,
            "completion_tokens": written,
            "total_tokens": stats.prompt_tokens + written,
        }

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": self._news(), "finish_reason": finish_reason}
        return {**self._head, "object": "chat.completion.chunk", "choices": [choice]}

    def _news(self) -> dict[str, Any] | None:
        """The probabilities of the tokens that no chunk has told yet."""
        if not self._logprobs:
            return None
        fresh = self._source.probabilities[self._told :]
        self._told += len(fresh)
        return {"content": [_probability(token) for token in fresh], "refusal": None}


def _probability(token: TokenProbability) -> dict[str, Any]:
    top = [_token(alternative) for alternative in token.top]
    return {**_token(token), "top_logprobs": top}


def _token(token: TokenProbability) -> dict[str, Any]:
    text = token.piece.decode("utf-8", "replace")
    return {"token": text, "logprob": token.logprob, "bytes": list(token.piece)}
