"""Events as deltas of OpenAI's chat completions."""

from __future__ import annotations

import json
import secrets
from typing import Any

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

Delta = dict[str, Any]


class Deltas:
    """Turns events into deltas; the fragments of a call's `arguments` add up to one JSON object."""

    def __init__(self) -> None:
        self._index = -1
        self._separator = "{"
        self._in_string = False

    def of(self, event: Event) -> Delta:
        """The delta of the next event."""
        if isinstance(event, TextDelta):
            return {"content": event.text}
        if isinstance(event, ReasoningDelta):
            return {"reasoning_content": event.text}
        if isinstance(event, CallStart):
            self._index += 1
            self._separator = "{"
            return self._call({"name": event.name, "arguments": ""}, id=f"call_{secrets.token_hex(12)}")
        return self._call({"name": None, "arguments": self._fragment(event)})

    def _fragment(self, event: ArgumentStart | ArgumentDelta | ArgumentEnd | CallEnd) -> str:
        if isinstance(event, ArgumentStart):
            separator, self._separator = self._separator, ", "
            return f"{separator}{_json(event.name)}: "
        if isinstance(event, ArgumentDelta):
            begun, self._in_string = self._in_string, True
            return ("" if begun else '"') + _json(event.text)[1:-1]
        if isinstance(event, CallEnd):
            return "}" if event.call.arguments else "{}"
        begun, self._in_string = self._in_string, False
        return '"' if begun else _json(event.value)

    def _call(self, function: dict[str, Any], **fields: str) -> Delta:
        return {"tool_calls": [{"index": self._index, **fields, "type": "function", "function": function}]}


class Collected:
    """Deltas put together to the message they are of.

    Attributes:
        message: as a chat completion that is not streamed has it.
    """

    def __init__(self) -> None:
        self.message: dict[str, Any] = {"role": "assistant", "content": None}

    def add(self, delta: Delta) -> None:
        """The next delta."""
        for key in ("content", "reasoning_content"):
            if key in delta:
                self.message[key] = (self.message.get(key) or "") + delta[key]
        for part in delta.get("tool_calls", ()):
            calls = self.message.setdefault("tool_calls", [])
            if part["index"] == len(calls):
                calls.append({"id": part["id"], "type": "function", "function": dict(part["function"])})
            else:
                calls[part["index"]]["function"]["arguments"] += part["function"]["arguments"]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
