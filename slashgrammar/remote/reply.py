"""What a server streams back, as events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import TYPE_CHECKING, Any

import httpx

from slashgrammar.calls.cut import cut_off, ends_in_call
from slashgrammar.calls.events import Event, ReasoningDelta
from slashgrammar.errors import IncompleteCall, SlashError, TextError
from slashgrammar.grammar.delimiters import DEFAULT

if TYPE_CHECKING:
    from slashgrammar.calls import Message
    from slashgrammar.grammar.compiled import CompiledGrammar
    from slashgrammar.tools import ToolSet


class ServerError(SlashError):
    """A server that cannot be reached, refuses a request, or breaks off.

    Attributes:
        status: the HTTP status, or None where there was none.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        self.status = status
        super().__init__(message)


class _Reading:
    """Lines of server-sent events, as they come, to events and a message.

    Attributes:
        text: what the server has sent, without reasoning that it keeps apart.
        finish_reason: None until the end, then "stop", "tool_calls" (a message with calls) or "length".
        usage: the numbers of tokens, if the server tells them.
    """

    def __init__(self, tools: ToolSet, grammar: CompiledGrammar, reasoning: tuple[str, str] | None) -> None:
        self._grammar = grammar
        self._parser = tools.stream(reasoning=reasoning or DEFAULT, dialect=grammar.dialect or "slash")
        self._complete = False
        self._cut: IncompleteCall | None = None
        self.text = ""
        self.finish_reason: str | None = None
        self.usage: dict[str, int] | None = None

    def feed(self, line: str) -> list[Event]:
        """What a line makes certain."""
        data = line.removeprefix("data:").strip()
        if not line.startswith("data:") or data == "[DONE]":
            return []
        try:
            chunk: dict[str, Any] = json.loads(data)
        except ValueError:
            raise ServerError(f"the server streams something that is no JSON: {data[:80]!r}") from None
        if "error" in chunk:
            raise ServerError(f"the server broke off: {_complaint(chunk)}")
        self.usage = chunk.get("usage") or self.usage
        events: list[Event] = []
        for choice in chunk.get("choices", ())[:1]:
            delta = choice.get("delta") or {}
            if thought := delta.get("reasoning_content") or delta.get("reasoning"):
                events.append(ReasoningDelta(thought))
            if content := delta.get("content"):
                self.text += content
                events += self._parser.feed(content)
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
        return events

    def close(self) -> list[Event]:
        """What the end makes certain."""
        if self.finish_reason is None:
            raise ServerError("the server broke off before the end of its answer; ask again")
        so_far = self._parser.message
        is_cut = self.finish_reason == "length" and ends_in_call(self._grammar, self.text, so_far, by_itself=False)
        events = self._parser.close()
        if self.finish_reason == "stop" and self._parser.message.calls:
            self.finish_reason = "tool_calls"
        self._complete = True
        if is_cut:  # what the end of the text would make certain is not
            self._cut = cut_off(self.text, so_far)
            return []
        return events

    def finish(self) -> Message:
        if not self._complete:
            raise ServerError("the answer was not read to its end; read all of its events, or ask again")
        try:
            message = self._parser.finish()
        except IncompleteCall:
            raise
        except TextError:
            if self._cut is None:
                raise
        if self._cut is not None:
            raise self._cut
        return message


class Reply(_Reading):
    """An answer on its way: iterate over its events, then read `message`."""

    def __init__(
        self,
        response: AbstractContextManager[httpx.Response],
        tools: ToolSet,
        grammar: CompiledGrammar,
        reasoning: tuple[str, str] | None,
    ) -> None:
        super().__init__(tools, grammar, reasoning)
        self._events = self._read(response)

    def __iter__(self) -> Iterator[Event]:
        return self._events

    @property
    def message(self) -> Message:
        """The answer; what has not come yet is waited for.

        Raises:
            ServerError: the server cannot be reached, refuses, or breaks off.
            TextError: a call was cut off, or does not fit its tool where the grammar had to be wider.
        """
        for _ in self._events:
            pass
        return self.finish()

    def _read(self, opened: AbstractContextManager[httpx.Response]) -> Iterator[Event]:
        try:
            with opened as response:
                if response.is_error:
                    response.read()
                    raise refusal(response)
                for line in response.iter_lines():
                    yield from self.feed(line)
        except httpx.HTTPError as error:
            raise unreachable(error) from error
        yield from self.close()


class AsyncReply(_Reading):
    """An answer on its way: iterate over its events, then await `message()`."""

    def __init__(
        self,
        response: AbstractAsyncContextManager[httpx.Response],
        tools: ToolSet,
        grammar: CompiledGrammar,
        reasoning: tuple[str, str] | None,
    ) -> None:
        super().__init__(tools, grammar, reasoning)
        self._events = self._read(response)

    def __aiter__(self) -> AsyncIterator[Event]:
        return self._events

    async def message(self) -> Message:
        """The answer, as `Reply.message`."""
        async for _ in self._events:
            pass
        return self.finish()

    async def _read(self, opened: AbstractAsyncContextManager[httpx.Response]) -> AsyncIterator[Event]:
        try:
            async with opened as response:
                if response.is_error:
                    await response.aread()
                    raise refusal(response)
                async for line in response.aiter_lines():
                    for event in self.feed(line):
                        yield event
        except httpx.HTTPError as error:
            raise unreachable(error) from error
        for event in self.close():
            yield event


def refusal(response: httpx.Response) -> ServerError:
    """The error for an answer with an error's status."""
    try:
        complaint = _complaint(response.json())
    except ValueError:
        complaint = response.text[:200]
    status = response.status_code
    return ServerError(f"{response.request.url} refuses the request with status {status}: {complaint}", status)


def unreachable(error: httpx.HTTPError) -> ServerError:
    """The error for a server that does not answer as one does."""
    return ServerError(f"{error.request.url} cannot be reached: {str(error) or type(error).__name__}")


def _complaint(body: Any) -> str:
    error = body.get("error", body) if isinstance(body, dict) else body
    message = error.get("message", error) if isinstance(error, dict) else error
    return str(message)
