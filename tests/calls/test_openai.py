"""Deltas of OpenAI's API that add up to the message."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.calls import Call, StreamParser, render
from slashgrammar.calls.openai import Deltas, assistant_message, new_call_id
from tests.calls.test_render import CALLS
from tests.calls.texts import cuts


def _ids() -> Any:
    numbers = count()
    return lambda: f"call_{next(numbers)}"


def _assembled(deltas: list[dict[str, Any]]) -> dict[str, Any]:
    """The message that a client makes of the deltas."""
    message: dict[str, Any] = {"role": "assistant", "content": None}
    for delta in deltas:
        for key in ("content", "reasoning_content"):
            if key in delta:
                message[key] = (message.get(key) or "") + delta[key]
        for part in delta.get("tool_calls", ()):
            calls = message.setdefault("tool_calls", [])
            if part["index"] == len(calls):
                calls.append({key: part[key] for key in ("id", "type", "function")})
            else:
                calls[part["index"]]["function"]["arguments"] += part["function"]["arguments"]
    for call in message.get("tool_calls", ()):
        call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    return message


@settings(max_examples=100, deadline=None)
@given(
    CALLS,
    st.sampled_from(["", "Sure.\n\n", "<think>\nhm\n</think>\nOK.\n"]),
    st.sampled_from(["", "\nDone."]),
    st.data(),
)
def test_deltas_add_up(calls: list[Call], before: str, after: str, data: st.DataObject) -> None:
    text = before + render(calls) + after
    parser = StreamParser()
    writer = Deltas(_ids())
    deltas = [writer.delta(event) for piece in data.draw(cuts(text)) for event in parser.feed(piece)]
    deltas += [writer.delta(event) for event in parser.close()]
    message = parser.finish()
    expected = assistant_message(message, _ids())
    for call in expected.get("tool_calls", ()):
        call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    assert _assembled(deltas) == expected
    assert [call["function"]["arguments"] for call in expected.get("tool_calls", ())] == [
        c.arguments for c in message.calls
    ]


def test_deltas_of_a_call() -> None:
    parser = StreamParser()
    writer = Deltas(_ids())
    events = [*parser.feed('Hi.\n/f a="x\\"\\u00e9"\nb=[1]\nc=""\n/g\n'), *parser.close()]
    deltas = [writer.delta(event) for event in events]
    assert deltas[0] == {"content": "Hi."}
    assert deltas[1] == {
        "tool_calls": [
            {"index": 0, "id": "call_0", "type": "function", "function": {"name": "f", "arguments": ""}},
        ]
    }
    fragments = [call["function"]["arguments"] for delta in deltas[2:] for call in delta["tool_calls"]]
    assert fragments == ['{"a": ', '"x\\"é', '"', ', "b": ', "[1]", ', "c": ', '""', "}", "", "{}"]


def test_deltas_of_a_custom_call() -> None:
    parser = StreamParser()
    writer = Deltas(_ids(), custom={"f"})
    events = [*parser.feed('/f input="x\\"\\u00e9"\n/g a=1\n/f input=\n```\na\nb\n```'), *parser.close()]
    calls = [call for event in events for call in writer.delta(event)["tool_calls"]]
    assert calls[0] == {"index": 0, "id": "call_0", "type": "custom", "custom": {"name": "f", "input": ""}}
    inputs = ["".join(call["custom"]["input"] for call in calls if call["index"] == place) for place in (0, 2)]
    assert inputs == ['x"é', "a\nb"]
    assert [call["function"]["arguments"] for call in calls if call["index"] == 1] == ["", '{"a": ', "1", "}"]


def test_identifiers_differ() -> None:
    assert new_call_id() != new_call_id()
    assert new_call_id().startswith("call_")
