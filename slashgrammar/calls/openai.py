"""Messages and events in the shape of OpenAI's chat API: `tool_calls`, and the deltas that add up to them.

Source of the shape: https://platform.openai.com/docs/api-reference/chat/object and /chat/streaming. Reasoning goes in
`reasoning_content`, as other servers of that API have it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any
from uuid import uuid4

from slashgrammar.calls.events import (
    ArgumentDelta,
    ArgumentEnd,
    ArgumentStart,
    CallEnd,
    CallStart,
    Event,
    ReasoningDelta,
    TextDelta,
)
from slashgrammar.calls.message import Message


def new_call_id() -> str:
    """An identifier for a call, as clients of the API expect one."""
    return f"call_{uuid4().hex[:24]}"


def assistant_message(message: Message, new_id: Callable[[], str] = new_call_id) -> dict[str, Any]:
    """The message as the API has it, with `content` None where there is no prose."""
    calls = [
        {
            "id": new_id(),
            "type": "function",
            "function": {"name": call.name, "arguments": _json(call.arguments)},
        }
        for call in message.calls
    ]
    result: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    if message.reasoning:
        result["reasoning_content"] = message.reasoning
    if calls:
        result["tool_calls"] = calls
    return result


class Deltas:
    """Turns the events of one message into the deltas of the API.

    The fragments of `function.arguments` with the same index make up JSON; it equals the arguments of the call.

    Args:
        new_id: makes identifiers of calls.
        custom: the names of custom tools, in whose calls the fragments of `custom.input` make up the one argument.
    """

    def __init__(self, new_id: Callable[[], str] = new_call_id, custom: Collection[str] = ()) -> None:
        self._new_id = new_id
        self._custom = custom
        self._is_custom = False
        self._index = -1
        self._before = ""
        self._in_string = False

    def delta(self, event: Event) -> dict[str, Any]:
        """The delta that an event makes."""
        if isinstance(event, TextDelta):
            return {"content": event.text}
        if isinstance(event, ReasoningDelta):
            return {"reasoning_content": event.text}
        if isinstance(event, CallStart):
            self._index += 1
            self._before = "{"
            self._is_custom = event.name in self._custom
            if self._is_custom:
                custom = {"name": event.name, "input": ""}
                return {
                    "tool_calls": [{"index": self._index, "id": self._new_id(), "type": "custom", "custom": custom}]
                }
            function = {"name": event.name, "arguments": ""}
            call = {"index": self._index, "id": self._new_id(), "type": "function", "function": function}
            return {"tool_calls": [call]}
        if self._is_custom:
            return {"tool_calls": [{"index": self._index, "custom": {"input": self._input(event)}}]}
        return {"tool_calls": [{"index": self._index, "function": {"arguments": self._fragment(event)}}]}

    def _input(self, event: ArgumentStart | ArgumentDelta | ArgumentEnd | CallEnd) -> str:
        if isinstance(event, ArgumentStart):
            self._in_string = False
        if isinstance(event, ArgumentDelta):
            self._in_string = True
            return event.text
        if isinstance(event, ArgumentEnd) and not self._in_string:
            return str(event.value)
        return ""

    def _fragment(self, event: ArgumentStart | ArgumentDelta | ArgumentEnd | CallEnd) -> str:
        if isinstance(event, ArgumentStart):
            before, self._before = self._before, ", "
            self._in_string = False
            return f"{before}{_json(event.name)}: "
        if isinstance(event, ArgumentDelta):
            quote = "" if self._in_string else '"'
            self._in_string = True
            return quote + _json(event.text)[1:-1]
        if isinstance(event, ArgumentEnd):
            return '"' if self._in_string else _json(event.value)
        return "}" if event.call.arguments else "{}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
