"""Generation of messages that cannot be invalid, streamed as events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from slashgrammar.calls.cut import cut_off, ends_in_call
from slashgrammar.calls.events import CallStart, Event
from slashgrammar.dialects.notation import notation
from slashgrammar.errors import IncompleteCall, ModelError, SlashError, TextError
from slashgrammar.grammar.delimiters import DEFAULT
from slashgrammar.grammar.join import compile_tools
from slashgrammar.llama.binding import Context, vocabulary
from slashgrammar.llama.forcing import Forcing
from slashgrammar.llama.limits import Limits
from slashgrammar.llama.loop import Stats, TokenLoop, TokenProbability
from slashgrammar.llama.prompt import template_of
from slashgrammar.llama.sampler import ConstrainedSampler, Sampling
from slashgrammar.prompts.example import dotted, example_call, example_request
from slashgrammar.prompts.history import ChatMessage, Turn, ours, turns_of
from slashgrammar.prompts.signature import prompt

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from slashgrammar.calls import Message
    from slashgrammar.grammar.compiled import CompiledGrammar
    from slashgrammar.tools import ToolSet


class Generation:
    """A message being generated: iterate over its events, then read `message`, `finish_reason` and `stats`.

    Attributes:
        prompt: the tokens that the model answers to; with retries, those of the last attempt.
        text: what has been generated so far, of the last attempt.
        finish_reason: None until the end, then "stop", "tool_calls" (a message with calls), "length" (the token budget
            or the context is used up) or "cancelled".
        probabilities: of the tokens of the last attempt, if they were asked for.
        stats: what it has cost so far.
    """

    def __init__(
        self,
        llm: Any,
        turns: list[Turn],
        tools: ToolSet,
        sampler: ConstrainedSampler,
        grammar: CompiledGrammar,
        force: bool,
        limits: Limits,
        retries: int,
    ) -> None:
        self._turns = turns
        self._tools = tools
        self._sampler = sampler
        self._grammar = grammar
        self._force = force
        self._limits = limits
        self._retries = retries
        self._template = template_of(llm)
        self._context = Context(llm)
        self._vocabulary = vocabulary(llm)
        self._message: Message | None = None
        self._error: SlashError | None = None
        self.text = ""
        self.finish_reason: str | None = None
        self.probabilities: list[TokenProbability] = []
        self.stats = Stats()
        self.prompt = self._encode()
        self._events = self._run()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    @property
    def message(self) -> Message:
        """The generated message; what has not been generated yet is generated now.

        Raises:
            IncompleteCall: the budget, a stop string or `cancel` cut off a call; its `.message` holds what is certain.
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
        self._limits.cancelled.set()

    def _encode(self) -> list[int]:
        prompt = self._template.tokens(self._turns, self._grammar.control_tokens)
        if self._limits.reasoning is None and self._template.opens(DEFAULT[0]):
            prompt += self._vocabulary.tokenize(f"\n{DEFAULT[1]}\n\n", special=True)
        self._limits.check(prompt, self._context)
        return prompt

    def _run(self) -> Iterator[Event]:
        for remaining in range(self._retries, -1, -1):
            attempt = self._attempt()
            if not remaining:
                yield from attempt
                return
            held = list(attempt)
            if self._error is None or self.finish_reason != "stop":
                yield from held
                return
            feedback = self._error.feedback() if isinstance(self._error, TextError) else str(self._error)
            self._turns += [{"role": "assistant", "content": self.text}, {"role": "user", "content": feedback}]
            self.prompt = self._encode()

    def _attempt(self) -> Iterator[Event]:
        self._message, self._error, self.text = None, None, ""
        if self.stats.attempts:
            self._sampler.reset()
        forcing = Forcing(
            self._vocabulary,
            self._grammar.matcher(),
            force=self._force,
            control_tokens=self._grammar.control_tokens,
        )
        self.stats.attempts += 1
        self.stats.prompt_tokens = len(self.prompt)
        self.stats.reused_tokens = self._context.reusable(np.array(self.prompt, np.int32))
        loop = TokenLoop(self._vocabulary, self._context, self._sampler, forcing, self._limits, self.stats)
        self.probabilities = loop.probabilities
        dialect = self._grammar.dialect or "slash"
        parser = self._tools.stream(reasoning=self._limits.reasoning or DEFAULT, dialect=dialect)
        for chunk in loop.write(self.prompt):
            self.text += chunk
            for event in parser.feed(chunk):
                loop.called |= isinstance(event, CallStart)
                yield event
        self.finish_reason = loop.finish_reason
        so_far = parser.message
        is_cut = ends_in_call(self._grammar, self.text, so_far, by_itself=self.finish_reason == "stop")
        last = parser.close()
        try:
            self._message = parser.finish()
        except SlashError as error:
            self._error = error
        if is_cut:  # what the end of the text would make certain is not
            self._message = None
            if not isinstance(self._error, IncompleteCall):
                self._error = cut_off(self.text, so_far)
            return
        yield from last
        if self._message is not None and self._message.calls and self.finish_reason == "stop":
            self.finish_reason = "tool_calls"


def generate(
    llm: Any,
    messages: Sequence[ChatMessage],
    tools: ToolSet,
    *,
    grammar: CompiledGrammar | None = None,
    tool_choice: str = "auto",
    parallel: bool = True,
    prose: bool = True,
    reasoning: bool | tuple[str, str] = False,
    style: Literal["lines", "inline"] = "lines",
    dialect: Literal["slash", "hermes"] = "slash",
    max_tokens: int | None = None,
    reasoning_tokens: int | None = None,
    temperature: float = 0.8,
    top_k: int = 40,
    top_p: float = 0.95,
    min_p: float = 0.05,
    seed: int | None = None,
    stop: Sequence[str] = (),
    force: bool = True,
    retries: int = 0,
    logprobs: int | None = None,
    example: bool = True,
    **sampling: Unpack[Sampling],
) -> Generation:
    """Lets a model write a message whose calls are valid.

    The prompt is the model's own chat template over the messages, with the tools in the system message. Behind that
    stands an example of a request and its call, which small models need more than instructions: of 20 questions that
    asked for a call, SmolLM2-135M answered 3 by one without it, and 17 with it. It stays there in later turns, so that
    the cache holds them. With it, the system message is shorter than `tools.prompt()`.

    Args:
        llm: a `llama_cpp.Llama` with a chat template.
        messages: as in the OpenAI API, the last one mostly by the user.
        tools: what may be called.
        grammar: one compiled before, instead of the choices that follow.
        tool_choice, parallel, prose, style, dialect: as in `ToolSet.compile`. Where a call is required and a quarter of
            the budget has gone into prose, the prose is ended.
        reasoning: whether the model may reason first, or the delimiters of its reasoning. A chat template that opens
            reasoning by itself is recognised.
        max_tokens: the budget; None for what the context holds.
        reasoning_tokens: the budget of reasoning, which is ended then; None for no other than `max_tokens`.
        temperature, top_k, top_p, min_p: as in `ConstrainedSampler`.
        seed: of the draws, from 0; None, or -1 as in llama.cpp, for a different one each time.
        stop: texts that end the message; they are not part of it.
        force: whether text that the grammar leaves no choice about is evaluated at once, which changes only the time.
        retries: how often a message with an error, which needs a grammar that had to be wider than the tools' schemas,
            is answered with `error.feedback()` and written anew; then the events of all attempts but the last come
            when the message has turned out to be right.
        logprobs: how many alternatives to note for each token in `Generation.probabilities`; None to note nothing.
        example: whether the conversation begins with an example, made up from a tool's description and schema, of a
            request and the call that answers it; where the messages begin with answers of that kind, do without, and
            the system message is that of `tools.prompt()`.
        sampling: further parameters of `ConstrainedSampler`, such as penalties.

    Raises:
        ModelError: the model has no chat template, its template refuses the messages, or the prompt and the budget
            do not fit in the context.
        ToolError, GrammarError: the tools cannot be used.
        ValueError: a message or a parameter makes no sense.
    """
    if max_tokens is not None and max_tokens < 1:
        raise ValueError(f"max_tokens is at least 1, not {max_tokens}")
    if retries < 0:
        raise ValueError(f"retries is at least 0, not {retries}")
    if grammar is not None and grammar.dialect is not None:
        dialect = cast('Literal["slash", "hermes"]', grammar.dialect)
    turns = turns_of(messages, dialect)
    system = turns.pop(0)["content"] if turns and turns[0]["role"] == "system" else ""
    if tool_choice == "none" or not len(tools):
        turns[:0] = [{"role": "system", "content": system}] if system else []
    else:
        taught = prompt(tools, parallel=parallel, style=style, dialect=dialect, example=not example)
        turns.insert(0, ours("system", system, taught, dialect))
        if example:
            shown = tools if tool_choice in ("auto", "required") else tools.select([tool_choice])
            turns[1:1] = _example(shown, style, dialect)
    delimiters = DEFAULT if reasoning is True else reasoning or None
    if delimiters and template_of(llm).opens(delimiters[0]):
        delimiters = ("", delimiters[1])
    if grammar is None:
        grammar = compile_tools(
            tools,
            tool_choice=tool_choice,
            parallel=parallel,
            prose=prose,
            reasoning=delimiters or False,
            style=style,
            dialect=dialect,
        )
        retries = retries if grammar.report else 0
    sampler = ConstrainedSampler(
        llm, grammar, temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p, seed=seed, **sampling
    )
    limits = Limits(
        max_tokens,
        tuple(stop),
        logprobs,
        must_call=_must_call(tools, tool_choice, dialect),
        reasoning=delimiters,
        reasoning_tokens=reasoning_tokens,
    )
    return Generation(llm, turns, tools, sampler, grammar, force, limits, retries)


def _example(tools: ToolSet, style: str, dialect: str) -> list[Turn]:
    call = dotted(example_call(tools), tools)
    request = example_request(tools[call.name], call)
    answer = notation(dialect).recall([call], tools, style)
    return [{"role": "user", "content": request}, ours("assistant", "", answer, dialect)]


def _must_call(tools: ToolSet, tool_choice: str, dialect: str) -> tuple[str, ...]:
    if tool_choice in ("auto", "none"):
        return ()
    names = [tool.name for tool in tools] if tool_choice == "required" else [tool_choice]
    return tuple(map(notation(dialect).head, names))
