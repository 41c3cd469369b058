"""Every prefix of real messages has a partial message that is well formed and only ever grows."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from slashgrammar.calls import Call, Message, StreamParser, render
from slashgrammar.calls.message import PartialCall
from slashgrammar.errors import TextError
from slashgrammar.tools import ToolSet
from tests.calls.texts import CASES

README = "# Hi\n\n```python\nprint('/read')\n```\n\nand\n\n````\n```\n````\n/read path=1\n"
WRITES = [render([Call("write", {"path": f"{n}.md", "content": README * n, "mode": "w"})]) for n in range(1, 6)]
PROSE = [
    'Look in /usr/bin, or in\n/usr/local/bin:\n\n```bash\n/read path="x"\n```\n\n// that\'s it\n/ and more\n',
    '<think>\nShould I\n/read path="x"\nor not? </thin\n</think>\nYes.\n\n/read path="a" from=12\n\n/list\n',
    '/edit path="é\\u00e9\\ud83d\\ude00" edits=[\n  {"old": "a", "new": "b\\n"},\n  {"old": []}\n]\nall=true\n\nDone.',
]


def _check(text: str, tools: ToolSet | None = None) -> None:
    parser = StreamParser(tools)
    before = Message()
    for char in text:
        parser.feed(char)
        _check_growth(before, parser.message)
        before = parser.message
    try:
        after = parser.finish()
    except TextError:
        return
    _check_growth(before, after)
    assert after.partial is None


def _check_growth(before: Message, after: Message) -> None:
    """What was certain before is certain still."""
    assert after.calls[: len(before.calls)] == before.calls
    assert after.text.startswith(before.text)
    assert after.reasoning.startswith(before.reasoning)
    if before.partial is not None:
        _check_partial(before.partial, after.partial or _as_partial(after.calls[len(before.calls)]))


def _as_partial(call: Call) -> PartialCall:
    return PartialCall(call.name, call.arguments)


def _check_partial(before: PartialCall, after: PartialCall) -> None:
    assert before.name == after.name
    assert list(after.arguments.items())[: len(before.arguments)] == list(before.arguments.items())
    assert before.key not in before.arguments
    assert before.key is None or before.key == after.key or before.key in after.arguments
    if before.text is not None:
        now = after.text if before.key == after.key else after.arguments[before.key or ""]
        assert isinstance(now, str)
        assert now.startswith(before.text)


@pytest.mark.parametrize("text", [*WRITES, *PROSE])
def test_messages(text: str) -> None:
    _check(text)


def test_cases() -> None:
    for case in CASES:
        if case.reasoning == ("<think>", "</think>"):
            _check(case.text, case.tools)


def test_real_calls(shared_data: Path) -> None:
    with gzip.open(shared_data / "bfcl-half.jsonl.gz", "rt", encoding="utf-8") as file:
        questions = [json.loads(line) for line in file]
    for question in questions[:: max(1, len(questions) // 300)][:300]:
        calls = [Call(call["name"], call["arguments"]) for call in question["calls"]]
        _check(f"I'll do that.\n\n{render(calls)}\n\nAnd then?")
