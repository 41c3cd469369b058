from __future__ import annotations

import pytest

import slashgrammar as sg
from slashgrammar.dialects.selection import SelectedFunction, select

TOOLS = sg.ToolSet.from_signatures("fn_reverse_string(s:str)->reversed string\nfn_add(a:int, b:int)->sum")


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "fn_reverse_string", "parameters": {"s": "hello"}}\n\n</tool_call>',
        '<tool_call>\n{"name": "fn_reverse_string", "arguments": {"s": "hello"}}\n</tool_call>\n{"name": "fn_add"}',
        'Well {then}: { "x": {"name": "fn_reverse_string", "parameters": {"s": "hello"}}}',
    ],
)
def test_the_first_balanced_object_is_the_selection(text: str) -> None:
    selected = select("Reverse the string 'hello'", text, TOOLS)
    assert selected.row() == {
        "prompt": "Reverse the string 'hello'",
        "name": "fn_reverse_string",
        "parameters": {"s": "hello"},
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no call",
        '{"name": "fn_unknown", "parameters": {"s": "x"}}',
        '{"name": "fn_reverse_string", "parameters": {}}',
        '{"name": "fn_reverse_string"}',
        '{"name": "fn_reverse_string", "parameters": {"s": 5}}',
        '{"name": "fn_reverse_string", "parameters": {"s": "\\ud800"}}',
        '{"name": "fn_add", "parameters": {"a": NaN, "b": 1}}',
        '{"name": "fn_add", "parameters": {"a": ' + "1" * 5000 + ', "b": 1}}',
        '{"name": "fn_add", "parameters": {"a": 1, "b"',
        '{"name": ["fn_add"], "parameters": {"a": 1, "b": 2}}',
        '{"a":' * 50_000,
        "{" * 50_000,
    ],
)
def test_anything_else_selects_nothing(text: str) -> None:
    assert select("p", text, TOOLS) == SelectedFunction("p", "", {})
