"""Questions with their tools and the calls that answer them, as the Berkeley Function Calling Leaderboard has them.

A file holds one JSON object a line, may be gzipped: `id`, `question`, `tools` (a list that `ToolSet.load` knows) and
`calls` (`name` and `arguments`).
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slashgrammar import Call, Tool, ToolSet

_UNUSABLE = {"live_simple_71-35-0"}  # asks for an array that is one of several strings, which no value can be


@dataclass(frozen=True)
class Question:
    """What a user asks, with what may be called and what should be."""

    name: str
    text: str
    tools: ToolSet
    calls: list[Call]

    @property
    def messages(self) -> list[dict[str, str]]:
        """The question as a conversation."""
        return [{"role": "user", "content": self.text}]


def questions(path: Path, count: int, *, fewest_tools: int = 1, most_tools: int = 1000) -> list[Question]:
    """So many questions, spread evenly over those of the file that have a fitting number of tools, in a mixed order."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    rows = [row for row in rows if fewest_tools <= len(row["tools"]) <= most_tools and row["id"] not in _UNUSABLE]
    count = min(count, len(rows))
    chosen = [rows[place * len(rows) // count] for place in range(count)]
    random.Random(1).shuffle(chosen)  # a run that stops early has seen all kinds
    return [
        Question(
            row["id"],
            row["question"],
            ToolSet.load(row["tools"]),
            [Call(call["name"], call["arguments"]) for call in row["calls"]],
        )
        for row in chosen
    ]


def many_tools(asked: Sequence[Question], others: Sequence[Question], count: int) -> ToolSet:
    """The tools of the first questions, filled up to so many with those of others; each name once."""
    tools: dict[str, Tool] = {}
    for question in (*asked, *others):
        for tool in question.tools:
            if len(tools) < count:
                tools.setdefault(tool.name, tool)
    return ToolSet(tools.values())
