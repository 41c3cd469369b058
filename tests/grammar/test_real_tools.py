"""Real tools and real calls of them: all compile, nothing is widened without a reason, every valid call is a member."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import slashgrammar as sg
from tests.grammar import engines

REPEATS = "any (value|object): its keys may repeat"


def questions(folder: Path) -> Iterator[dict[str, Any]]:
    """The questions of the function calling leaderboard, with tools and accepted calls."""
    with gzip.open(folder / "bfcl-half.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def judge(question: dict[str, Any]) -> bool:
    """Whether the accepted calls fit their tools; they are then in the grammar, and parsed to the same again."""
    tools = sg.ToolSet.load(question["tools"])
    grammar = tools.compile(tool_choice="required", prose=False)
    assert {entry.keyword for entry in grammar.report} <= {"additionalProperties"}, question["id"]
    calls = [sg.Call(call["name"], call["arguments"]) for call in question["calls"]]
    text = tools.render(calls)
    valid = not tools.check(text)
    assert grammar.matches(text) is valid, question["id"]
    assert not valid or tools.parse(text).calls == calls
    return valid


def test_accepted_calls_of_some_questions(shared_data: Path) -> None:
    some = list(questions(shared_data))[::12]
    assert sum(map(judge, some)) > 0.9 * len(some)


@pytest.mark.slow
def test_accepted_calls_of_all_questions(shared_data: Path) -> None:
    wrong = [question["id"] for question in questions(shared_data) if not judge(question)]
    print(f"{len(wrong)} accepted answers do not fit the schemas of their tools:", *wrong)
    assert len(wrong) == 40


def test_all_tools_of_the_leaderboard_in_one_set(shared_data: Path) -> None:
    listed = [tool for question in questions(shared_data) for tool in sg.ToolSet.load(question["tools"])]
    distinct = {json.dumps([tool.name, tool.parameters]): tool for tool in listed}.values()
    tools = sg.ToolSet(sg.Tool(f"{number}_{tool.name}", tool.parameters) for number, tool in enumerate(distinct))
    assert len(tools) == 1510
    grammar = tools.compile(tool_choice="required", prose=False)
    calls = [sg.Call(tool.name, arguments) for tool in tools if (arguments := _least(tool)) is not None]
    assert len(calls) > 1000
    assert tools.parse(tools.render(calls)).calls == calls
    for call in calls[:: len(calls) // 5]:
        text = tools.render([call])
        assert grammar.matches(text)
        assert engines.llama(grammar.gbnf, text)
        assert not engines.llama(grammar.gbnf, text + "x")


def _least(tool: sg.Tool) -> dict[str, Any] | None:
    """Arguments for a tool whose required ones are texts and numbers of any kind."""
    samples = {"string": "a", "integer": 3, "number": 2.5, "boolean": True}
    found = {}
    for name in tool.parameters.get("required", ()):
        schema = tool.parameters["properties"].get(name, {})
        if schema.get("type") not in samples or schema.keys() - {"type", "description", "default", "title"}:
            return None
        found[name] = samples[schema["type"]]
    return found


def test_a_real_server_is_said_to_the_letter(shared_data: Path) -> None:
    tools = sg.ToolSet.load(shared_data / "github-mcp-tools.json")
    report = tools.compile().report
    assert [(entry.tool, entry.path, entry.reason) for entry in report] == [
        ("projects_write", "/properties/updated_field/properties/value", "any value: its keys may repeat")
    ]
