"""A chat handler for llama-cpp-python: standard tool calls from any model, by slash commands underneath.

from slashgrammar.llama import SlashChatHandler

llm = Llama("model.gguf", chat_format="slash")                   # with the defaults
llm = Llama("model.gguf", chat_handler=SlashChatHandler(parallel=False))
llm.create_chat_completion(messages, tools=tools, tool_choice="auto", stream=True)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from slashgrammar.llama.binding import own_handler, register_handler
from slashgrammar.llama.completions import Completion
from slashgrammar.llama.generate import generate
from slashgrammar.llama.text import StopFilter
from slashgrammar.tools import ToolSet
from slashgrammar.tools.lists import custom_names

if TYPE_CHECKING:
    from llama_cpp import llama_types

    Answer: TypeAlias = (
        llama_types.CreateChatCompletionResponse | Iterator[llama_types.CreateChatCompletionStreamResponse]
    )


class SlashChatHandler:
    """Answers requests with tools by constrained slash commands; hands all others to the model's own handler.

    Those others are requests without tools, and with a `grammar` or `response_format` of their own.

    Args:
        parallel: several calls in an answer, or at most one.
        prose: text before the calls, or none.
        reasoning: whether the model may reason first, or the delimiters of its reasoning; it comes back as
            `reasoning_content`.
        style, dialect: how calls are written underneath, as in `ToolSet.compile`.
        open_objects: as in `ToolSet`.
        retries: how often a call that its schema does not take, where no grammar can say so, is written anew.
    """

    def __init__(
        self,
        *,
        parallel: bool = True,
        prose: bool = True,
        reasoning: bool | tuple[str, str] = False,
        style: Literal["lines", "inline"] = "lines",
        dialect: Literal["slash", "hermes"] = "slash",
        open_objects: bool = False,
        retries: int = 0,
    ) -> None:
        self._open_objects = open_objects
        self._options: dict[str, Any] = {
            "parallel": parallel,
            "prose": prose,
            "reasoning": reasoning,
            "style": style,
            "dialect": dialect,
            "retries": retries,
        }

    def __call__(
        self,
        *,
        llama: Any,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: str | Mapping[str, Any] | None = None,
        stream: bool = False,
        stop: str | Sequence[str] | None = (),
        max_tokens: int | None = None,
        model: str | None = None,
        logit_bias: Mapping[Any, float] | None = None,
        logprobs: bool | None = None,
        top_logprobs: int | None = None,
        logits_processor: Sequence[Any] | None = None,
        **others: Any,
    ) -> Answer:
        """Answers a request of `Llama.create_chat_completion`, whose parameters these are.

        Raises:
            ToolError: a tool cannot be used, or `tool_choice` names none of them.
            ModelError: the messages do not fit the model's chat template, or its context.
            ValueError: a parameter makes no sense, or is one that cannot be honoured.
            TextError: a call does not fit its tool where the grammar had to be wider than the tool's schema.
        """
        if not tools or others.get("grammar") or others.get("response_format"):
            own: Answer = own_handler(llama)(
                llama=llama, messages=messages, tools=tools, tool_choice=tool_choice, stream=stream, stop=stop,
                max_tokens=max_tokens, model=model, logit_bias=logit_bias, logprobs=logprobs,
                top_logprobs=top_logprobs, logits_processor=logits_processor, **others,
            )  # fmt: skip
            return own
        source = generate(
            llama,
            messages,
            tool_set(tools, open_objects=self._open_objects),
            tool_choice=choice_of(tool_choice),
            max_tokens=max_tokens if max_tokens and max_tokens > 0 else None,
            stop=stops_of(stop),
            logprobs=alternatives(logprobs, top_logprobs),
            logit_bias=bias_of(logit_bias),
            logits_processor=tuple(logits_processor or ()),
            **self._options,
            **_sampling(others),
        )
        completion = Completion(source, model or llama.model_path, logprobs=bool(logprobs), custom=custom_names(tools))
        return cast("Answer", completion.chunks() if stream else completion.whole())


def register() -> None:
    """Makes the handler known to llama-cpp-python as `chat_format="slash"`; doing so again changes nothing."""
    register_handler("slash", SlashChatHandler())


def tool_set(tools: Sequence[Mapping[str, Any]], *, open_objects: bool = False) -> ToolSet:
    """The tools of a request; raises ToolError. Conversations send the same ones again and again."""
    return _known_tools(json.dumps(tools), open_objects)


@lru_cache(maxsize=16)
def _known_tools(text: str, open_objects: bool) -> ToolSet:
    return ToolSet.load(json.loads(text), open_objects=open_objects)


def choice_of(tool_choice: str | Mapping[str, Any] | None) -> str:
    """A request's `tool_choice` as `generate` takes it; raises ValueError where it is none."""
    if tool_choice is None:
        return "auto"
    if tool_choice in ("auto", "none", "required"):
        return str(tool_choice)
    chosen = tool_choice if isinstance(tool_choice, Mapping) else {}
    tool = chosen.get("custom" if chosen.get("type") == "custom" else "function")
    name = tool.get("name") if isinstance(tool, Mapping) else None
    if not isinstance(name, str):
        raise ValueError(
            f"tool_choice is auto, none, required or "
            f'{{"type": "function", "function": {{"name": …}}}} (or custom), not {tool_choice!r}'
        )
    return name


def stops_of(stop: str | Sequence[str] | None) -> tuple[str, ...]:
    """A request's `stop` as a tuple; raises ValueError where it holds no texts."""
    stops = (stop,) if isinstance(stop, str) else tuple(stop or ())
    StopFilter(stops)
    return stops


def bias_of(logit_bias: Mapping[Any, float] | None) -> dict[int, float] | None:
    """A request's `logit_bias`, whose keys are texts in JSON."""
    return {int(token): float(bias) for token, bias in logit_bias.items()} if logit_bias else None


def alternatives(logprobs: bool | None, top_logprobs: int | None) -> int | None:
    """How many alternatives to note for each token; None to note nothing."""
    if top_logprobs is not None and not 0 <= top_logprobs <= 20:
        raise ValueError(f"top_logprobs is from 0 to 20, not {top_logprobs}")
    if top_logprobs and not logprobs:
        raise ValueError("top_logprobs needs logprobs=True")
    return (top_logprobs or 0) if logprobs else None


SAMPLING = (
    "temperature", "top_p", "top_k", "min_p", "typical_p", "seed", "presence_penalty", "frequency_penalty",
    "repeat_penalty", "mirostat_mode", "mirostat_tau", "mirostat_eta",
)  # fmt: skip
"""The parameters of requests that the sampler takes under the same names."""


def _sampling(others: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the sampler; refuses by name what else asks for something."""
    if others.get("functions") or others.get("function_call"):
        raise ValueError("functions and function_call are not supported; send them as tools and tool_choice")
    if others.get("tfs_z", 1.0) != 1.0:
        raise ValueError("tfs_z is not supported; llama.cpp no longer has tail-free sampling")
    idle = {"functions", "function_call", "tfs_z", "grammar", "response_format"}
    unknown = [name for name, value in others.items() if name not in (*SAMPLING, *idle) and value is not None]
    if unknown:
        raise ValueError(f"not supported with tools: {', '.join(unknown)}; leave them out")
    return {name: others[name] for name in SAMPLING if name in others}
