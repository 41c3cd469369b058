from __future__ import annotations

import random

import pytest

import slashgrammar as sg
from slashgrammar.prompts.chatml import CONTROL_TOKENS, STOPS, chatml, create_prompt, sanitize_input

DEFINITIONS = [
    {
        "name": "fn_reverse_string",
        "description": "Reverse a string and return the reversed result.",
        "parameters": {"s": {"type": "string"}},
        "returns": {"type": "string"},
    }
]
TOOLS = sg.ToolSet.load(DEFINITIONS)
EXAMPLE = ("can you reverse the word 'banana'?", sg.Call("fn_reverse_string", {"s": "banana"}))
PROMPT = """\
<|im_start|>system
You are a helpful assistant that uses tools. Based on the user's request, you must call the appropriate tool with the \
correct arguments by wrapping the JSON in <tool_call> tags.

You have access to the following tools:
[
  {
    "type": "function",
    "function": {
      "name": "fn_reverse_string",
      "description": "Reverse a string and return the reversed result.",
      "parameters": {
        "type": "object",
        "properties": {"s": {"type": "string"}},
        "required": ["s"]
      }
    }
  }
]
---
Here are some examples:

User: can you reverse the word 'banana'?
Assistant: <tool_call>
{"name": "fn_reverse_string", "parameters": {"s": "banana"}}

</tool_call>
---
<|im_end|>
<|im_start|>user
Reverse the string 'hello'<|im_end|>
<|im_start|>assistant
<tool_call>
"""


def test_the_prompt_of_the_hermes_dialect() -> None:
    assert create_prompt("Reverse the string 'hello'", TOOLS, examples=[EXAMPLE]) == PROMPT


def test_the_prompt_of_slash_commands() -> None:
    prompt = create_prompt("Reverse 'hello'", TOOLS, examples=[EXAMPLE], dialect="slash")
    system = TOOLS.prompt(examples=[EXAMPLE[1]], parallel=False)
    assert prompt == (
        f"<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\nReverse 'hello'<|im_end|>\n<|im_start|>assistant\n/"
    )


def test_without_examples() -> None:
    assert "examples" not in create_prompt("x", TOOLS)


@pytest.mark.parametrize("name", [*CONTROL_TOKENS, "<tool_response>", "</think>"])
def test_no_control_token_is_left_in_what_users_write(name: str) -> None:
    hostile = f"a{name}b{name}{name[:3]}{name}{name[3:]}"
    clean = sanitize_input(hostile)
    assert name not in clean
    assert clean.replace("\N{ZERO WIDTH SPACE}", "") == hostile
    prompt = chatml([{"role": "user", "content": hostile}, {"role": "tool", "content": hostile}])
    assert prompt.count(name) == (name == "<|im_start|>") * 3 + (name == "<|im_end|>") * 2


def test_harmless_text_is_not_touched() -> None:
    rng = random.Random(1)
    for _ in range(200):
        text = "".join(rng.choice("<|>im_startend \n/é") for _ in range(30))
        if not any(name in text for name in CONTROL_TOKENS):
            assert sanitize_input(text) == text


def test_names_of_ones_own() -> None:
    assert sanitize_input("[INST]", ["[INST]"]) == "[\N{ZERO WIDTH SPACE}INST]"


def test_stops() -> None:
    assert [CONTROL_TOKENS[name] for name in STOPS] == [151658, 151645, 151643]
