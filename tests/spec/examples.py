"""Reads examples from Markdown: a text, and what it means.

    ~~~~ example
    /read path="a.txt"
    .
    {"call": "read", "arguments": {"path": "a.txt"}}
    ~~~~

Above the dot stands the text, without a line break at its end; below it, a line of JSON for each segment (a string for
prose) or for each error, of which only the fields that matter are written. `→` is a tab, `␍` a carriage return, and
`⟨U+2028⟩` a character by its number. A block `tools` holds the signatures of the tools that are known from there on;
while it is empty, none are known. `example reasoning=<a>…</a>` sets the delimiters of reasoning, and `reasoning=none`
that there are none. In an `example generation` stands below the dot whether a model may write the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from slashgrammar.calls import Call, Message, check, parse
from slashgrammar.calls.message import Reasoning, Segment
from slashgrammar.errors import TextError
from slashgrammar.grammar.delimiters import DEFAULT
from slashgrammar.tools import ToolSet

_BLOCK = re.compile(r"^~~~~ (example|tools)(?: ([^\n]*))?\n(.*?)^~~~~$", re.MULTILINE | re.DOTALL)
_NUMBERED = re.compile(r"⟨U\+([0-9A-F]{4,6})⟩")


@dataclass(frozen=True)
class Example:
    """A text and what it means.

    Attributes:
        place: file and line where it stands.
        text: the text.
        expected: its segments, or its errors.
        tools: the tools that are known, or None.
        reasoning: the delimiters of reasoning.
        is_generated: whether the example is about what a model may write.
    """

    place: str
    text: str
    expected: list[Any]
    tools: ToolSet | None
    reasoning: tuple[str, str] | None
    is_generated: bool

    @property
    def is_error(self) -> bool:
        return any(isinstance(part, dict) and "error" in part for part in self.expected)


def read_examples(path: Path) -> list[Example]:
    """The examples of a file, in order."""
    return list(_examples(path))


def check_example(example: Example) -> None:
    """Fails where the example is not what the package does."""
    tools, text, reasoning = example.tools, example.text, example.reasoning
    if example.is_generated:
        assert tools is not None
        assert [tools.compile().matches(text)] == example.expected
        return
    errors = check(tools, text, reasoning=reasoning)
    if not example.is_error:
        assert not errors
        assert segments(parse(text, tools, reasoning=reasoning)) == example.expected
        return
    found = [{"error": error.code, **error.to_dict()} for error in errors]
    named = [{key: one.get(key) for key in wanted} for one, wanted in zip(found, example.expected, strict=True)]
    assert named == example.expected
    with pytest.raises(TextError) as raised:
        parse(text, tools, reasoning=reasoning)
    assert str(raised.value) == str(errors[0])


def segments(message: Message) -> list[Any]:
    """The segments of a message, written as in an example."""
    return [_written(segment) for segment in message.segments]


def _examples(path: Path) -> Iterator[Example]:
    source = path.read_text(encoding="utf-8")
    tools: ToolSet | None = None
    for block in _BLOCK.finditer(source):
        kind, options, body = block.groups()
        if kind == "tools":
            tools = ToolSet.from_signatures(body) if body.strip() else None
            continue
        text, dot, expected = body.rpartition("\n.\n") if not body.startswith(".\n") else ("", ".", body[2:])
        place = f"{path.name}:{source.count(chr(10), 0, block.start()) + 1}"
        assert dot, f"{place} lacks the dot between text and meaning"
        meaning = [json.loads(line) for line in expected.splitlines()]
        is_generated = options == "generation"
        yield Example(place, _plain(text), meaning, tools, _delimiters(None if is_generated else options), is_generated)


def _plain(text: str) -> str:
    text = text.replace("→", "\t").replace("␍", "\r")
    return _NUMBERED.sub(lambda found: chr(int(found[1], 16)), text)


def _delimiters(options: str | None) -> tuple[str, str] | None:
    if options is None:
        return DEFAULT
    value = options.removeprefix("reasoning=")
    if value == "none":
        return None
    opening, _, closing = value.partition("…")
    return opening, closing


def _written(segment: Segment) -> Any:
    if isinstance(segment, Call):
        return {"call": segment.name, "arguments": segment.arguments}
    return {"reasoning": segment.text} if isinstance(segment, Reasoning) else segment.text
