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

    from slashgrammar.calls.document import Check
    from slashgrammar.errors import TextError
    from slashgrammar.llama.sampler import Sampling


class Writing:
    """A text being generated: iterate over its events, which are text only, then read `message` and the rest.

    Args:
        llm: a `llama_cpp.Llama` with a chat template.
        messages: as in the OpenAI API.
        grammar: what the text may be, compiled or as GBNF; None for anything.
        limits: where it ends before its end.
        check: what is wrong with a text that ended by itself, where the grammar had to be wider than what was asked.
        retries: how often such a text is answered with `error.feedback()` and written anew; all but the last come when
            they have turned out to be right.
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
        check: Check | None = None,
        retries: int = 0,
        temperature: float = 0.8,
        top_k: int = 40,
        top_p: float = 0.95,
        min_p: float = 0.05,
        seed: int | None = None,
        **sampling: Unpack[Sampling],
    ) -> None:
        self._limits = limits
        self._check = check
        self._retries = retries if check is not None else 0
        self._vocabulary = vocabulary(llm)
        self._template = template_of(llm)
        self._turns = turns_of(messages)
        self._context = Context(llm)
        self._prompt = self._encode()
        self._grammar = grammar if isinstance(grammar, CompiledGrammar) else _anything()
        self._force = isinstance(grammar, CompiledGrammar)
        constraint: Compiled | str = _anything() if grammar is None else grammar
        self._sampler = ConstrainedSampler(
            llm, constraint, temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p, seed=seed, **sampling
        )
        self.stats = Stats()
        self.finish_reason: str | None = None
        self.probabilities: list[TokenProbability] = []
        self._text = ""
        self._error: TextError | None = None
        self._events = self._run()

    def __iter__(self) -> Iterator[Event]:
        return self._events

    @property
    def message(self) -> str:
        """The text; what has not been generated yet is generated now.

        Raises:
            TextError: what is wrong with it, according to `check`.
        """
        for _ in self._events:
            pass
        if self._error is not None:
            raise self._error
        return self._text

    def cancel(self) -> None:
        """Ends the generation before its next token; may be called from any thread."""
        self._limits.cancelled.set()

    def _encode(self) -> list[int]:
        prompt = self._template.tokens(self._turns)
        self._limits.check(prompt, self._context)
        return prompt

    def _run(self) -> Iterator[Event]:
        for _ in range(self._retries):
            held = list(self._attempt())
            if self._error is None:
                yield from held
                return
            feedback = self._error.feedback()
            self._turns += [{"role": "assistant", "content": self._text}, {"role": "user", "content": feedback}]
            self._prompt = self._encode()
        yield from self._attempt()

    def _attempt(self) -> Iterator[Event]:
        self._text, self._error = "", None
        if self.stats.attempts:
            self._sampler.reset()
        self.stats.attempts += 1
        self.stats.prompt_tokens = len(self._prompt)
        forcing = Forcing(self._vocabulary, self._grammar.matcher(), force=self._force)
        loop = TokenLoop(self._vocabulary, self._context, self._sampler, forcing, self._limits, self.stats)
        self.probabilities = loop.probabilities
        for text in loop.write(self._prompt):
            if text:
                self._text += text
                yield TextDelta(text)
        self.finish_reason = loop.finish_reason
        if self._check is not None and self.finish_reason == "stop":
            self._error = self._check(self._text)


@lru_cache(maxsize=1)
def _anything() -> CompiledGrammar:
    return CompiledGrammar(Grammar({"root": repeat(ANY_CHAR)}, "root"), [])
