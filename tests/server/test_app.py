from __future__ import annotations

import json
import socket
import threading
import time
from typing import Any
from urllib.parse import urlsplit

import pytest

from slashgrammar.errors import InvalidArgument
from slashgrammar.llama.completions import Completion
from slashgrammar.server import create_app
from tests.server.conftest import serving

openai = pytest.importorskip("openai", reason="needs the official client: pip install openai")

WEATHER: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "weather",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city", "days"],
            "additionalProperties": False,
        },
    },
}
PING = {"type": "function", "function": {"name": "ping"}}
BROKEN = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": 5}}}}
QUESTION = [{"role": "user", "content": "How is the weather in Paris for 3 days?"}]


@pytest.fixture(scope="module")
def client(address: str) -> Any:
    return openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0, timeout=60)


def _ask(client: Any, **options: Any) -> Any:
    options = {"model": "any", "messages": QUESTION, "temperature": 0, "max_tokens": 32, **options}
    return client.chat.completions.create(**options)


def _added_up(stream: Any) -> tuple[str | None, list[dict[str, str]], str | None]:
    content, calls, reason = None, list[dict[str, str]](), None
    for chunk in stream:
        for choice in chunk.choices:
            delta = choice.delta
            if delta.content is not None:
                content = (content or "") + delta.content
            for part in delta.tool_calls or ():
                if part.function.name:
                    calls.append({"name": part.function.name, "arguments": ""})
                calls[part.index]["arguments"] += part.function.arguments
            reason = choice.finish_reason or reason
    return content, calls, reason


def _parts(answer: Any) -> tuple[str | None, list[dict[str, str]], str | None]:
    choice = answer.choices[0]
    calls = [
        {"name": call.function.name, "arguments": call.function.arguments} for call in choice.message.tool_calls or ()
    ]
    return choice.message.content, calls, choice.finish_reason


def test_the_dialect_is_the_models_affair(llm: Any, client: Any) -> None:
    options: dict[str, Any] = {"tools": [WEATHER], "tool_choice": "required", "parallel_tool_calls": False}
    with serving(create_app(llm, name="smol", dialect="hermes")) as address:
        other = openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0, timeout=60)
        answers = [_ask(asked, max_tokens=64, **options) for asked in (client, other)]
    for answer in answers:
        _, [call], reason = _parts(answer)
        assert (call["name"], reason) == ("weather", "tool_calls")
        assert json.loads(call["arguments"]).keys() == {"city", "days"}
    slash, hermes = (answer.usage.prompt_tokens for answer in answers)
    assert slash < hermes


@pytest.mark.parametrize(
    "options",
    [
        {"tools": [WEATHER, PING], "tool_choice": "required", "parallel_tool_calls": False},
        {"tools": [WEATHER], "tool_choice": "auto", "max_completion_tokens": 12},
        {"tools": [WEATHER], "tool_choice": "none", "max_tokens": 8},
        {"max_tokens": 8},
    ],
)
def test_streamed_and_not_are_equal(client: Any, options: dict[str, Any]) -> None:
    whole = _parts(_ask(client, **options))
    assert whole == _added_up(_ask(client, stream=True, **options))
    content, calls, _ = whole
    assert content or calls
    for call in calls:
        if options["tool_choice"] == "required":
            assert json.loads(call["arguments"]).keys() <= {"city", "days"}


def test_usage_of_a_stream(client: Any) -> None:
    chunks = list(_ask(client, stream=True, stream_options={"include_usage": True}, max_tokens=4))
    assert chunks[-1].choices == []
    assert chunks[-1].usage.completion_tokens == 4
    assert chunks[-1].usage.total_tokens == chunks[-1].usage.prompt_tokens + 4
    assert {chunk.id for chunk in chunks} == {chunks[0].id}


def test_odd_requests(client: Any) -> None:
    messages: list[dict[str, Any]] = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Weather in Paris?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "type": "function", "function": {"name": "ping", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "pong"}]},
    ]
    answer = _ask(
        client, messages=messages, tools=[PING, WEATHER], max_tokens=4, user="me", store=False, n=1, stop=None,
        seed=1, logprobs=True, top_logprobs=1, presence_penalty=0.1, logit_bias={"5": 1}, top_p=0.9,
    )  # fmt: skip
    assert answer.model == "smol"
    assert answer.choices[0].logprobs.content[0].top_logprobs
    assert _ask(client, messages=messages[:2], max_tokens=2, response_format={"type": "text"}).choices


def test_a_schema_for_the_answer(client: Any) -> None:
    schema = {
        "type": "object",
        "properties": {"city": {"enum": ["Paris", "Rome"]}, "days": {"type": "integer", "maximum": 9}},
        "required": ["city", "days"],
        "additionalProperties": False,
    }
    wanted = {"type": "json_schema", "json_schema": {"name": "place", "schema": schema, "strict": True}}
    answer = json.loads(_ask(client, response_format=wanted).choices[0].message.content)
    assert answer["city"] in ("Paris", "Rome")
    assert answer["days"] <= 9
    free = _ask(client, response_format={"type": "json_object"}, max_tokens=6).choices[0].message.content
    assert free.startswith("{")


def test_a_grammar_for_the_answer(client: Any) -> None:
    answer = _ask(client, extra_body={"grammar": 'root ::= "yes" | "no"'})
    assert answer.choices[0].message.content in ("yes", "no")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"tools": [PING, BROKEN]}, r"tool 'f' at \[1\]"),
        ({"tools": [PING, PING]}, "both have this name"),
        ({"tools": [PING], "tool_choice": {"type": "function", "function": {"name": "pin"}}}, "did you mean 'ping'"),
        ({"messages": []}, "messages: "),
        ({"messages": [{"role": "robot", "content": "x"}]}, "role 'robot'"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]}, "images"),
        ({"max_tokens": 100_000}, "but the context holds"),
        ({"max_tokens": 0}, "max_tokens: Input should be greater than or equal to 1"),
        ({"tools": [PING], "max_completion_tokens": -1}, "max_completion_tokens: "),
        ({"temperature": -1}, "temperature: "),
        ({"top_p": 2}, "top_p: "),
        ({"presence_penalty": 5}, "presence_penalty: "),
        ({"seed": -2}, "seed: "),
        ({"extra_body": {"mirostat_mode": 3}}, "mirostat_mode: "),
        ({"extra_body": {"repeat_penalty": 0}}, "repeat_penalty: "),
        ({"n": 2}, "n is 1, not 2"),
        ({"functions": [{"name": "f"}]}, "send them as tools"),
        ({"tools": [PING], "response_format": {"type": "json_object"}}, "exclude each other"),
        ({"tool_choice": "required"}, "there are no tools"),
        ({"tools": [], "tool_choice": {"type": "function", "function": {"name": "ping"}}}, "there are no tools"),
        ({"response_format": {"type": "xml"}}, "response_format is"),
        ({"temperature": "hot"}, "temperature: "),
        ({"logit_bias": {"999999": 1}}, "logit_bias has tokens"),
        ({"messages": [{"role": "assistant", "tool_calls": 5}]}, "tool_calls that are no list"),
    ],
)
def test_a_wrong_request_is_told_before_the_first_byte(
    client: Any, options: dict[str, Any], complaint: str, stream: bool
) -> None:
    with pytest.raises(openai.BadRequestError, match=complaint) as caught:
        _ask(client, stream=stream, **options)
    assert caught.value.body["type"] == "invalid_request_error"


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"messages": [{"role": "user", "content": "\\ud800"}]}', b"\xff", b""])
def test_a_body_that_is_no_request(client: Any, address: str, body: bytes) -> None:
    answer = client._client.post(f"{address}/v1/chat/completions", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_a_place_that_is_none_is_told_in_the_words_of_the_api(client: Any, address: str) -> None:
    for answer, status in (
        (client._client.post(f"{address}/v1/completions", json={}), 404),
        (client._client.get(f"{address}/v1/chat/completions"), 405),
    ):
        assert answer.status_code == status
        error = answer.json()["error"]
        assert error["type"] == "invalid_request_error"
        assert error["message"].startswith(f"{answer.request.method} {answer.request.url.path}: ")


def test_models_and_health(client: Any, address: str) -> None:
    assert [model.id for model in client.models.list()] == [client.models.retrieve("smol").id] == ["smol"]
    with pytest.raises(openai.NotFoundError, match="no model 'gpt'") as caught:
        client.models.retrieve("gpt")
    assert caught.value.code == "model_not_found"
    assert client._client.get(f"{address}/health").json() == {"status": "ok"}


def test_two_streams_at_once_both_finish(client: Any) -> None:
    found: list[Any] = []

    def run() -> None:
        found.append(_added_up(_ask(client, stream=True, tools=[WEATHER], tool_choice="required", max_tokens=24)))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert found[0] == found[1]


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_hangs_up_leaves_the_server_serving(client: Any, address: str, stream: bool) -> None:
    host = urlsplit(address)
    body = json.dumps({"messages": QUESTION, "max_tokens": 1500, "temperature": 5, "min_p": 0, "stream": stream})
    with socket.create_connection((host.hostname, host.port)) as connection:
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall((head + body).encode())
        if stream:
            assert b"200 OK" in connection.recv(200)
        else:
            time.sleep(0.3)
    begin = time.monotonic()
    assert _ask(client, max_tokens=2).choices
    assert time.monotonic() - begin < 15  # the whole answer would have taken longer than that


def test_an_error_in_the_middle_of_a_stream(llm: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Completion.chunks

    def failing(self: Any, **options: Any) -> Any:
        yield from list(plain(self, **options))[:2]
        raise InvalidArgument("the value 5 does not fit", tool="weather")

    monkeypatch.setattr(Completion, "chunks", failing)
    with pytest.raises(openai.APIError, match="the value 5 does not fit"):
        list(_ask(client, stream=True, max_tokens=3))
    with pytest.raises(openai.InternalServerError, match="the value 5 does not fit"):
        _ask(client, max_tokens=3)


TWICE = {"type": "object", "properties": {"word": {"type": "string", "pattern": "^(a|b)\\1$"}}, "required": ["word"]}


@pytest.mark.parametrize(
    "options",
    [
        {
            "tools": [{"type": "function", "function": {"name": "say", "parameters": TWICE}}],
            "tool_choice": "required",
            "parallel_tool_calls": False,
        },
        {"response_format": {"type": "json_schema", "json_schema": {"name": "say", "schema": TWICE, "strict": True}}},
    ],
)
def test_what_no_grammar_can_say_is_checked(client: Any, options: dict[str, Any]) -> None:
    question = [{"role": "user", "content": "Say hello."}]
    with pytest.raises(openai.InternalServerError, match="does not fit") as refused:
        _ask(client, messages=question, max_tokens=64, **options)
    assert refused.value.code == "invalid_answer"
    with pytest.raises(openai.APIError, match="does not fit") as broken:
        list(_ask(client, messages=question, max_tokens=64, stream=True, **options))
    assert broken.value.code == "invalid_answer"


def test_an_api_key(llm: Any) -> None:
    with serving(create_app(llm, api_key="secret")) as address:
        options = {"base_url": f"{address}/v1", "max_retries": 0}
        assert "SmolLM2" in next(iter(openai.OpenAI(api_key="secret", **options).models.list())).id
        with pytest.raises(openai.AuthenticationError, match="API key is missing or wrong"):
            openai.OpenAI(api_key="other", **options).models.list()
