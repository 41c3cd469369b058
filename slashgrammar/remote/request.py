"""Requests that carry a grammar, in the words of each server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from slashgrammar.prompts.history import text_of, turns_of

if TYPE_CHECKING:
    from slashgrammar.tools import ToolSet

Server: TypeAlias = Literal["llama.cpp", "vllm", "sglang"]

_FIELDS: dict[str, Callable[[str], dict[str, Any]]] = {
    "llama.cpp": lambda gbnf: {"grammar": gbnf},
    "vllm": lambda gbnf: {"structured_outputs": {"grammar": gbnf}},
    "sglang": lambda gbnf: {"ebnf": gbnf},
}


def grammar_field(server: Server, gbnf: str) -> dict[str, Any]:
    """The field of the body that holds the grammar: llama-server's and our own, vLLM's since 0.12, SGLang's.

    Raises:
        ValueError: there is no such server.
    """
    if server not in _FIELDS:
        raise ValueError(f"there is no server {server!r}; choose one of {', '.join(_FIELDS)}")
    return _FIELDS[server](gbnf)


def chat_messages(
    messages: Sequence[Mapping[str, Any]], tools: ToolSet, *, tool_choice: str, parallel: bool, style: str, dialect: str
) -> list[dict[str, str]]:
    """The messages as a server without knowledge of our calls takes them.

    The signatures stand in the system message, calls in the assistant's texts, results in the user's. Where that puts
    two messages of the user in a row they become one, for some chat templates refuse them.
    """
    turns = turns_of(messages, dialect)
    system = turns.pop(0)["content"] if turns and turns[0]["role"] == "system" else None
    if tool_choice != "none":
        system = tools.prompt(system=system, parallel=parallel, style=style, dialect=dialect)
    merged = [{"role": "system", "content": system}] if system else []
    for turn in turns:
        role = "user" if turn["role"] == "tool" else turn["role"]
        if merged and merged[-1]["role"] == role:
            merged[-1]["content"] += "\n\n" + text_of(turn)
        else:
            merged.append({"role": role, "content": text_of(turn)})
    return merged
