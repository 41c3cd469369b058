from __future__ import annotations

from typing import Any

import pytest

from slashgrammar.calls.document import document_check
from slashgrammar.errors import InvalidArgument, ToolError
from slashgrammar.grammar.join import compile_schema
from slashgrammar.llama.limits import Limits
from slashgrammar.llama.writing import Writing

QUESTION = [{"role": "user", "content": "Give me a number."}]
ANY_NUMBER = compile_schema({"type": "integer", "minimum": 1, "maximum": 99})


def test_a_text_that_is_refused_is_written_anew(llm: Any) -> None:
    seen: list[str] = []

    def check(text: str) -> InvalidArgument | None:
        seen.append(text)
        return None if len(seen) == 2 else InvalidArgument("the number is too plain")

    writing = Writing(llm, QUESTION, ANY_NUMBER, Limits(8), check=check, retries=3, temperature=1.5, seed=1)
    text = "".join(event.text for event in writing)  # type: ignore[union-attr]
    assert (text, writing.message) == (seen[1], seen[1])
    assert (writing.stats.attempts, writing.finish_reason) == (2, "stop")
    assert [turn["role"] for turn in writing._turns] == ["user", "assistant", "user"]
    assert "too plain" in writing._turns[-1]["content"]


def test_a_text_that_is_always_refused(llm: Any) -> None:
    error = InvalidArgument("no")
    writing = Writing(llm, QUESTION, ANY_NUMBER, Limits(8), check=lambda _: error, retries=2, temperature=0)
    assert "".join(event.text for event in writing).isdigit()  # type: ignore[union-attr]
    assert writing.stats.attempts == 3
    with pytest.raises(InvalidArgument):
        _ = writing.message


def test_a_text_that_is_cut_off_is_not_refused(llm: Any) -> None:
    grammar = compile_schema({"type": "string", "minLength": 100})
    writing = Writing(llm, QUESTION, grammar, Limits(3), check=lambda _: InvalidArgument("no"), retries=2)
    assert writing.message
    assert (writing.stats.attempts, writing.finish_reason) == (1, "length")


def test_documents() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"multipleOf": 2}, "uniqueItems": True}}}
    check = document_check(schema)
    assert check(' {"a": [2, 4]}\n') is None
    for text, path, column in [('{"a": [2,  3]}', "a[1]", 12), ('{"a": [2, 2]}', "a", 7), ("5", "", 1)]:
        error = check(text)
        assert error is not None
        assert (error.path, error.column) == (path, column)
    for text in ("", "{", '{"a": 1, "a": 2}', "[" * 100_000, "nope"):
        assert check(text) is not None
    closed = document_check(schema, open_objects=False)
    assert closed('{"b": 1}') is not None
    with pytest.raises(ToolError):
        document_check({"type": 5}, name="x")
