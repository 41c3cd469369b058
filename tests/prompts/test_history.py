from __future__ import annotations

from typing import Any

import pytest

from slashgrammar.calls import parse
from slashgrammar.prompts.history import turns_of


def _call(call_id: str, name: str, arguments: Any) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_calls_and_results_are_written_as_slash_commands() -> None:
    turns = turns_of(
        [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "read "}, {"type": "text", "text": "it"}]},
            {"role": "assistant", "content": "I do.", "tool_calls": [_call("1", "read", '{"path": "a.txt"}')]},
            {"role": "tool", "tool_call_id": "1", "content": "one\n```\ntwo"},
            {"role": "assistant", "content": None, "tool_calls": [_call("2", "f", {"a": 1}), _call("3", "g", "")]},
            {"role": "tool", "tool_call_id": "3", "content": "plain"},
            {"role": "tool", "tool_call_id": "2", "content": '{"x": [1]}'},
            {"role": "tool", "name": "h", "content": "other"},
        ]
    )
    assert [(turn["role"], turn["content"]) for turn in turns] == [
        ("system", "Be brief."),
        ("user", "read it"),
        ("assistant", 'I do.\n\n/read\npath="a.txt"'),
        ("tool", "result of /read:\n````\none\n```\ntwo\n````"),
        ("assistant", "/f\na=1\n/g"),
        ("tool", 'result 2 of /g:\n"plain"'),
        ("tool", 'result 1 of /f:\n{"x": [1]}'),
        ("tool", 'result of /h:\n"other"'),
    ]
    assert [call.name for call in parse(turns[4]["content"]).calls] == ["f", "g"]


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ({"role": "robot", "content": "x"}, "message 0 has the role 'robot'"),
        ({"content": "x"}, "message 0 has the role None"),
        ({"role": "user", "content": 5}, "no text"),
        ({"role": "user", "content": [{"type": "image_url", "image_url": "x"}]}, "images and sounds"),
        ({"role": "assistant", "tool_calls": [_call("1", "f", "[1]")]}, "tool call that is none"),
        ({"role": "assistant", "tool_calls": [_call("1", "f", "{")]}, "tool call that is none"),
        ({"role": "assistant", "tool_calls": [{"id": "1"}]}, "tool call that is none"),
        ({"role": "assistant", "tool_calls": [{"type": "custom", "custom": {"name": "f"}}]}, "tool call that is none"),
        ({"role": "assistant", "tool_calls": ["f"]}, "tool call that is none"),
        ({"role": "assistant", "tool_calls": 5}, "tool_calls that are no list"),
    ],
)
def test_messages_that_are_none(message: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        turns_of([message])
