"""Messages of the OpenAI API as the turns of a chat whose calls are slash commands, or of another dialect."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from slashgrammar.calls.message import Call
from slashgrammar.calls.render import render
from slashgrammar.dialects.notation import notation
from slashgrammar.tools.lists import CUSTOM_INPUT

ChatMessage = Mapping[str, Any]
Turn = dict[str, str]

WRITTEN = "written"
"""The key of a turn for text behind its content that is ours: names of the dialect's control tokens are meant in it."""

ROLES = ("system", "user", "assistant", "tool")


def turns_of(messages: Sequence[ChatMessage], dialect: str = "slash") -> list[Turn]:
    """The messages with texts for contents: calls and results are written as the model would see and write them.

    A message of the role `tool` begins with the line `result of /name:`, or `result 2 of /name:` where the call was one
    of several; the name and the number are those of its `tool_call_id`. Results that are JSON stay as they are; other
    texts become JSON strings or, with line breaks, code blocks.

    In the dialect "hermes" results are what they are.

    Raises:
        ValueError: a message has no known role, a content that is no text, or calls that are none.
    """
    turns: list[Turn] = []
    asked: dict[str, str] = {}
    for number, message in enumerate(messages):
        role = message.get("role")
        role = "system" if role == "developer" else role
        if role not in ROLES:
            raise ValueError(f"message {number} has the role {role!r}; expected one of developer, {', '.join(ROLES)}")
        content = _text(message.get("content"), number)
        if role == "assistant" and message.get("tool_calls"):
            entries = message["tool_calls"]
            if not isinstance(entries, list | tuple):
                raise ValueError(f"message {number} has tool_calls that are no list")
            calls = [_call(entry, number) for entry in entries]
            asked |= _titles([(str(entry.get("id")), call) for entry, call in zip(entries, calls, strict=True)])
            turns.append(ours(role, content, notation(dialect).recall(calls, None, "lines"), dialect))
            continue
        if role == "tool" and dialect == "slash":
            name = message.get("name") or "the call"
            title = asked.get(str(message.get("tool_call_id")), f"result of /{name}:")
            content = f"{title}\n{_result(content)}"
        turns.append({"role": role, "content": content})
    return turns


def ours(role: str, content: str, written: str, dialect: str) -> Turn:
    """A turn with text of ours behind a content; it stands apart where the dialect has control tokens in it."""
    turn = {"role": role, "content": content, WRITTEN: written}
    return {"role": role, "content": text_of(turn)} if dialect == "slash" else turn


def text_of(turn: Turn) -> str:
    """All that a turn says."""
    return "\n\n".join(part for part in (turn["content"], turn.get(WRITTEN)) if part)


def _text(content: Any, number: int) -> str:
    """A content, which may be absent or a list of parts."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    try:
        return "".join(part if isinstance(part, str) else part["text"] for part in content)
    except (TypeError, KeyError):
        raise ValueError(f"message {number} has a content that is no text; images and sounds cannot be read") from None


def _call(entry: Any, number: int) -> Call:
    try:
        if entry.get("type") == "custom":
            return Call(entry["custom"]["name"], {CUSTOM_INPUT: entry["custom"]["input"]})
        function = entry["function"]
        arguments = function["arguments"]
        if isinstance(arguments, str):
            arguments = json.loads(arguments or "{}")
        if not isinstance(arguments, dict):
            raise TypeError
        return Call(function["name"], arguments)
    except (AttributeError, TypeError, KeyError, ValueError):
        raise ValueError(
            f"message {number} has a tool call that is none; expected a function with a name and an object of arguments"
        ) from None


def _titles(calls: Sequence[tuple[str, Call]]) -> dict[str, str]:
    if len(calls) == 1:
        return {calls[0][0]: f"result of /{calls[0][1].name}:"}
    return {call_id: f"result {place} of /{call.name}:" for place, (call_id, call) in enumerate(calls, 1)}


def _result(text: str) -> str:
    try:
        json.loads(text)
    except ValueError:
        return render([Call("result", {"text": text})]).removeprefix("/result\ntext=").removeprefix("\n")
    return text
