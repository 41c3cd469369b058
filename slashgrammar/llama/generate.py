"""Generation of messages that cannot be invalid, streamed as events."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slashgrammar.errors import ModelError, SlashError
from slashgrammar.llama.binding import Context, vocabulary
from slashgrammar.llama.prompt import Message as ChatMessage
from slashgrammar.llama.prompt import Turn, template_of, turns_of
from slashgrammar.llama.sampler import ConstrainedSampler
from slashgrammar.llama.text import TextStream

if TYPE_CHECKING:
    from slashgrammar.calls import Message
    from slashgrammar.calls.events import Event
    from slashgrammar.grammar.compiled import CompiledGrammar
    from slashgrammar.tools import ToolSet


@dataclass(slots=True)
class Stats:
    """What a generation cost.

    Attributes:
        prompt_tokens: tokens of the prompt; with retries, of the last one.
        reused_tokens: those of them that the key-value cache held already.
        sampled: tokens drawn, the one that ended generation included.
        forced: tokens that the grammar left no choice about.
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


class Generation:
    """A message being generated: iterate over its events, then read `message`, `finish_reason` and `stats`.

    Attributes:
        text: what has been generated so far, of the last attempt.
        finish_reason: None until the end, then "stop", "tool_calls" (a message with calls), "length" (the token budget
            or the context is used up) or "cancelled".
    """

    def __init__(
        self,
        llm: Any,
        turns: list[Turn],
        tools: ToolSet,
        sampler: ConstrainedSampler,
        *,
        max_tokens: int | None,
        stop: Sequence[str],
        retries: int,
    ) -> None:
        self._llm = llm
        self._turns = turns
        self._tools = tools
        self._sampler = sampler
        self._max_tokens = max_tokens
        self._stop = tuple(stop)
        self._retries = retries
        self._context = Context(llm)
        self._vocabulary = vocabulary(llm)
        self._cancelled = threading.Event()
        self._message: Message | None = None
        self._error: SlashError | None = None
        self.stats = Stats()
        self.text = ""
        self.finish_reason: str | None = None
        self._prompt = self._encode(turns)
        self._events = self._run()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    @property
    def message(self) -> Message:
        """The generated message; what has not been generated yet is generated now.

        Raises:
            IncompleteCall: the budget, a stop string or `cancel` cut off a call; its `.message` holds what there was.
            TextError: a call does not fit its tool where the grammar had to be wider than the tool's schema.
        """
        for _ in self._events:
            pass
        if self._error is not None:
            raise self._error
        if self._message is None:
            raise ModelError("the generation was interrupted before its end; start it again")
        return self._message

    def cancel(self) -> None:
        """Ends the generation before its next token; may be called from any thread."""
        self._cancelled.set()

    def _encode(self, turns: Sequence[Turn]) -> list[int]:
        """The prompt's tokens.

        Raises:
            ModelError: prompt and budget do not fit in the context.
        """
        prompt = template_of(self._llm).tokens(turns)
        budget = 1 if self._max_tokens is None else self._max_tokens
        if len(prompt) + budget > self._context.size:
            raise ModelError(
                f"the prompt has {len(prompt)} tokens and at least {budget} are to follow, but the context holds "
                f"{self._context.size}; load the model with a larger n_ctx, or shorten messages, tools or max_tokens"
            )
        return prompt

    def _run(self) -> Iterator[Event]:
        while True:
            self.stats.attempts += 1
            last = self.stats.attempts > self._retries
            events = self._attempt()
            if last:
                yield from events
                return
            kept = list(events)
            if self._error is None or self.finish_reason != "stop":
                yield from kept
                return
            self._turns += [{"role": "assistant", "content": self.text}, {"role": "user", "content": self._feedback()}]
            self._prompt = self._encode(self._turns)

    def _feedback(self) -> str:
        feedback = getattr(self._error, "feedback", None)
        return str(feedback() if feedback is not None else self._error)

    def _attempt(self) -> Iterator[Event]:
        parser = self._tools.stream()
        self._message, self._error, self.text = None, None, ""
        for chunk in self._chunks():
            self.text += chunk
            yield from parser.feed(chunk)
        try:
            self._message = parser.finish()
        except SlashError as error:
            self._error = error
        if self._message is not None and self._message.calls and self.finish_reason == "stop":
            self.finish_reason = "tool_calls"

    def _chunks(self) -> Iterator[str]:
        stats, context, sampler = self.stats, self._context, self._sampler
        sampler.reset()
        stream = TextStream(self._stop)
        ids = np.zeros(context.size, np.int32)
        size = stats.prompt_tokens = len(self._prompt)
        ids[:size] = self._prompt
        limit = context.size if self._max_tokens is None else size + self._max_tokens
        stats.reused_tokens = context.reusable(ids[:size])
        while True:
            if self._cancelled.is_set():
                self.finish_reason = "cancelled"
                break
            if size >= limit:
                self.finish_reason = "length"
                break
            begin = time.perf_counter()
            logits = context.evaluate(ids[:size])
            middle = time.perf_counter()
            token = sampler.sample(logits)
            sampler.accept(token)
            stats.model_seconds += middle - begin
            stats.constraint_seconds += time.perf_counter() - middle
            stats.sampled += 1
            stats.checked, stats.evaluations = sampler.checked, context.calls
            if self._vocabulary.ends[token]:
                self.finish_reason = "stop"
                break
            ids[size] = token
            size += 1
            yield stream.feed(self._vocabulary.pieces[token])
            if stream.stopped:
                self.finish_reason = "stop"
                break
        yield stream.finish()


def generate(
    llm: Any,
    messages: Sequence[ChatMessage],
    tools: ToolSet,
    *,
    grammar: CompiledGrammar | None = None,
    tool_choice: str = "auto",
    parallel: bool = True,
    prose: bool = True,
    reasoning: bool = False,
    style: str = "lines",
    max_tokens: int | None = None,
    temperature: float = 0.8,
    top_k: int = 40,
    top_p: float = 0.95,
    min_p: float = 0.05,
    seed: int | None = None,
    stop: Sequence[str] = (),
    force: bool = True,
    retries: int = 0,
) -> Generation:
    """Lets a model write a message whose calls are valid.

    The prompt is the model's own chat template over the messages, with `tools.prompt()` in the system message.

    Args:
        llm: a `llama_cpp.Llama` with a chat template.
        messages: as in the OpenAI API, the last one mostly by the user.
        tools: what may be called.
        grammar: one compiled before, instead of the choices that follow.
        tool_choice, parallel, prose, reasoning, style: as in `ToolSet.compile`.
        max_tokens: the budget; None for what the context holds.
        temperature, top_k, top_p, min_p: as in `ConstrainedSampler`.
        seed: of the draws; None for a different one each time.
        stop: texts that end the message; they are not part of it.
        force: whether text that the grammar leaves no choice about is taken without asking the model.
        retries: how often a message with an error is answered with `error.feedback()` and written anew; with retries,
            the events of an attempt come when it has turned out to be the one that counts.

    Raises:
        ModelError: the model has no chat template, its template refuses the messages, or the prompt and the budget
            do not fit in the context.
        ToolError, GrammarError: the tools cannot be used.
        ValueError: a message or a parameter makes no sense.
    """
    if max_tokens is not None and max_tokens < 1:
        raise ValueError(f"max_tokens is at least 1, not {max_tokens}")
    if grammar is None:
        grammar = tools.compile(
            tool_choice=tool_choice, parallel=parallel, prose=prose, reasoning=reasoning, style=style
        )
    sampler = ConstrainedSampler(
        llm, grammar, temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p, seed=seed
    )
    turns = turns_of(messages, tools.prompt())
    return Generation(llm, turns, tools, sampler, max_tokens=max_tokens, stop=stop, retries=retries)
