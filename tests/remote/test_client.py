from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

import slashgrammar as sg

pytest.importorskip("httpx", reason='needs the clients: pip install "slashgrammar[remote]"')

from slashgrammar.calls.events import CallEnd, ReasoningDelta, TextDelta
from slashgrammar.remote import AsyncClient, Client, ServerError

TOOLS = sg.ToolSet.from_signatures('weather(city:str, unit:"celsius"|"kelvin"="celsius")->weather\nping()->pong')
QUESTION = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How warm is it in Paris?"}]
REQUIRED: dict[str, Any] = {"tool_choice": "weather", "prose": False, "parallel": False, "temperature": 0}


class Canned:
    """A server that streams given lines and remembers what it was sent."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.status = 200
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Any] = []
        canned = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                canned.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                canned.headers.append(self.headers)
                self.send_response(canned.status)
                self.end_headers()
                self.wfile.write("".join(f"{line}\n" for line in canned.lines).encode())

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/v1"

    def stream(self, *deltas: dict[str, Any], reason: str | None = "stop") -> None:
        chunks: list[dict[str, Any]] = [{"choices": [{"delta": delta, "finish_reason": None}]} for delta in deltas]
        if reason:
            chunks.append({"choices": [{"delta": {}, "finish_reason": reason}], "usage": {"total_tokens": 5}})
        self.lines = [": comment", *(f"data: {json.dumps(chunk)}\n" for chunk in chunks), "data: [DONE]"]


@pytest.fixture
def canned() -> Iterator[Canned]:
    canned = Canned()
    thread = Thread(target=canned.server.serve_forever, daemon=True)
    thread.start()
    yield canned
    canned.server.shutdown()
    canned.server.server_close()


def test_against_our_own_server(address: str) -> None:
    with Client(f"{address}/v1", timeout=300) as client:
        reply = client.generate(QUESTION, TOOLS, max_tokens=40, **REQUIRED)
        events = list(reply)
        assert reply.finish_reason == "tool_calls"
        assert reply.message == TOOLS.parse(reply.text)
        assert [event.call for event in events if isinstance(event, CallEnd)] == reply.message.calls
        assert reply.message.calls[0].name == "weather"
        with pytest.raises(sg.IncompleteCall):
            _ = client.generate(QUESTION, TOOLS, max_tokens=3, **REQUIRED).message


def test_asynchronously_against_our_own_server(address: str) -> None:
    async def ask() -> tuple[list[Any], sg.Message]:
        async with AsyncClient(f"{address}/v1", timeout=300) as client:
            reply = client.generate(QUESTION, TOOLS, max_tokens=40, **REQUIRED)
            events = [event async for event in reply]
            return events, await reply.message()

    events, message = asyncio.run(ask())
    assert [event.call for event in events if isinstance(event, CallEnd)] == message.calls != []


@pytest.mark.parametrize(
    ("server", "place"),
    [("llama.cpp", ("grammar",)), ("vllm", ("structured_outputs", "grammar")), ("sglang", ("ebnf",))],
)
def test_the_grammar_stands_where_the_server_looks_for_it(canned: Canned, server: Any, place: tuple[str, ...]) -> None:
    canned.stream({"role": "assistant"}, {"content": "/ping"})
    with Client(canned.address, server=server, model="m", api_key="key") as client:
        assert client.generate(QUESTION, TOOLS, top_k=5, seed=None).message.calls == [sg.Call("ping")]
    (body,) = canned.bodies
    found: Any = body
    for key in place:
        found = found[key]
    assert found == TOOLS.compile().gbnf
    assert body["model"] == "m"
    assert body["stream"] is True
    assert body["top_k"] == 5
    assert body.keys().isdisjoint({"tools", "seed", "temperature"})
    assert body["messages"][0]["content"] == TOOLS.prompt(system="Be brief.")
    assert canned.headers[0]["Authorization"] == "Bearer key"


def test_another_dialect(canned: Canned) -> None:
    text = 'Sure.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Paris"}}\n</tool_call>'
    history = [*QUESTION, {"role": "assistant", "content": text}, {"role": "user", "content": "Again."}]
    with Client(canned.address) as client:
        for options in ({"dialect": "hermes"}, {"grammar": TOOLS.compile(dialect="hermes")}):
            canned.stream(*({"content": char} for char in text))
            reply = client.generate(history, TOOLS, **options)  # type: ignore[arg-type]
            assert sum(isinstance(event, TextDelta | CallEnd) for event in reply) == 6
            assert reply.message.calls == [sg.Call("weather", {"city": "Paris"})]
    for body in canned.bodies:
        assert body["grammar"] == TOOLS.compile(dialect="hermes").gbnf
        assert body["messages"][0]["content"] == TOOLS.prompt(system="Be brief.", dialect="hermes")
        assert body["messages"][2]["content"] == text


def test_history_is_written_as_text(canned: Canned) -> None:
    canned.stream({"content": "Warm."})
    call = {"id": "1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}
    messages = [
        *QUESTION,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "21"},
        {"role": "user", "content": "So?"},
    ]
    with Client(canned.address) as client:
        assert client.generate(messages, TOOLS).message.text == "Warm."
    sent = canned.bodies[0]["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]
    assert sent[2]["content"] == '/weather\ncity="Paris"'
    assert sent[3]["content"] == "result of /weather:\n21\n\nSo?"


def test_chunks_are_parsed_as_they_come(canned: Canned) -> None:
    text = 'Sure.\n/weather\ncity="Paris"'
    canned.stream({"reasoning_content": "hm"}, *({"content": char} for char in text))
    with Client(canned.address) as client:
        reply = client.generate(QUESTION, TOOLS)
        events = list(reply)
    assert events[0] == ReasoningDelta("hm")
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Sure."
    assert reply.finish_reason == "tool_calls"
    assert reply.usage == {"total_tokens": 5}
    assert reply.message.calls == [sg.Call("weather", {"city": "Paris"})]


def test_what_a_server_can_do_wrong(canned: Canned) -> None:
    with Client(canned.address, retries=0) as client:
        canned.stream({"content": "Su"}, reason=None)
        with pytest.raises(ServerError, match="broke off before the end"):
            _ = client.generate(QUESTION, TOOLS).message
        canned.lines = ['data: {"error": {"message": "out of memory"}}']
        with pytest.raises(ServerError, match="broke off: out of memory"):
            _ = client.generate(QUESTION, TOOLS).message
        canned.lines = ["data: {"]
        with pytest.raises(ServerError, match="no JSON"):
            _ = client.generate(QUESTION, TOOLS).message
        canned.status, canned.lines = 400, ['{"error": {"message": "failed to parse grammar"}}']
        with pytest.raises(
            ServerError, match=r"/v1/chat/completions refuses .* 400: failed to parse grammar"
        ) as caught:
            _ = client.generate(QUESTION, TOOLS).message
        assert caught.value.status == 400
        canned.status, canned.lines = 502, ["<html>Bad gateway</html>"]
        with pytest.raises(ServerError, match="502: <html>Bad gateway"):
            _ = client.generate(QUESTION, TOOLS).message
        canned.status = 200
        canned.stream({"content": '/weather\ncity="Par'}, reason="length")
        with pytest.raises(sg.IncompleteCall):
            _ = client.generate(QUESTION, TOOLS).message
    with Client("http://127.0.0.1:9/v1", retries=0) as client:
        with pytest.raises(ServerError, match="cannot be reached"):
            _ = client.generate(QUESTION, TOOLS).message
        with pytest.raises(ValueError, match="no server 'tgi'"):
            Client("http://localhost", server="tgi")  # type: ignore[arg-type]
