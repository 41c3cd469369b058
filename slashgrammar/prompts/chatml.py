"""ChatML prompts as strings, for those who do without the model's chat template.

    prompt = create_prompt("Reverse the string 'hello'", tools, examples=[("reverse banana", call)])

The assistant's answer is begun for the model, so that it neither reasons nor talks before it calls. What a user writes
passes `sanitize_input`; `slashgrammar.llama` does not need that, for there the text stays as it is and no control token
is read in it either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from slashgrammar.calls import Call
    from slashgrammar.tools import Tool, ToolSet

START, END = "<|im_start|>", "<|im_end|>"
STOPS = ("</tool_call>", END, "<|endoftext|>")
"""Names of the tokens that end an answer."""

CONTROL_TOKENS = {
    "<|endoftext|>": 151643,
    START: 151644,
    END: 151645,
    "<tool_call>": 151657,
    "</tool_call>": 151658,
}
"""The control tokens of ChatML, with their ids in Qwen 2.5 and Qwen 3; `control_tokens` reads those of a model."""

PREFILLS = {"hermes": "<tool_call>\n", "slash": "/"}
"""What an answer is begun with, in each dialect."""

_SEPARATOR = "\N{ZERO WIDTH SPACE}"
_TAGS = ("<tool_response>", "</tool_response>", "<think>", "</think>")
_INDENTED_LEVELS = 4
_INSTRUCTION = (
    "You are a helpful assistant that uses tools. Based on the user's request, you must call the appropriate tool with "
    "the correct arguments by wrapping the JSON in <tool_call> tags."
)


def sanitize_input(text: str, names: Iterable[str] = (*CONTROL_TOKENS, *_TAGS)) -> str:
    """The text with a zero-width space behind the first character of each control token's name in it.

    It looks the same, and no tokenizer reads a control token in it; nothing is removed, so that nothing can be made by
    removing.

    Args:
        text: what a user wrote, or a tool's result.
        names: of the control tokens.
    """
    found = re.compile(f"(?={'|'.join(map(re.escape, names))}).", re.DOTALL)
    return found.sub(lambda match: match[0] + _SEPARATOR, text)


def chatml(messages: Iterable[Mapping[str, str]], *, prefill: str = "") -> str:
    """The prompt of messages, up to the begun answer of the assistant.

    Args:
        messages: with `role` and `content`; those of users and tools pass `sanitize_input`.
        prefill: what the answer begins with.
    """
    parts = []
    for message in messages:
        role, content = message["role"], message["content"]
        parts.append(f"{START}{role}\n{sanitize_input(content) if role in ('user', 'tool') else content}{END}\n")
    return "".join(parts) + f"{START}assistant\n{prefill}"


def create_prompt(
    user_input: str,
    tools: ToolSet,
    *,
    examples: Sequence[tuple[str, Call]] = (),
    dialect: Literal["hermes", "slash"] = "hermes",
) -> str:
    """The prompt that asks for the call which a user's text needs.

    Args:
        user_input: the user's text.
        tools: what may be called.
        examples: texts of users, and the calls that they need.
        dialect: "hermes" for JSON in `<tool_call>`, "slash" for slash commands.
    """
    if dialect == "slash":
        system = tools.prompt(examples=[call for _, call in examples], parallel=False)
    else:
        system = system_message(tools, examples)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user_input}]
    return chatml(messages, prefill=PREFILLS[dialect])


def system_message(tools: ToolSet, examples: Sequence[tuple[str, Call]] = ()) -> str:
    """The system message of the Hermes dialect: what to do, the tools as JSON, and examples."""
    listed = _json([definition(tool) for tool in tools], _INDENTED_LEVELS)
    text = f"{_INSTRUCTION}\n\nYou have access to the following tools:\n{listed}\n---\n"
    if examples:
        shown = [f"User: {user}\nAssistant: {_example(call)}\n---\n" for user, call in examples]
        text += "Here are some examples:\n\n" + "\n".join(shown)
    return text


def control_tokens(llm: Any) -> dict[str, int]:
    """The control tokens of ChatML that a `llama_cpp.Llama` has, by name; needs the extra `llama`."""
    from slashgrammar.llama.binding import vocabulary

    return vocabulary(llm).ids_of(CONTROL_TOKENS)


def stop_ids(llm: Any) -> list[int]:
    """The ids of the tokens that end an answer, as far as the model has them; needs the extra `llama`."""
    known = control_tokens(llm)
    return [known[name] for name in STOPS if name in known]


def definition(tool: Tool) -> dict[str, Any]:
    """A tool as an entry of OpenAI's list, as templates of ChatML models show it."""
    parameters = dict(tool.parameters)
    if parameters.get("additionalProperties") is False:
        del parameters["additionalProperties"]
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def _example(call: Call) -> str:
    body = json.dumps({"name": call.name, "parameters": call.arguments}, ensure_ascii=False)
    return f"<tool_call>\n{body}\n\n</tool_call>"


def _json(value: Any, levels: int, indent: str = "\n") -> str:
    """JSON with so many outer levels on lines of their own."""
    if not levels or not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    if isinstance(value, list):
        return "[" + inner + f",{inner}".join(_json(item, levels - 1, inner) for item in value) + f"{indent}]"
    items = (f"{json.dumps(key)}: {_json(item, levels - 1, inner)}" for key, item in value.items())
    return "{" + inner + f",{inner}".join(items) + indent + "}"
