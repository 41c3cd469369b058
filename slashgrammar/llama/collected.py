"""Deltas of OpenAI's chat completions, put together again."""

from __future__ import annotations

from typing import Any


class Collected:
    """Deltas put together to the message they are of.

    Attributes:
        message: as a chat completion that is not streamed has it.
    """

    def __init__(self) -> None:
        self.message: dict[str, Any] = {"role": "assistant", "content": None}

    def add(self, delta: dict[str, Any]) -> None:
        """The next delta."""
        for key in ("content", "reasoning_content"):
            if key in delta:
                self.message[key] = (self.message.get(key) or "") + delta[key]
        for part in delta.get("tool_calls", ()):
            calls = self.message.setdefault("tool_calls", [])
            kind, text = ("custom", "input") if "custom" in part else ("function", "arguments")
            if part["index"] == len(calls):
                calls.append({"id": part["id"], "type": kind, kind: dict(part[kind])})
            else:
                calls[part["index"]][kind][text] += part[kind][text]
