"""Real questions on a real model: whatever it writes is valid, or known to be cut off.

The large runs, on questions of the Berkeley Function Calling Leaderboard, are marked slow; the suite has small ones.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import slashgrammar as sg
from slashgrammar.llama import generate

EVERYDAY = [
    ("What's the weather like in Paris?", 'weather(city:str, unit:"celsius"|"fahrenheit"="celsius")->weather'),
    ("Write a poem about the sea to sea.txt", "write(path:str, content:str)->confirmation"),
    ("Read lines 10 to 20 of main.py", "read(path:str, from:int, to:int)->lines"),
    ("Search the folder src for TODO", "search(query:str, is_regex:bool=false, folders:Array[str])->results"),
    ("Remind me at 7 to buy milk", "remind(at:int, items:Array[{name:str, count?:int}])->id"),
    ("Add 2.5 and 4", "add(a:float, b:float)->sum"),
    ("Turn on the light in the kitchen", "light(room:str, on:bool, brightness?:int)->state"),
    ("Send a mail to Ann that says hello", "mail(to:Array[str], subject:str, body:str)->sent"),
    ("Book a table for two", "book(people:int, time:str|null)->booking"),
    ("Translate cheese to French", 'translate(text:str, to:"fr"|"de"|"es")->text'),
]


def outcomes(llm: Any, questions: Iterable[tuple[str, sg.ToolSet]], **options: Any) -> Counter[str]:
    """How often a message ended by itself, how often it held a call, how often it was cut off.

    Fails where one that ended by itself does not parse or does not fit its tools.
    """
    counts: Counter[str] = Counter()
    for number, (question, tools) in enumerate(questions):
        generation = generate(llm, [{"role": "user", "content": question}], tools, seed=number, **options)
        for _ in generation:
            pass
        if generation.finish_reason == "length":
            counts["cut off"] += 1
            with suppress(sg.IncompleteCall):  # what was cut off in prose, or behind a whole call, is no error
                assert generation.message.calls == tools.parse(generation.text).calls
            continue
        message = generation.message
        assert message == tools.parse(generation.text)
        assert tools.check(generation.text) == []
        counts["ended"] += 1
        counts["called"] += bool(message.calls)
        if options.get("tool_choice") == "required":
            assert message.calls
    return counts


def everyday() -> list[tuple[str, sg.ToolSet]]:
    return [(question, sg.ToolSet.from_signatures(signatures)) for question, signatures in EVERYDAY]


def bfcl(folder: Path, count: int) -> list[tuple[str, sg.ToolSet]]:
    """Questions spread evenly over the file."""
    lines = gzip.decompress((folder / "bfcl-half.jsonl.gz").read_bytes()).decode().splitlines()
    chosen = [json.loads(line) for line in lines[:: len(lines) // count][:count]]
    return [(row["question"], sg.ToolSet.load(row["tools"])) for row in chosen]


@pytest.mark.parametrize("options", [{"temperature": 0}, {"temperature": 1.5, "top_k": 0}])
def test_required_calls_of_everyday_tools(llm: Any, options: dict[str, Any]) -> None:
    counts = outcomes(llm, everyday(), tool_choice="required", parallel=False, prose=False, max_tokens=48, **options)
    assert counts["called"] == counts["ended"] >= (7 if options["temperature"] == 0 else 1)


def test_calls_of_everyday_tools_where_none_is_required(llm: Any) -> None:
    counts = outcomes(llm, everyday(), max_tokens=32, temperature=0)
    assert counts.total() >= len(EVERYDAY)


@pytest.mark.slow
@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("options", [{"temperature": 0}, {"temperature": 1.5, "top_k": 0}])
def test_required_calls_of_bfcl(llm: Any, shared_data: Path, options: dict[str, Any], parallel: bool) -> None:
    counts = outcomes(llm, bfcl(shared_data, 100), tool_choice="required", parallel=parallel, max_tokens=192, **options)
    print(options, f"{parallel=}", dict(counts))
    assert counts["called"] == counts["ended"]
    assert options["temperature"] or parallel or counts["ended"] >= 90


@pytest.mark.slow
def test_calls_of_bfcl_where_none_is_required(llm: Any, shared_data: Path) -> None:
    counts = outcomes(llm, bfcl(shared_data, 50), max_tokens=192, temperature=0)
    print(dict(counts))
    assert counts["called"] >= 15
