"""A request for a chat completion, and the generation that answers it."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, Field

from slashgrammar.calls.document import Check, document_check
from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.grammar.join import compile_schema
from slashgrammar.llama.chat_handler import SAMPLING, alternatives, bias_of, choice_of, stops_of, tool_set
from slashgrammar.llama.generate import Generation, generate
from slashgrammar.llama.limits import Limits
from slashgrammar.llama.writing import Writing

Source: TypeAlias = Generation | Writing


class StreamOptions(BaseModel):
    """`stream_options`."""

    include_usage: bool | None = None


class ChatRequest(BaseModel):
    """The body of a request, as OpenAI's clients send it; null is as good as absent.

    The sampling parameters of llama.cpp and `grammar` (GBNF that the whole answer has to match) are taken besides.
    What else a client sends, such as `user` or `store`, has no meaning here.
    """

    messages: list[dict[str, Any]] = Field(min_length=1)
    model: str | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    response_format: dict[str, Any] | None = None
    grammar: str | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: int | None = Field(None, ge=1)
    max_completion_tokens: int | None = Field(None, ge=1)
    n: int | None = None
    stop: str | list[str] | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    logit_bias: dict[str, float] | None = None
    functions: list[Any] | None = None
    function_call: Any = None
    temperature: float | None = Field(None, ge=0, allow_inf_nan=False)
    top_p: float | None = Field(None, ge=0, le=1)
    top_k: int | None = Field(None, ge=-1)
    min_p: float | None = Field(None, ge=0, le=1)
    typical_p: float | None = Field(None, ge=0, le=1)
    seed: int | None = Field(None, ge=-1)
    presence_penalty: float | None = Field(None, ge=-2, le=2)
    frequency_penalty: float | None = Field(None, ge=-2, le=2)
    repeat_penalty: float | None = Field(None, gt=0, allow_inf_nan=False)
    mirostat_mode: int | None = Field(None, ge=0, le=2)
    mirostat_tau: float | None = Field(None, ge=0, allow_inf_nan=False)
    mirostat_eta: float | None = Field(None, ge=0, allow_inf_nan=False)

    @property
    def include_usage(self) -> bool:
        """Whether a stream is to end with the numbers of tokens."""
        return bool(self.stream_options and self.stream_options.include_usage)


def start(
    llm: Any,
    request: ChatRequest,
    *,
    reasoning: bool = False,
    retries: int = 0,
    dialect: Literal["slash", "hermes"] = "slash",
) -> Source:
    """The generation that answers a request, all of which is checked; the model has not run yet.

    Args:
        llm, reasoning, retries, dialect: as in `create_app`.
        request: the request.

    Raises:
        SlashError, ValueError: what is wrong with the request.
    """
    _refuse(request)
    budget = request.max_completion_tokens if request.max_completion_tokens is not None else request.max_tokens
    noted = alternatives(request.logprobs, request.top_logprobs)
    options = {name: value for name in SAMPLING if (value := getattr(request, name)) is not None}
    options["logit_bias"] = bias_of(request.logit_bias)
    if request.tools:
        return generate(
            llm,
            request.messages,
            tool_set(request.tools),
            tool_choice=choice_of(request.tool_choice),
            parallel=request.parallel_tool_calls is not False,
            reasoning=reasoning,
            dialect=dialect,
            retries=retries,
            max_tokens=budget,
            stop=stops_of(request.stop),
            logprobs=noted,
            **options,
        )
    limits = Limits(budget, stops_of(request.stop), noted)
    if request.grammar:
        return Writing(llm, request.messages, request.grammar, limits, **options)
    grammar, check = _format(request.response_format or {"type": "text"})
    return Writing(llm, request.messages, grammar, limits, check=check, retries=retries, **options)


def _refuse(request: ChatRequest) -> None:
    if request.n not in (None, 1):
        raise ValueError(f"n is 1, not {request.n}; send the request several times")
    if request.functions or request.function_call:
        raise ValueError("functions and function_call are not supported; send them as tools and tool_choice")
    if request.tools and (request.grammar or (request.response_format or {"type": "text"}).get("type") != "text"):
        raise ValueError("tools and a response_format or grammar exclude each other; leave one out")
    if not request.tools and request.tool_choice not in (None, "auto", "none"):
        raise ValueError("tool_choice asks for a call, but there are no tools; send tools, or leave it out")


def _format(response_format: dict[str, Any]) -> tuple[CompiledGrammar | None, Check | None]:
    """The grammar of a format, and the check of what it had to take more widely."""
    kind = response_format.get("type")
    if kind == "text":
        return None, None
    if kind == "json_object":
        return _document({"type": "object", **(response_format.get("schema") or {})}, "response_format", True)
    asked = response_format.get("json_schema")
    if kind != "json_schema" or not isinstance(asked, dict) or "schema" not in asked:
        raise ValueError(
            'response_format is {"type": "text"}, {"type": "json_object"} or '
            '{"type": "json_schema", "json_schema": {"name": …, "schema": …}}'
        )
    return _document(asked["schema"], str(asked.get("name", "schema")), not asked.get("strict"))


def _document(schema: Any, name: str, open_objects: bool) -> tuple[CompiledGrammar, Check | None]:
    grammar = compile_schema(schema, name=name, open_objects=open_objects)
    check = document_check(schema, name=name, open_objects=open_objects) if grammar.report else None
    return grammar, check
