"""A conversation with a call and its result, through chat templates as models publish them."""

from __future__ import annotations

from typing import Any

import pytest
from llama_cpp import llama_chat_format

from slashgrammar.llama.binding import formatter
from slashgrammar.llama.prompt import ChatTemplate, template_of
from slashgrammar.prompts.history import turns_of
from tests.llama.test_hostile import DEEPSEEK, Letters

# What Gemma's does, in fewer words: no system role, users and model take turns.
GEMMA = """{{ bos_token }}\
{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}\
{% for message in messages %}\
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles must alternate') }}{% endif %}\
<start_of_turn>{{ 'model' if message['role'] == 'assistant' else message['role'] }}
{{ message['content'] | trim }}<end_of_turn>
{% endfor %}<start_of_turn>model
"""
# What Qwen's does with messages that hold no `tool_calls`: results of tools stand in the user's turn.
QWEN = """\
{% for message in messages %}\
{% if message.role == 'tool' %}<|im_start|>user
<tool_response>
{{ message.content }}
</tool_response><|im_end|>
{% else %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endif %}{% endfor %}<|im_start|>assistant
"""
TEMPLATES = {
    "chatml": llama_chat_format.CHATML_CHAT_TEMPLATE,
    "qwen": QWEN,
    "llama3": llama_chat_format.LLAMA3_INSTRUCT_CHAT_TEMPLATE,
    "gemma": GEMMA,
    "mistral": llama_chat_format.MISTRAL_INSTRUCT_CHAT_TEMPLATE,
    "mixtral": llama_chat_format.MIXTRAL_INSTRUCT_CHAT_TEMPLATE,
    "deepseek": DEEPSEEK,
}
CALL = {"id": "1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a.txt"}'}}
CONVERSATION: list[dict[str, Any]] = [
    {"role": "system", "content": "Use tools."},
    {"role": "user", "content": "What is in a.txt?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "1", "content": "one\ntwo"},
    {"role": "assistant", "content": "Two lines."},
    {"role": "user", "content": "Thanks. And b.txt?"},
]
IN_ORDER = (
    "Use tools.",
    "What is in a.txt?",
    '/read\npath="a.txt"',
    "result of /read:\n```\none\ntwo\n```",
    "Two lines.",
    "Thanks. And b.txt?",
)


@pytest.mark.parametrize("name", TEMPLATES)
def test_all_of_a_conversation_is_said_in_order(name: str) -> None:
    known: Any = Letters(("<s>", "</s>"))
    chat = ChatTemplate(formatter(TEMPLATES[name], "<s>", "</s>"), known)
    tokens: list[Any] = chat.tokens(turns_of(CONVERSATION))
    _assert_in_order("".join(tokens))


def test_all_of_a_conversation_is_said_in_order_to_the_bundled_model(llm: Any) -> None:
    _assert_in_order(llm.detokenize(template_of(llm).tokens(turns_of(CONVERSATION)), special=True).decode())


def _assert_in_order(prompt: str) -> None:
    places = [prompt.index(text) for text in IN_ORDER]
    assert places == sorted(places)
    assert prompt.count("Use tools.") == 1
