"""Tool calls as llama-cpp-python does them by itself: JSON, and its own grammar from the same schemas."""

from __future__ import annotations

import json
import re
from typing import Any

from json_repair import repair_json
from llama_cpp.llama_grammar import json_schema_to_gbnf

from slashgrammar import Call, Tool, ToolSet

_SYSTEM = """\
# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{tools}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{{"name": <function-name>, "arguments": <args-json-object>}}
</tool_call>"""


def system(tools: ToolSet) -> str:
    """The system message of Hermes 2 Pro and Qwen 2.5, with the tools as JSON."""
    return _SYSTEM.format(tools="\n".join(json.dumps(_definition(tool), ensure_ascii=False) for tool in tools))


def written(call: Call) -> str:
    """A call as such models write it."""
    body = json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False)
    return f"<tool_call>\n{body}\n</tool_call>"


def gbnf(tools: ToolSet, *, tagged: bool = False) -> str | None:
    """llama-cpp-python's grammar of one call; None where its converter does not know a schema.

    Args:
        tagged: whether the JSON stands between the tags that the system message asks for.
    """
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": tool.name}, "arguments": tool.parameters},
            "required": ["name", "arguments"],
        }
        for tool in tools
    ]
    try:
        text: str = json_schema_to_gbnf(json.dumps({"oneOf": calls} if len(calls) > 1 else calls[0]))
    except (AssertionError, KeyError, TypeError, ValueError, AttributeError):
        return None
    if tagged:
        text = re.sub(r"^root ::=", "tagged ::=", text, flags=re.MULTILINE)
        text = f'root ::= "<tool_call>\\n" tagged "\\n</tool_call>"\n{text}'
    return text


def read(text: str) -> list[Call]:
    """The calls of an answer, their JSON mended where it is broken."""
    calls = []
    for part in text.split("<tool_call>"):
        start = part.find("{")
        if start < 0:
            continue
        value: Any = repair_json(part[start:].split("</tool_call>")[0], return_objects=True)
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, dict) and isinstance(value.get("name"), str) and isinstance(value.get("arguments"), dict):
            calls.append(Call(value["name"], value["arguments"]))
    return calls


def _definition(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}
