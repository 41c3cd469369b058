"""Rendered calls are the calls again, in the canonical way of writing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.calls import Call, check, parse, render
from slashgrammar.calls.message import Text
from slashgrammar.calls.values import MAX_DEPTH
from slashgrammar.errors import ToolError
from slashgrammar.tools import Tool, ToolSet

PIECES = [
    *("\n", "\n\n", "\r\n", "\r", "\t", " ", "`", "```", "```py", "\n```\n", "````", "`````````", "\n" + "`" * 8),
    *("/", "/read", "\n/read path=1\n", "<think>", "</think>", "x=", '"', "\\", "\\n", "\u2028", "\u0085", "\x0b"),
    *("\x00", "\x1b", "\x7f", "\ufeff", "\ufffe", "é", "😀", "{", "}", "[", "]", ",", ":", "#"),
]
ODD = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
STRINGS = st.text() | ODD
FENCES = st.lists(st.integers(0, 12).map("`".__mul__) | st.just("a"), max_size=5).map("\n".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | STRINGS | FENCES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4),
)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.\-]*", fullmatch=True)
ARGUMENTS = st.dictionaries(NAMES | STRINGS, VALUES, max_size=4)
CALLS = st.lists(st.builds(Call, NAMES, ARGUMENTS), max_size=3)
STYLES = st.sampled_from(["lines", "inline"])


@settings(max_examples=200, deadline=None)
@given(CALLS, STYLES)
def test_round_trip(calls: list[Call], style: str) -> None:
    assert parse(render(calls, style=style)).calls == calls


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(min_size=1), max_size=3), st.data())
def test_round_trip_of_any_known_name(names: list[str], data: st.DataObject) -> None:
    tools = []
    for name in dict.fromkeys(names):
        try:
            tools.append(Tool(name, {"type": "object", "additionalProperties": True}))
        except ToolError:
            with pytest.raises(ToolError):
                render([Call(name)])
    known = ToolSet(tools)
    calls = [Call(tool.name, data.draw(ARGUMENTS)) for tool in known]
    text = known.render(calls)
    assert known.parse(text).calls == calls
    assert check(known, text) == []


@settings(max_examples=100, deadline=None)
@given(CALLS, STYLES, st.sampled_from(["Sure.\n\n", "/usr/bin\n", "```\n/x\n```\n", "<think>a</think>"]))
def test_text_around_changes_no_call(calls: list[Call], style: str, before: str) -> None:
    message = parse(f"{before}{render(calls, style=style)}\n\nand so on")
    assert message.calls == calls
    assert message.segments[-1] == Text("and so on") or not calls


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "/f"),
        (
            {"path": "a b", "n": 1, "x": None, "y": [True, {"k": 1.5}]},
            '/f\npath="a b"\nn=1\nx=null\ny=[true, {"k": 1.5}]',
        ),
        ({"a": 'é\u2028\\"\t'}, '/f\na="é\u2028\\\\\\"\\t"'),
        ({"a": "x\ny"}, "/f\na=\n```\nx\ny\n```"),
        ({"a": "\n"}, "/f\na=\n```\n\n\n```"),
        ({"a": "x\n"}, "/f\na=\n```\nx\n\n```"),
        ({"a": "``\n"}, "/f\na=\n```\n``\n\n```"),
        ({"a": "```\nx\n ````"}, "/f\na=\n````\n```\nx\n ````\n````"),
        ({"a": "x\n" + "`" * 7}, f"/f\na=\n{'`' * 8}\nx\n{'`' * 7}\n{'`' * 8}"),
        ({"a": "x\n" + "`" * 8}, '/f\na="x\\n````````"'),
        ({"a": "x\r\ny"}, '/f\na="x\\r\\ny"'),
        ({"a": "x\n\x00"}, '/f\na="x\\n\\u0000"'),
        ({"a": [1.0, -0.0, 1e19, 1e20, 0.5]}, "/f\na=[1, 0, 10000000000000000000, 1e+20, 0.5]"),
        ({"a": ["x\ny"]}, '/f\na=["x\\ny"]'),
        ({"filter[name]": 1, "": 2}, '/f\n"filter[name]"=1\n""=2'),
    ],
)
def test_canonical_writing(arguments: dict[str, Any], text: str) -> None:
    assert render([Call("f", arguments)]) == text


def test_inline() -> None:
    call = Call("f", {"a": 1, "b": "x\ny", "c": 2, "d": 3})
    assert render([call, Call("g", {"a": 1})], style="inline") == "/f a=1 b=\n```\nx\ny\n```\nc=2 d=3\n/g a=1"


def test_declared_order() -> None:
    inner = {"type": "object", "properties": {"b": {}, "a": {}}}
    schema = {
        "type": "object",
        "properties": {"y": {"$ref": "#/$defs/in%20ner"}, "x": {"type": "array", "items": {"$ref": "#/$defs/in ner"}}},
        "$defs": {"in ner": {"allOf": [inner, {"properties": {"d": {}}}]}},
    }
    tools = ToolSet([Tool("f", schema)], open_objects=True)
    value = {"c": 1, "d": 2, "a": 3, "b": 4}
    assert tools.render([Call("f", {"z": 1, "x": [value], "y": value})]) == (
        '/f\ny={"b": 4, "a": 3, "d": 2, "c": 1}\nx=[{"b": 4, "a": 3, "d": 2, "c": 1}]\nz=1'
    )


def test_declared_order_is_that_of_the_grammar() -> None:
    by_pattern = {"patternProperties": {"^x": {"properties": {"b": {}, "a": {}}}}}
    merged = {"oneOf": [{"properties": {"d": {}, "c": {}}}, {"required": ["e"]}], "properties": {"f": {}}}
    tools = ToolSet([Tool("f", {"properties": {"m": merged, "p": by_pattern}})], open_objects=True)
    text = tools.render([Call("f", {"p": {"x1": {"a": 1, "b": 2}}, "m": {"f": 1, "c": 3, "d": 4}})])
    assert tools.compile().matches(text)


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_as_deep_as_texts_may_be() -> None:
    calls = [Call("f", {"x": _nested(MAX_DEPTH)})]
    assert parse(render(calls)).calls == calls


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (Call("a b"), "tool 'a b'"),
        (Call(""), "a tool needs a name"),
        (Call("f", {"x": float("nan")}), "tool 'f' at x: the number nan"),
        (Call("f", {"x": [1, {"y": float("inf")}]}), "at x[1].y: the number inf"),
        (Call("f", {"x": {1: 2}}), "at x: the key 1"),
        (Call("f", {"x": {1, 2}}), "at x: a value of type set"),
        (Call("f", {"x": "\ud800"}), "at x: a lone surrogate"),
        (Call("f", {"x": "\n\ud800"}), "at x: a lone surrogate"),
        (Call("f", {"\ud800": 1}), "the key '\\ud800'"),
        (Call("f", {"x": {"\ud800": 1}}), "at x: the key '\\ud800'"),
        (Call("f", {"x": 10**5000}), "at x: a number of more than 4300 digits"),
        (Call("f", {"x": _nested(MAX_DEPTH + 1)}), "brackets nested more than 256 deep"),
        (Call("f", {"x": _nested(100_000)}), "brackets nested more than 256 deep"),
    ],
)
def test_what_is_no_json(call: Call, message: str) -> None:
    with pytest.raises(ToolError) as raised:
        render([call])
    assert message in str(raised.value)
    str(raised.value).encode()
