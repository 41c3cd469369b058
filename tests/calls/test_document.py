"""Documents in JSON: what is wrong first, and where."""

from __future__ import annotations

import pytest

from slashgrammar.calls.document import document_check

SCHEMA = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}, "required": ["a"]}


@pytest.mark.parametrize("text", ['{"a": []}', ' \n{"a": [1, 2]}\n', '{"b": null, "a": [3]}'])
def test_right_documents(text: str) -> None:
    assert document_check(SCHEMA)(text) is None


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "problem"),
    [
        ("", "SlashSyntaxError", 1, 1, "this is no JSON"),
        ("{a: 1}", "SlashSyntaxError", 1, 2, "this is no JSON"),
        ('\n\n  {"a": [1,]}', "SlashSyntaxError", 3, 12, "this is no JSON"),
        *((text, "SlashSyntaxError", 1, 1, "this is no JSON") for text in ("NaN", "-", "nul", "\xa0{}", "'a'")),
        ("[" + "9" * 5_000, "SlashSyntaxError", 1, 1, "this is no JSON"),
        ("1_0", "SlashSyntaxError", 1, 2, "this is no JSON"),
        ("1 2", "SlashSyntaxError", 1, 3, "this is no JSON"),
        ('{"a": []} {}', "SlashSyntaxError", 1, 11, "this is no JSON"),
        ("[" * 100_000, "SlashSyntaxError", 1, 1, "this is no JSON"),
        ('\n {"a": [], "a": []}', "InvalidArgument", 2, 2, 'the key "a" is given twice'),
        ('{"a": [1e999]}', "InvalidArgument", 1, 1, "1e999 is out of range"),
        ('\n{"a":\n[1, "x"]}', "InvalidArgument", 3, 5, 'the value "x" does not fit'),
        ("{}", "InvalidArgument", 1, 1, "does not fit"),
    ],
)
def test_wrong_documents(text: str, code: str, line: int, column: int, problem: str) -> None:
    error = document_check(SCHEMA)(text)
    assert error is not None
    assert (error.code, error.line, error.column) == (code, line, column)
    assert problem in error.problem
