"""Clients for servers with OpenAI's chat completions and grammars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx
from typing_extensions import Self

from slashgrammar.grammar.delimiters import DEFAULT
from slashgrammar.grammar.join import compile_tools
from slashgrammar.remote.reply import AsyncReply, Reply
from slashgrammar.remote.request import Server, chat_messages, grammar_field

if TYPE_CHECKING:
    from slashgrammar.grammar.compiled import CompiledGrammar
    from slashgrammar.tools import ToolSet

_PATH = "chat/completions"


class _Settings:
    """What both clients know, and the requests they make of it."""

    def __init__(self, base_url: str, server: Server, model: str | None, api_key: str | None) -> None:
        grammar_field(server, "")
        self._base_url = base_url.rstrip("/") + "/"
        self._server = server
        self._model = model
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def _request(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: ToolSet,
        grammar: CompiledGrammar | None,
        reasoning: bool | tuple[str, str],
        body: dict[str, Any],
        **choices: Any,
    ) -> tuple[dict[str, Any], CompiledGrammar, tuple[str, str] | None]:
        if grammar is not None and grammar.dialect is not None:
            choices["dialect"] = grammar.dialect
        grammar = grammar or compile_tools(tools, reasoning=reasoning, **choices)
        shown = {name: choices[name] for name in ("tool_choice", "parallel", "style", "dialect")}
        body = {name: value for name, value in body.items() if value is not None}
        body |= {"messages": chat_messages(messages, tools, **shown), "stream": True}
        body |= grammar_field(self._server, grammar.gbnf)
        if self._model is not None:
            body["model"] = self._model
        return body, grammar, DEFAULT if reasoning is True else reasoning or None


class Client(_Settings):
    """A client; a context manager.

    Args:
        base_url: the address of the API, such as `http://localhost:8080/v1`.
        server: what answers there; "llama.cpp" for llama-server and `slashgrammar serve`.
        model: the name of the model, where the server has several; vLLM always wants one.
        api_key: sent as `Authorization: Bearer …`.
        timeout: seconds to wait for a connection, and for each piece of an answer.
        retries: how often to try to connect again.
    """

    def __init__(
        self,
        base_url: str,
        *,
        server: Server = "llama.cpp",
        model: str | None = None,
        api_key: str | None = None,
        timeout: float = 120.0,
        retries: int = 2,
    ) -> None:
        super().__init__(base_url, server, model, api_key)
        transport = httpx.HTTPTransport(retries=retries)
        self._http = httpx.Client(timeout=timeout, transport=transport, headers=self._headers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def generate(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: ToolSet,
        *,
        grammar: CompiledGrammar | None = None,
        tool_choice: str = "auto",
        parallel: bool = True,
        prose: bool = True,
        reasoning: bool | tuple[str, str] = False,
        style: str = "lines",
        dialect: str = "slash",
        max_tokens: int | None = None,
        temperature: float | None = None,
        top_p: float | None = None,
        seed: int | None = None,
        stop: Sequence[str] | None = None,
        **body: Any,
    ) -> Reply:
        """Lets the server write a message whose calls are valid; nothing is sent before the first event is asked for.

        Args:
            messages: as in the OpenAI API, calls and results among them.
            tools: what may be called.
            grammar: one compiled before, instead of the choices that follow.
            tool_choice, parallel, prose, reasoning, style, dialect: as in `ToolSet.compile`.
            max_tokens, temperature, top_p, seed, stop: as in the OpenAI API; None for what the server does.
            body: further fields of the request, such as `top_k`.

        Raises:
            ToolError, GrammarError: the tools cannot be used.
            ValueError: a message makes no sense.
        """
        sent, grammar, delimiters = self._request(
            messages, tools, grammar, reasoning,
            {"max_tokens": max_tokens, "temperature": temperature, "top_p": top_p, "seed": seed, "stop": stop, **body},
            tool_choice=tool_choice, parallel=parallel, prose=prose, style=style, dialect=dialect,
        )  # fmt: skip
        response = self._http.stream("POST", self._base_url + _PATH, json=sent)
        return Reply(response, tools, grammar, delimiters)


class AsyncClient(_Settings):
    """The same as `Client` for asynchronous programs; an asynchronous context manager."""

    def __init__(
        self,
        base_url: str,
        *,
        server: Server = "llama.cpp",
        model: str | None = None,
        api_key: str | None = None,
        timeout: float = 120.0,
        retries: int = 2,
    ) -> None:
        super().__init__(base_url, server, model, api_key)
        transport = httpx.AsyncHTTPTransport(retries=retries)
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport, headers=self._headers)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    def generate(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: ToolSet,
        *,
        grammar: CompiledGrammar | None = None,
        tool_choice: str = "auto",
        parallel: bool = True,
        prose: bool = True,
        reasoning: bool | tuple[str, str] = False,
        style: str = "lines",
        dialect: str = "slash",
        max_tokens: int | None = None,
        temperature: float | None = None,
        top_p: float | None = None,
        seed: int | None = None,
        stop: Sequence[str] | None = None,
        **body: Any,
    ) -> AsyncReply:
        """The same as `Client.generate`."""
        sent, grammar, delimiters = self._request(
            messages, tools, grammar, reasoning,
            {"max_tokens": max_tokens, "temperature": temperature, "top_p": top_p, "seed": seed, "stop": stop, **body},
            tool_choice=tool_choice, parallel=parallel, prose=prose, style=style, dialect=dialect,
        )  # fmt: skip
        response = self._http.stream("POST", self._base_url + _PATH, json=sent)
        return AsyncReply(response, tools, grammar, delimiters)
