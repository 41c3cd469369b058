"""Chat messages as the tokens of a prompt, by the chat template in the model's GGUF."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import TemplateError

from slashgrammar.errors import ModelError
from slashgrammar.llama.binding import Vocabulary, chat_template, vocabulary
from slashgrammar.llama.encode import Encoder

Message = Mapping[str, Any]
Turn = dict[str, str]

_PROBE = "probe7f3a"


class ChatTemplate:
    """A model's chat template, with what its author left out: missing roles become user messages.

    Attributes:
        has_system, has_tool: whether the template writes messages of these roles.
        alternates: whether it refuses two user messages in a row.
    """

    def __init__(self, llm: Any) -> None:
        self._format = chat_template(llm)
        self._vocabulary: Vocabulary = vocabulary(llm)
        user, answer = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
        self.has_system = self._writes([{"role": "system", "content": _PROBE}, user])
        self.has_tool = self._writes([user, answer, {"role": "tool", "content": _PROBE}])
        self.alternates = not self._writes([user, {"role": "user", "content": _PROBE}])

    def tokens(self, turns: Sequence[Turn]) -> list[int]:
        """The prompt's tokens, up to where the assistant's answer begins.

        Raises:
            ModelError: the template refuses the messages.
        """
        fitted = self._fit(turns)
        encoder = Encoder(self._vocabulary, [turn["content"] for turn in fitted])
        marked = [{**turn, "content": encoder.mark(turn["content"])} for turn in fitted]
        try:
            prompt = self._render(marked)
        except (TemplateError, ValueError, TypeError) as error:
            raise ModelError(f"the model's chat template refuses these messages: {error}") from error
        return encoder.tokens(prompt)

    def _fit(self, turns: Sequence[Turn]) -> list[Turn]:
        """The turns in roles, and in an order, that the template knows."""
        fitted: list[Turn] = []
        system = ""
        for turn in turns:
            role, content = turn["role"], turn["content"]
            if role == "system" and not self.has_system:
                system += content + "\n\n"
                continue
            if role == "tool" and not self.has_tool:
                role = "user"
            if role == "user":
                content, system = system + content, ""
            if self.alternates and fitted and fitted[-1]["role"] == role:
                content = fitted.pop()["content"] + "\n\n" + content
            fitted.append({**turn, "role": role, "content": content})
        if system:
            fitted.append({"role": "user", "content": system.removesuffix("\n\n")})
        return fitted

    def _render(self, turns: Sequence[Turn]) -> str:
        return self._format(messages=list(turns)).prompt  # type: ignore[arg-type]

    def _writes(self, turns: Sequence[Turn]) -> bool:
        try:
            return _PROBE in self._render(turns)
        except (TemplateError, ValueError, TypeError):
            return False


_templates: weakref.WeakKeyDictionary[Any, ChatTemplate] = weakref.WeakKeyDictionary()


def template_of(llm: Any) -> ChatTemplate:
    """The chat template of a `llama_cpp.Llama`, examined once.

    Raises:
        ModelError: the model has none.
    """
    known = _templates.get(llm)
    if known is None:
        known = _templates[llm] = ChatTemplate(llm)
    return known


def turns_of(messages: Sequence[Message], instructions: str) -> list[Turn]:
    """Messages of the OpenAI API as plain turns, with the instructions at the end of the system message.

    Raises:
        ValueError: a message has no known role, or a content that is no text.
    """
    turns = [_turn(message, number) for number, message in enumerate(messages)]
    if instructions:
        if turns and turns[0]["role"] == "system":
            turns[0]["content"] = f"{turns[0]['content']}\n\n{instructions}".lstrip("\n")
        else:
            turns.insert(0, {"role": "system", "content": instructions})
    return turns


def _turn(message: Message, number: int) -> Turn:
    role = message.get("role")
    if role == "developer":
        role = "system"
    if role not in ("system", "user", "assistant", "tool"):
        raise ValueError(f"message {number} has the role {role!r}; expected system, developer, user, assistant or tool")
    content = message.get("content")
    if content is None:
        content = ""
    elif not isinstance(content, str):
        try:
            content = "".join(part["text"] for part in content)
        except (TypeError, KeyError):
            raise ValueError(f"message {number} has a content that is no text") from None
    return {"role": role, "content": content}
