from __future__ import annotations

import threading
from typing import Any

import pytest

from slashgrammar.calls import Call
from slashgrammar.calls.events import CallEnd, CallStart
from slashgrammar.errors import GrammarError, IncompleteCall, InvalidArgument, ModelError
from slashgrammar.llama import generate
from slashgrammar.tools import Tool, ToolSet

TOOLS = ToolSet.from_signatures('weather(city:str, unit:"celsius"|"kelvin"="celsius")->weather\ntime(zone:str)->time')
QUESTION = [{"role": "user", "content": "How warm is it in Paris?"}]
CALL: dict[str, Any] = {"tool_choice": "weather", "prose": False, "parallel": False, "temperature": 0.0}


def test_a_call(llm: Any) -> None:
    generation = generate(llm, QUESTION, TOOLS, max_tokens=48, **CALL)
    events = list(generation)
    assert generation.finish_reason == "tool_calls"
    assert generation.message == TOOLS.parse(generation.text)
    (call,) = generation.message.calls
    assert call.name == "weather"
    assert [event for event in events if isinstance(event, CallStart)] == [CallStart("weather")]
    assert [event.call for event in events if isinstance(event, CallEnd)] == [call]
    stats = generation.stats
    assert stats.attempts == 1
    assert 0 < stats.sampled <= stats.evaluations <= stats.sampled + 1
    assert stats.forced > 0
    assert stats.prompt_tokens > 50
    assert 0 < stats.constraint_seconds < stats.model_seconds


def test_reading_the_message_generates_it(llm: Any) -> None:
    first = generate(llm, QUESTION, TOOLS, max_tokens=48, **CALL)
    second = generate(
        llm,
        QUESTION,
        TOOLS,
        max_tokens=48,
        grammar=TOOLS.compile(tool_choice="weather", prose=False, parallel=False),
        **CALL,
    )
    assert first.message.calls[0].name == second.message.calls[0].name == "weather"
    assert second.stats.reused_tokens >= second.stats.prompt_tokens - 1


def test_a_call_that_the_budget_cuts_off(llm: Any) -> None:
    for budget in (2, 4, 6):
        generation = generate(llm, QUESTION, TOOLS, max_tokens=budget, **CALL)
        list(generation)
        assert generation.finish_reason == "length"
        with pytest.raises(IncompleteCall) as caught:
            _ = generation.message
        assert caught.value.message.calls == []
        assert (caught.value.message.partial is not None) is (generation.text != "/weather")  # the name may go on


def test_a_budget_makes_no_other_call_of_a_call(llm: Any) -> None:
    tools = ToolSet.from_signatures("set_timer(minutes:int(1..600), label?:str)->done")
    question = [{"role": "user", "content": "Set a timer for 10 minutes"}]
    choices = {**CALL, "tool_choice": "set_timer"}
    whole = generate(llm, question, tools, max_tokens=64, **choices).message
    for budget in range(1, 16):
        generation = generate(llm, question, tools, max_tokens=budget, **choices)
        ended = [event.call for event in generation if isinstance(event, CallEnd)]
        if generation.finish_reason == "length":
            with pytest.raises(IncompleteCall):
                _ = generation.message
            assert ended == []
        else:
            assert ended == generation.message.calls == whole.calls


def test_a_required_call_comes_before_the_budget_is_gone(llm: Any) -> None:
    generation = generate(llm, QUESTION, TOOLS, tool_choice="required", max_tokens=40, temperature=1.5, seed=1)
    list(generation)
    assert "\n/" in "\n" + generation.text
    assert len(generation.text.split("\n/")[0]) < 140


def test_without_calls(llm: Any) -> None:
    generation = generate(llm, QUESTION, TOOLS, tool_choice="none", max_tokens=12)
    assert generation.message.calls == []
    assert generation.finish_reason in ("stop", "length")


def test_cancelled_from_another_thread(llm: Any) -> None:
    generation = generate(llm, QUESTION, TOOLS, max_tokens=1000, temperature=5.0, top_k=0, top_p=1.0, min_p=0.0)
    timer = threading.Timer(0.3, generation.cancel)
    timer.start()
    list(generation)
    timer.join()
    assert generation.finish_reason == "cancelled"


def test_the_next_turn_goes_on_from_the_cache(llm: Any) -> None:
    first = generate(llm, QUESTION, TOOLS, max_tokens=48, **CALL)
    answer = {"role": "assistant", "content": TOOLS.render(first.message.calls)}
    second = generate(llm, [*QUESTION, answer, {"role": "user", "content": "And in Rome?"}], TOOLS, **CALL)
    assert second.message.calls[0].arguments["city"] == "Rome"
    assert second.stats.reused_tokens >= first.stats.prompt_tokens
    assert second.stats.evaluations < second.stats.sampled + 3


def test_reasoning_ends_with_its_budget(llm: Any) -> None:
    generation = generate(
        llm, QUESTION, TOOLS, reasoning=("", "</think>"), reasoning_tokens=6, logprobs=0, max_tokens=64, **CALL
    )
    assert generation.message.calls
    assert generation.message.reasoning
    thought = generation.text.split("\n</think>")[0]
    pieces = b""
    for count, one in enumerate(generation.probabilities):
        if pieces.decode("utf-8", "ignore") == thought:
            assert count == 6
            break
        pieces += one.piece
    else:
        pytest.fail(f"{thought!r} is not made of whole tokens")


def test_a_stop_string_of_the_user(llm: Any) -> None:
    generation = generate(llm, QUESTION, TOOLS, stop=['"\nunit', "is"], max_tokens=40, **CALL)
    with pytest.raises(IncompleteCall):
        _ = generation.message
    assert generation.finish_reason == "stop"
    assert generation.text == '/weather\ncity="Par'


def test_a_message_with_an_error_is_written_anew(llm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # What the grammar cannot say is checked afterwards: here, that all items differ.
    tool = Tool(
        "f", {"properties": {"x": {"type": "array", "items": {"enum": [1]}, "minItems": 2, "uniqueItems": True}}}
    )
    options: dict[str, Any] = {"tool_choice": "f", "prose": False, "parallel": False, "max_tokens": 24}
    tools = ToolSet([Tool("f", {**tool.parameters, "required": ["x"]})])
    grammar = ToolSet([Tool("f", _without_unique(tools["f"].parameters))]).compile(tool_choice="f", prose=False)
    generation = generate(llm, QUESTION, tools, grammar=grammar, retries=2, **options)
    list(generation)
    assert generation.finish_reason in ("stop", "length")
    if generation.finish_reason == "stop":
        assert generation.stats.attempts == 3
        with pytest.raises(InvalidArgument):
            _ = generation.message
    turns = [turn["role"] for turn in generation._turns]
    assert turns == ["system"] + ["user", "assistant"] * generation.stats.attempts + ["user"]


def _without_unique(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: _without_unique(value) for key, value in schema.items() if key != "uniqueItems"}
    return schema


def test_what_cannot_be_asked_for(llm: Any) -> None:
    with pytest.raises(ModelError, match=r"prompt has \d+ tokens and 4000 may follow, but the context holds 2048"):
        generate(llm, QUESTION, TOOLS, max_tokens=4000)
    with pytest.raises(ValueError, match="max_tokens is at least 1"):
        generate(llm, QUESTION, TOOLS, max_tokens=0)
    with pytest.raises(ValueError, match="retries is at least 0"):
        generate(llm, QUESTION, TOOLS, retries=-1)
    with pytest.raises(TypeError, match="repeat"):
        generate(llm, QUESTION, TOOLS, repeat=1.1)  # type: ignore[call-arg]
    with pytest.raises(GrammarError, match="a call is required"):
        generate(llm, QUESTION, ToolSet(), tool_choice="required")


def test_the_example_of_a_call(llm: Any) -> None:
    answer = {"role": "assistant", "content": '/weather\ncity="Rome"'}
    turns = generate(llm, QUESTION, TOOLS, tool_choice="weather")._turns
    assert [turn["role"] for turn in turns] == ["system", "user", "assistant", "user"]
    assert turns[2]["content"].startswith("/weather\ncity=")
    assert TOOLS.check(turns[2]["content"]) == []
    assert "/weather" not in turns[0]["content"]
    alone = generate(llm, QUESTION, TOOLS, example=False, style="inline")._turns
    assert [turn["content"] for turn in alone] == [TOOLS.prompt(style="inline"), QUESTION[0]["content"]]
    assert len(generate(llm, QUESTION, TOOLS, tool_choice="none")._turns) == 1
    assert len(generate(llm, [*QUESTION, answer, *QUESTION], TOOLS)._turns) == 6


def test_history_in_the_openai_format(llm: Any) -> None:
    messages = [
        *QUESTION,
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "21"},
    ]
    generation = generate(llm, messages, TOOLS, max_tokens=4)
    list(generation)
    prompt = b"".join(generation._vocabulary.pieces[token] for token in generation.prompt).decode()
    assert TOOLS.render([Call("weather", {"city": "Paris"})]) in prompt
    assert "result of /weather:\n21" in prompt
