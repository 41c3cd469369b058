from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from llama_cpp import llama_chat_format

from slashgrammar.errors import ModelError
from slashgrammar.llama.binding import Context, chat_template, formatter, vocabulary
from slashgrammar.llama.prompt import ChatTemplate, template_of
from slashgrammar.prompts.history import Turn

# Gemma's way: no system role, strict alternation, its own name for the assistant.
NO_SYSTEM = """{{ bos_token }}\
{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}\
{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}\
{{ raise_exception('roles must alternate') }}{% endif %}\
<|im_start|>{{ 'model' if message['role'] == 'assistant' else message['role'] }}
{{ message['content'] | trim }}<|im_end|>
{% endfor %}{{ '<|im_start|>model\n' }}"""

CONVERSATION: list[Turn] = [
    {"role": "system", "content": "Use tools."},
    {"role": "user", "content": "Read it."},
    {"role": "assistant", "content": "/read"},
    {"role": "tool", "content": "result of /read:\n1"},
    {"role": "user", "content": "And now?"},
]


def _template(llm: Any, text: str) -> ChatTemplate:
    return ChatTemplate(formatter(text, "<|endoftext|>", "<|im_end|>"), vocabulary(llm))


def _text(llm: Any, tokens: list[int]) -> str:
    return b"".join(vocabulary(llm).pieces[token] for token in tokens).decode("utf-8")


def test_the_models_own_template(llm: Any) -> None:
    template = template_of(llm)
    assert template is template_of(llm)
    assert (template.has_system, template.has_tool, template.alternates) == (True, True, False)
    assert _text(llm, template.tokens(CONVERSATION)) == (
        "<|im_start|>system\nUse tools.<|im_end|>\n<|im_start|>user\nRead it.<|im_end|>\n"
        "<|im_start|>assistant\n/read<|im_end|>\n<|im_start|>tool\nresult of /read:\n1<|im_end|>\n"
        "<|im_start|>user\nAnd now?<|im_end|>\n<|im_start|>assistant\n"
    )


def test_without_system_and_tool_roles_all_is_said_by_the_user(llm: Any) -> None:
    template = _template(llm, NO_SYSTEM)
    assert (template.has_system, template.has_tool, template.alternates) == (False, False, True)
    assert _text(llm, template.tokens(CONVERSATION)) == (
        "<|endoftext|><|im_start|>user\nUse tools.\n\nRead it.<|im_end|>\n<|im_start|>model\n/read<|im_end|>\n"
        "<|im_start|>user\nresult of /read:\n1\n\nAnd now?<|im_end|>\n<|im_start|>model\n"
    )


def test_a_system_message_alone_becomes_the_users(llm: Any) -> None:
    assert "<|im_start|>user\nUse tools.<|im_end|>" in _text(llm, _template(llm, NO_SYSTEM).tokens(CONVERSATION[:1]))


@pytest.mark.parametrize(
    "name", ["CHATML_CHAT_TEMPLATE", "MISTRAL_INSTRUCT_CHAT_TEMPLATE", "LLAMA3_INSTRUCT_CHAT_TEMPLATE"]
)
def test_a_conversation_fits_published_templates(llm: Any, name: str) -> None:
    text = _text(llm, _template(llm, getattr(llama_chat_format, name)).tokens(CONVERSATION))
    places = [text.index(turn["content"]) for turn in CONVERSATION]
    assert places == sorted(places)


def test_a_template_that_refuses(llm: Any) -> None:
    with pytest.raises(ModelError, match="refuses these messages: roles must alternate"):
        _template(llm, NO_SYSTEM).tokens([{"role": "assistant", "content": "I begin."}])


def test_a_model_without_template(llm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm, "metadata", {})
    with pytest.raises(ModelError, match=r"SmolLM2.*gguf has no chat template"):
        chat_template(llm)


def test_what_follows_held_tokens_does_not_depend_on_what_came_before(llm: Any) -> None:
    shared = np.array(vocabulary(llm).tokenize("You are an agent with tools. " * 8), np.int32)
    rows = [
        np.array([*shared, *vocabulary(llm).tokenize(text)], np.int32) for text in (" Lamp on", " Lamp off, and " * 9)
    ]
    context = Context(llm)
    context.empty()
    found: dict[int, list[Any]] = {0: [], 1: []}
    for row in (0, 1, 1, 0, 0):
        context.hold(shared)
        assert context.reusable(rows[row]) == len(shared)
        found[row].append(context.evaluate(rows[row]).copy())
    for numbers in found.values():
        assert all(np.array_equal(numbers[0], other) for other in numbers)
