from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from llama_cpp.llama_chat_format import get_chat_completion_handler

from slashgrammar.errors import ModelError, ToolError
from slashgrammar.llama import SlashChatHandler
from slashgrammar.llama.chat_handler import register

WEATHER: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city", "days"],
        },
    },
}
TIME = {"type": "function", "function": {"name": "time"}}
QUESTION = [{"role": "user", "content": "How is the weather in Paris for 3 days?"}]
REQUIRED: dict[str, Any] = {"tools": [WEATHER], "tool_choice": "required", "temperature": 0.0, "max_tokens": 32}
FINAL = SlashChatHandler(prose=False, parallel=False)


def test_registered_under_its_name() -> None:
    handler = get_chat_completion_handler("slash")
    assert isinstance(handler, SlashChatHandler)
    register()
    assert isinstance(get_chat_completion_handler("slash"), SlashChatHandler)


def test_an_answer_with_a_call(llm: Any) -> None:
    answer: Any = FINAL(llama=llm, messages=QUESTION, model="smol", **REQUIRED)
    assert (answer["object"], answer["model"]) == ("chat.completion", "smol")
    assert answer["id"].startswith("chatcmpl-")
    (choice,) = answer["choices"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    (call,) = choice["message"]["tool_calls"]
    assert call["id"].startswith("call_")
    assert call["function"]["name"] == "weather"
    arguments = json.loads(call["function"]["arguments"])
    assert isinstance(arguments["city"], str)
    assert isinstance(arguments["days"], int)
    usage = answer["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["completion_tokens"] > 5


def test_custom_tools_are_called_in_their_own_form(llm: Any) -> None:
    code = {"type": "grammar", "grammar": {"syntax": "regex", "definition": "[A-Z]{3}-[0-9]{2}"}}
    tool = {"type": "custom", "custom": {"name": "order", "description": "Orders by number.", "format": code}}
    chosen = {"type": "custom", "custom": {"name": "order"}}
    earlier = {"id": "1", "type": "custom", "custom": {"name": "order", "input": "ABC-12"}}
    messages = [
        {"role": "user", "content": "Order ABC-12."},
        {"role": "assistant", "tool_calls": [earlier]},
        {"role": "tool", "tool_call_id": "1", "content": "done"},
        {"role": "user", "content": "Now XYZ-34."},
    ]
    asked: dict[str, Any] = {"messages": messages, "tools": [tool], "tool_choice": chosen, "temperature": 0.0}
    answer: Any = FINAL(llama=llm, **asked)
    (call,) = answer["choices"][0]["message"]["tool_calls"]
    assert call.keys() == {"id", "type", "custom"}
    assert (call["type"], call["custom"]["name"]) == ("custom", "order")
    assert re.fullmatch("[A-Z]{3}-[0-9]{2}", call["custom"]["input"])
    stream: Any = FINAL(llama=llm, stream=True, **asked)
    parts = [part["custom"] for chunk in stream for part in chunk["choices"][0]["delta"].get("tool_calls", ())]
    assert parts[0] == {"name": "order", "input": ""}
    assert "".join(part["input"] for part in parts) == call["custom"]["input"]


def test_through_llama_cpp_python_streamed_and_not(llm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm, "chat_format", "slash")
    options: dict[str, Any] = {"messages": QUESTION, "tools": [WEATHER, TIME], "temperature": 0.0, "max_tokens": 40}
    for choice in ("auto", "required", {"type": "function", "function": {"name": "weather"}}):
        whole = llm.create_chat_completion(tool_choice=choice, **options)
        chunks = list(llm.create_chat_completion(tool_choice=choice, stream=True, **options))
        assert chunks[0]["choices"][0]["delta"] == {"role": "assistant"}
        assert [chunk["choices"][0]["finish_reason"] for chunk in chunks[:-1]] == [None] * (len(chunks) - 1)
        assert _added_up(chunks) == _without_ids(whole["choices"][0])
        if choice != "auto":
            assert whole["choices"][0]["message"]["tool_calls"]


def _added_up(chunks: list[Any]) -> dict[str, Any]:
    """What a client makes of a stream."""
    content, calls = None, list[Any]()
    for chunk in chunks:
        delta = chunk["choices"][0]["delta"]
        content = (content or "") + delta["content"] if "content" in delta else content
        for part in delta.get("tool_calls", ()):
            if part["index"] == len(calls):
                calls.append({"name": part["function"]["name"], "arguments": ""})
                assert part["id"].startswith("call_")
            calls[part["index"]]["arguments"] += part["function"]["arguments"]
    return {"content": content, "calls": calls, "finish_reason": chunks[-1]["choices"][0]["finish_reason"]}


def _without_ids(choice: Any) -> dict[str, Any]:
    message = choice["message"]
    return {
        "content": message["content"],
        "calls": [call["function"] for call in message.get("tool_calls", ())],
        "finish_reason": choice["finish_reason"],
    }


def test_a_call_that_is_cut_off_has_the_reason_length(llm: Any) -> None:
    answer: Any = FINAL(llama=llm, messages=QUESTION, **{**REQUIRED, "max_tokens": 6})
    assert answer["choices"][0]["finish_reason"] == "length"
    assert answer["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "weather"


def test_stop_seed_bias_and_penalties_are_honoured(llm: Any) -> None:
    chat: dict[str, Any] = {"messages": QUESTION, "tools": [WEATHER], "max_tokens": 16, "tool_choice": "none"}
    plain: Any = SlashChatHandler()(llama=llm, temperature=0.0, **chat)
    text = plain["choices"][0]["message"]["content"]
    word = text.split()[2]
    for stop in (word, [word]):
        stopped: Any = SlashChatHandler()(llama=llm, temperature=0.0, stop=stop, **chat)
        assert stopped["choices"][0]["message"]["content"] == text[: text.index(word)].rstrip()
        assert stopped["choices"][0]["finish_reason"] == "stop"
    drawn: list[Any] = [SlashChatHandler()(llama=llm, temperature=1.5, seed=7, **chat) for _ in range(2)]
    assert drawn[0]["choices"][0]["message"] == drawn[1]["choices"][0]["message"]
    first = llm.tokenize(text.split()[0].encode(), add_bos=False)[0]
    biased: Any = SlashChatHandler()(llama=llm, temperature=0.0, logit_bias={str(first): -100}, **chat)
    assert not biased["choices"][0]["message"]["content"].startswith(text.split()[0])

    def only_dots(ids: Any, scores: Any) -> Any:
        scores[:] = -100
        scores[llm.tokenize(b".", add_bos=False)[0]] = 0
        return scores

    dots: Any = SlashChatHandler()(llama=llm, logits_processor=[only_dots], **chat)
    assert set(dots["choices"][0]["message"]["content"]) == {"."}
    punished: Any = SlashChatHandler()(
        llama=llm, logits_processor=[only_dots], presence_penalty=2.0, frequency_penalty=2.0, repeat_penalty=1.5,
        mirostat_mode=2, **chat,
    )  # fmt: skip
    assert punished["choices"][0]["finish_reason"] == "length"


def test_logprobs(llm: Any) -> None:
    options = {**REQUIRED, "logprobs": True, "top_logprobs": 2}
    whole: Any = FINAL(llama=llm, messages=QUESTION, **options)
    entries = whole["choices"][0]["logprobs"]["content"]
    assert (
        len(entries) == whole["usage"]["completion_tokens"] or len(entries) + 1 == whole["usage"]["completion_tokens"]
    )
    assert b"".join(bytes(entry["bytes"]) for entry in entries).startswith(b"/weather")
    assert {len(entry["top_logprobs"]) for entry in entries} <= {0, 2}
    assert all(entry["logprob"] <= 0 for entry in entries)
    chunks: list[Any] = list(FINAL(llama=llm, messages=QUESTION, stream=True, **options))
    streamed = [entry for chunk in chunks for entry in chunk["choices"][0]["logprobs"]["content"]]
    assert [entry["token"] for entry in streamed] == [entry["token"] for entry in entries]


def test_requests_of_other_kinds_go_to_the_models_own_handler(llm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []
    monkeypatch.setitem(llm._chat_handlers, "chat_template.default", lambda **request: seen.append(request))
    monkeypatch.setattr(llm, "chat_format", "slash")
    grammar = object()
    llm.create_chat_completion(QUESTION, temperature=0.5, stop=["x"])
    llm.create_chat_completion(QUESTION, tools=[WEATHER], grammar=grammar)
    llm.create_chat_completion(QUESTION, tools=[WEATHER], response_format={"type": "json_object"})
    assert seen[0]["messages"] is QUESTION
    assert (seen[0]["temperature"], seen[0]["stop"], seen[0]["tools"]) == (0.5, ["x"], None)
    assert seen[1]["grammar"] is grammar
    assert seen[1]["tools"] == [WEATHER]
    assert seen[2]["response_format"] == {"type": "json_object"}


def test_ordinary_chat_works(llm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm, "chat_format", "slash")
    answer = llm.create_chat_completion(QUESTION, max_tokens=4)
    assert answer["choices"][0]["message"]["content"]


@pytest.mark.parametrize(
    ("options", "kind", "complaint"),
    [
        ({"tools": [{"type": "function", "function": {}}]}, ToolError, r"\[0\].function"),
        ({"tools": [WEATHER, WEATHER]}, ToolError, "both have this name"),
        ({"tool_choice": {"type": "function", "function": {"name": "wether"}}}, ToolError, "did you mean 'weather'"),
        ({"tool_choice": {"type": "custom"}}, ValueError, "tool_choice is auto, none, required or"),
        ({"max_tokens": 5000}, ModelError, "but the context holds"),
        ({"messages": [{"role": "robot", "content": ""}]}, ValueError, "role 'robot'"),
        ({"functions": [{"name": "f"}]}, ValueError, "functions and function_call"),
        ({"tfs_z": 0.5}, ValueError, "tfs_z"),
        ({"top_logprobs": 3}, ValueError, "needs logprobs"),
        ({"top_logprobs": 21, "logprobs": True}, ValueError, "from 0 to 20"),
        ({"logit_bias": {"999999": 1}}, ValueError, "logit_bias has tokens that the vocabulary has not: .999999"),
        ({"logit_bias": {"x": 1}}, ValueError, "invalid literal"),
        ({"min_tokens": 3}, ValueError, "not supported with tools: min_tokens"),
        ({"stop": [""]}, ValueError, "stop is a list of texts"),
    ],
)
def test_errors_come_at_the_call(llm: Any, options: dict[str, Any], kind: type[Exception], complaint: str) -> None:
    request = {"messages": QUESTION, **REQUIRED, **options}
    for stream in (False, True):
        with pytest.raises(kind, match=complaint):
            FINAL(llama=llm, stream=stream, **copy.deepcopy(request))


def test_a_conversation_with_a_call_and_its_result(llm: Any) -> None:
    messages: list[dict[str, Any]] = [
        {"role": "developer", "content": "Be brief."},
        *QUESTION,
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": "sunny"},
    ]
    answer: Any = SlashChatHandler()(llama=llm, messages=messages, tools=[WEATHER], max_tokens=4)
    assert answer["choices"][0]["finish_reason"] in ("stop", "length", "tool_calls")
    assert answer["usage"]["prompt_tokens"] > 60
