"""Chat messages as the tokens of a prompt, by the chat template in the model's GGUF."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from jinja2 import TemplateError

from slashgrammar.errors import ModelError
from slashgrammar.llama.binding import Vocabulary, chat_template, vocabulary
from slashgrammar.llama.encode import Encoder
from slashgrammar.prompts.history import WRITTEN, Turn, text_of

Formatter = Callable[[list[Turn]], str]

_PROBE = "probe7f3a"


class ChatTemplate:
    """A model's chat template, with what its author left out: missing roles become user messages.

    Args:
        template: renders messages, up to where the assistant's answer begins.
        vocabulary: of the model.

    Attributes:
        has_system, has_tool: whether the template writes messages of these roles.
        alternates: whether it refuses two user messages in a row.
    """

    def __init__(self, template: Formatter, vocabulary: Vocabulary) -> None:
        self._format = template
        self._vocabulary = vocabulary
        user, answer = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
        self.has_system = self._writes([{"role": "system", "content": _PROBE}, user])
        self.has_tool = self._writes([user, answer, {"role": "tool", "content": _PROBE}])
        self.alternates = not self._writes([user, {"role": "user", "content": _PROBE}])

    def opens(self, opening: str) -> bool:
        """Whether the answer's beginning, which the template writes, ends with this text."""
        return self._render([{"role": "user", "content": "a"}]).rstrip().endswith(opening)

    def tokens(self, turns: Sequence[Turn], meant: frozenset[str] = frozenset()) -> list[int]:
        """The prompt's tokens, up to where the assistant's answer begins.

        Args:
            turns: what was said.
            meant: names of control tokens that are meant in the `WRITTEN` parts of turns.

        Raises:
            ModelError: the template refuses the messages.
        """
        encoder = Encoder(self._vocabulary, map(text_of, turns))
        marked = [
            {
                "role": turn["role"],
                "content": encoder.mark(turn["content"]),
                WRITTEN: encoder.mark(turn.get(WRITTEN, ""), meant),
            }
            for turn in turns
        ]
        try:
            prompt = self._render(self._fit([{**turn, "content": text_of(turn)} for turn in marked]))
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
            fitted.append({"role": role, "content": content})
        if system:
            fitted.append({"role": "user", "content": system.removesuffix("\n\n")})
        return fitted

    def _render(self, turns: Sequence[Turn]) -> str:
        return self._format(list(turns))

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
        known = _templates[llm] = ChatTemplate(chat_template(llm), vocabulary(llm))
    return known
