"""Every problem of a text is found, each with its place, and none where there is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.calls import check, parse
from slashgrammar.calls.check import MOST_PROBLEMS
from slashgrammar.calls.locate import locate
from slashgrammar.calls.places import Places
from slashgrammar.calls.values import MAX_DEPTH
from slashgrammar.errors import (
    DuplicateArgument,
    IncompleteCall,
    InvalidArgument,
    MissingArgument,
    SlashSyntaxError,
    TextError,
    UnknownArgument,
    UnknownTool,
)
from slashgrammar.tools import Tool, ToolSet
from tests.calls.texts import CASES, TOOLS, texts


def _check(text: str, tools: ToolSet | None) -> None:
    errors = check(tools, text)
    if not errors:
        parse(text, tools)
        return
    with pytest.raises(TextError) as raised:
        parse(text, tools)
    assert (type(raised.value), str(raised.value)) == (type(errors[0]), str(errors[0]))
    assert [error.offset for error in errors] == sorted(error.offset for error in errors)
    for error in errors:
        before = text[: error.offset]
        assert 0 <= error.offset <= len(text)
        assert (error.line, error.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))
        assert error.problem
        assert error.expected
        assert str(error).startswith(f"line {error.line}, column {error.column}")
        assert error.path in str(error)
        json.dumps(error.to_dict(), ensure_ascii=False).encode()
        error.source.encode()


@settings(max_examples=400, deadline=None)
@given(texts(), st.sampled_from([None, TOOLS]))
def test_check_and_parse_agree(text: str, tools: ToolSet | None) -> None:
    _check(text, tools)


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None)
@given(texts(), st.sampled_from([None, TOOLS]))
def test_check_and_parse_agree_on_many_texts(text: str, tools: ToolSet | None) -> None:
    _check(text, tools)


def test_all_kinds_of_errors_have_cases() -> None:
    kinds = {error["error"] for case in CASES if case.is_error for error in case.expected}
    assert kinds == {
        kind.__name__
        for kind in (
            DuplicateArgument,
            IncompleteCall,
            InvalidArgument,
            MissingArgument,
            SlashSyntaxError,
            UnknownArgument,
            UnknownTool,
        )
    }
    problems = {error["problem"] for case in CASES if case.is_error for error in case.expected}
    assert len(problems) > 100


@pytest.mark.parametrize("line", ["/a x=oops\n", "/a x=1 x=2\n", "/b x=1\n", "/read\n", "/read path=1\n", "/a x=[\n"])
def test_problems_without_end(line: str) -> None:
    errors = check(TOOLS, line * 3 * MOST_PROBLEMS)
    assert len(errors) == MOST_PROBLEMS
    assert errors[1].line <= 3


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "integer"}, '"1"', "a whole number"),
        ({"type": ["integer", "null"]}, '"1"', "null or a whole number"),
        ({"enum": list(range(20))}, '"1"', "one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 others"),
        ({"const": 2}, "1", "2"),
        ({"minimum": 1}, "0", "at least 1"),
        ({"maximum": 1.5}, "2", "at most 1.5"),
        ({"exclusiveMinimum": 1}, "1", "more than 1"),
        ({"exclusiveMaximum": 1}, "1", "less than 1"),
        ({"multipleOf": 2}, "3", "a multiple of 2"),
        ({"minLength": 2}, '"a"', "at least 2 characters"),
        ({"maxLength": 2}, '"abc"', "at most 2 characters"),
        ({"pattern": "^a+$"}, '"b"', "a text that matches ^a+$"),
        ({"minItems": 1}, "[]", "at least 1 items"),
        ({"maxItems": 1}, "[1, 2]", "at most 1 items"),
        ({"uniqueItems": True}, "[1, 1]", "items that are all different"),
        ({"contains": {"type": "string"}}, "[1]", "an item of the kind that the schema asks for"),
        ({"minProperties": 1}, "{}", "at least 1 keys"),
        ({"maxProperties": 0}, '{"a": 1}', "at most 0 keys"),
        ({"propertyNames": {"pattern": "^a"}}, '{"b": 1}', "keys each of which is a text that matches ^a"),
        ({"not": {"type": "integer"}}, "1", "a value that the schema does not exclude"),
        ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, '"a"', "a whole number or true or false"),
        ({"anyOf": [{"type": "object", "required": ["a"]}, {"type": "null"}]}, "{}", "an object with a or null"),
        (
            {"anyOf": [{"properties": {"a": {"type": "string"}}}, {"type": "null"}]},
            '{"a": 1}',
            "a string at a or null",
        ),
        ({"oneOf": [{"type": "integer"}, {"minimum": 0}]}, "1", "a value that only one of its forms takes"),
        (False, "1", "nothing there, as no value fits"),
        ({"enum": []}, "1", "nothing there, as no value fits"),
    ],
)
def test_expectations(schema: object, value: str, expected: str) -> None:
    tools = ToolSet([Tool("a", {"type": "object", "properties": {"x": schema}})])
    (error,) = check(tools, f"/a x={value}")
    assert type(error) is InvalidArgument
    assert (error.path, error.column, error.expected) == ("x", 6, expected)


NUMBER = {"anyOf": [{"type": "integer"}, {"type": "null"}]}


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        # A form that does not fit, and beside it a name that is there for no reason.
        ({"properties": {"x": NUMBER}, "additionalProperties": False}, "x=true y=1", ["x", "y"]),
        ({"properties": {"x": NUMBER}, "unevaluatedProperties": False}, "x=true y=1", ["x", "y"]),
        # A name that has one, though its value does not fit.
        (
            {"allOf": [{"properties": {"x": {"type": "integer"}}}], "unevaluatedProperties": False},
            "x=true y=1",
            ["x", "y"],
        ),
        # No form fits: which names have a reason does not show.
        (
            {"anyOf": [{"properties": {"x": {"const": 1}}, "required": ["x"]}], "unevaluatedProperties": False},
            "x=2",
            [""],
        ),
        (
            {"properties": {"o": {"properties": {"x": NUMBER}, "unevaluatedProperties": False}}},
            'o={"x": true, "y": 1}',
            ["o.x", "o.y"],
        ),
    ],
)
def test_names_without_a_reason_beside_other_errors(schema: dict[str, object], text: str, expected: list[str]) -> None:
    tools = ToolSet([Tool("a", {"type": "object", **schema})], open_objects=True)
    assert sorted(error.path for error in check(tools, f"/a {text}")) == expected


def test_long_values_are_cut_off() -> None:
    (error,) = check(TOOLS, '/w content=["' + "é" * 100_000 + '"]')
    assert len(str(error)) < 200


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ([], '{"a": [1'),
        (["a"], "[1, "),
        (["a", 0], "1, "),
        (["a", 1], '{ "b"'),
        (["a", 1, "b"], '"x"'),
        (["c"], "null"),
        (["a", 2], "[1, "),
        (["a", 1, "z"], '{ "b"'),
        (["z"], '{"a": [1'),
        ([0], '{"a": [1'),
        (["c", "d"], "null"),
    ],
)
def test_locate(path: list[str | int], found: str) -> None:
    text = 'x={"a": [1, { "b" : "x", "n":-1}], "c":\n null}] 2'
    assert text[locate(text, 2, path) :].startswith(found)


@given(st.text(alphabet="ab\n\r\u2028é"), st.data())
def test_places(text: str, data: st.DataObject) -> None:
    places = Places(text)
    lines = text.split("\n")
    for offset in data.draw(st.lists(st.integers(0, len(text)))):
        line, column = places.position(offset)
        assert places.source(offset) == lines[line - 1]
        assert sum(len(one) + 1 for one in lines[: line - 1]) + column - 1 == offset
        assert places.next_line(offset) == min(len(text), sum(len(one) + 1 for one in lines[:line]))


def test_formats_are_checked() -> None:
    tools = ToolSet([Tool("f", {"properties": {"day": {"type": "string", "format": "date"}}})])
    assert check(tools, '/f\nday="2024-02-29"') == []
    (error,) = check(tools, '/f\nday="2023-02-29"')
    assert (error.path, error.expected) == ("day", "a text in the format date")


def test_values_are_shown_as_they_are_written() -> None:
    tools = ToolSet.from_signatures('f(a:"é"|"日本")')
    (error,) = check(tools, '/f a="ü"')
    assert 'the value "ü"' in str(error)
    assert '"é"' in str(error)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"k": ', "}"), ('[{"k": ', "}]")])
def test_brackets_may_be_nested_so_deep_and_no_deeper(opening: str, closing: str) -> None:
    depth = MAX_DEPTH // len(closing)
    assert check(None, f"/f x={opening * depth}1{closing * depth}") == []
    assert check(None, f"/f x={opening * depth}[]{closing * depth}") != []


@pytest.mark.parametrize(("count", "end"), [(12, '"v11"'), (13, '"v11" and 1 others'), (20, '"v11" and 8 others')])
def test_of_many_values_a_dozen_is_listed(count: int, end: str) -> None:
    tools = ToolSet([Tool("f", {"type": "object", "properties": {"a": {"enum": [f"v{i}" for i in range(count)]}}})])
    (error,) = check(tools, '/f a="x"')
    assert error.expected.startswith('one of "v0", "v1"')
    assert error.expected.endswith(end)
