"""Generation of texts that hold no calls: ordinary chat, or what any grammar describes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from slashgrammar.calls.events import Event, TextDelta
from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.grammar.ir import ANY_CHAR, Grammar, repeat
from slashgrammar.llama.binding import Context, vocabulary
from slashgrammar.llama.constraint import Compiled
from slashgrammar.llama.forcing import Forcing
from slashgrammar.llama.limits import Limits
from slashgrammar.llama.loop import Stats, TokenLoop, TokenProbability
from slashgrammar.llama.prompt import template_of
from slashgrammar.llama.sampler import ConstrainedSampler
from slashgrammar.prompts.history import ChatMessage, turns_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from slashgrammar.llama.sampler import Sampling


class Writing:
    """A text being generated: iterate over its events, which are text only, then read `message` and the rest.

    Args:
        llm: a `llama_cpp.Llama` with a chat template.
        messages: as in the OpenAI API.
        grammar: what the text may be, compiled or as GBNF; None for anything.
        limits: where it ends before its end.
        sampling: the parameters of `ConstrainedSampler`.

    Attributes:
        finish_reason: None until the end, then "stop", "length" or "cancelled".
        probabilities: of the tokens written, if they were asked for.
        stats: what it has cost so far.

    Raises:
        ModelError, GrammarError, ValueError: as `generate` does.
    """

    def __init__(
        self,
        llm: Any,
        messages: Sequence[ChatMessage],
        grammar: CompiledGrammar | str | None,
        limits: Limits,
        *,
        temperature: float = 0.8,
        top_k: int = 40,
        top_p: float = 0.95,
        min_p: float = 0.05,
        seed: int | None = None,
        **sampling: Unpack[Sampling],
    ) -> None:
        self._limits = limits
        self._prompt = template_of(llm).tokens(turns_of(messages))
        self._context = Context(llm)
        limits.check(self._prompt, self._context)
        constraint: Compiled | str = _anything() if grammar is None else grammar
        sampler = ConstrainedSampler(
            llm, constraint, temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p, seed=seed, **sampling
        )
        followed = grammar if isinstance(grammar, CompiledGrammar) else _anything()
        forcing = Forcing(vocabulary(llm), followed.matcher(), force=isinstance(grammar, CompiledGrammar))
        self.stats = Stats(prompt_tokens=len(self._prompt), attempts=1)
        self._loop = TokenLoop(vocabulary(llm), self._context, sampler, forcing, limits, self.stats)
        self.probabilities: list[TokenProbability] = self._loop.probabilities
        self._text = ""
        self._events = self._run()

    def __iter__(self) -> Iterator[Event]:
        return self._events

    @property
    def finish_reason(self) -> str | None:
        """Why the text ended."""
        return self._loop.finish_reason

    @property
    def message(self) -> str:
        """The text; what has not been generated yet is generated now."""
        for _ in self._events:
            pass
        return self._text

    def cancel(self) -> None:
        """Ends the generation before its next token; may be called from any thread."""
        self._limits.cancelled.set()

    def _run(self) -> Iterator[Event]:
        for text in self._loop.write(self._prompt):
            if text:
                self._text += text
                yield TextDelta(text)


@lru_cache(maxsize=1)
def _anything() -> CompiledGrammar:
    return CompiledGrammar(Grammar({"root": repeat(ANY_CHAR)}, "root"), [])
