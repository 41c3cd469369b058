"""The same tokens decoded in several ways, turn by turn at each token, so that all meet the same machine.

Each way evaluates the token before, draws one as it does in use, and then goes on with the token that is given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.llama import ConstrainedSampler
from slashgrammar.llama.binding import Context, vocabulary
from slashgrammar.llama.forcing import Forcing

CHAINS: dict[str, dict[str, float]] = {"greedy": {"temperature": 0.0}, "default": {}}


class Way(Protocol):
    """A way to decode a text."""

    def step(self, ids: np.ndarray, token: int) -> None:
        """Evaluates the last of the tokens so far, draws the next one, and takes the given one in its place."""


class Free:
    """llama-cpp-python without a grammar."""

    def __init__(self, llm: Any, chain: dict[str, float]) -> None:
        self._llm = llm
        self._sampler = llm._init_sampler(**_named(chain))

    def step(self, ids: np.ndarray, token: int) -> None:
        self.draw(int(ids[-1]))

    def draw(self, before: int) -> int:
        """The token that it draws behind another."""
        self._llm.eval([before])
        token: int = self._sampler.sample(self._llm._ctx, -1)
        return token


class Masked:
    """llama-cpp-python with its grammar, which takes the token that it draws; the given ones are its own, then."""

    def __init__(self, llm: Any, chain: dict[str, float], grammar: CompiledGrammar) -> None:
        self._llm = llm
        self._sampler = llm._init_sampler(**_named(chain), grammar=grammar.llama_grammar())
        self.strayed = False

    def step(self, ids: np.ndarray, token: int) -> None:
        self._llm.eval([int(ids[-1])])
        self.strayed |= self._sampler.sample(self._llm._ctx, -1) != token


class Slash:
    """What `generate` does at a token without forcing it: the sampler, and the matcher that knows when to end."""

    def __init__(self, llm: Any, chain: dict[str, float], grammar: CompiledGrammar) -> None:
        self._context = Context(llm)
        self._pieces = vocabulary(llm).pieces
        self.sampler = ConstrainedSampler(llm, grammar, **chain, seed=1)
        self._forcing = Forcing(vocabulary(llm), grammar.matcher(), force=False)
        self.ended = False

    def step(self, ids: np.ndarray, token: int) -> None:
        self.sampler.sample(self._context.evaluate(ids))
        self._take(token)

    def draw(self, ids: np.ndarray) -> int:
        """Goes on with the token that it draws."""
        token = self.sampler.sample(self._context.evaluate(ids))
        self._take(token)
        return token

    def _take(self, token: int) -> None:
        self.sampler.accept(token)
        piece = self._pieces[token].decode("utf-8", "ignore")
        self._forcing.follow(piece)
        self.ended = self._forcing.ended
        self._forcing.draft(piece)


def write(llm: Any, chain: dict[str, float], grammar: CompiledGrammar, prompt: Sequence[int], most: int) -> list[int]:
    """Tokens that a model writes under a grammar; the one that ends generation is not among them."""
    way = Slash(llm, chain, grammar)
    ids = np.zeros(len(prompt) + most, np.int32)
    ids[: len(prompt)] = prompt
    for size in range(len(prompt), len(ids)):
        token = way.draw(ids[:size])
        if vocabulary(llm).ends[token]:
            return ids[len(prompt) : size].tolist()
        ids[size] = token
        if way.ended:
            return ids[len(prompt) : size + 1].tolist()
    return ids[len(prompt) :].tolist()


def time_tokens(
    llm: Any, prompt: Sequence[int], tokens: Sequence[int], ways: Sequence[Way], clock: Callable[[], float]
) -> list[list[float]]:
    """Seconds that each way takes at each token."""
    ids = np.array([*prompt, *tokens], np.int32)
    Context(llm).evaluate(ids[: len(prompt) - 1])
    seconds: list[list[float]] = [[] for _ in ways]
    for place, token in enumerate(tokens):
        before = len(prompt) - 1 + place
        for turn in range(len(ways)):
            number = (turn + place) % len(ways)
            llm.n_tokens = before  # the next evaluation overwrites what the way before has left
            begin = clock()
            ways[number].step(ids[: before + 1], token)
            seconds[number].append(clock() - begin)
    return seconds


def _named(chain: dict[str, float]) -> dict[str, float]:
    """The chain as llama-cpp-python names its parameters."""
    return {"temp" if name == "temperature" else name: value for name, value in chain.items()}
