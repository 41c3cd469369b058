"""What users of tool calling reported elsewhere, as the schemas that did it."""

from __future__ import annotations

from typing import Any

import pytest

import slashgrammar as sg
from tests.grammar import engines


def tool(name: str, **properties: Any) -> sg.Tool:
    return sg.Tool(name, {"type": "object", "properties": properties, "required": list(properties)})


def decide(tools: sg.ToolSet, *calls: sg.Call) -> list[bool]:
    """Whether each call is in the grammar, which llama.cpp loads, and validation agrees."""
    grammar = tools.compile(tool_choice="required", prose=False)
    found = []
    for call in calls:
        text = tools.render([call])
        taken = engines.llama(grammar.gbnf, text)
        assert grammar.matches(text) is taken
        assert taken or tools.check(text), "valid, but refused"
        assert grammar.report or taken is not bool(tools.check(text))
        found.append(taken)
    return found


CLASSES = {
    r"^\d{3}-\d{4}$": (["555-0199"], ["5550199", "555-019x"]),
    r"^\w+$": (["some_name"], ["some name", ""]),
    r"^\S+\s\S+$": (["two words"], ["word", "three of them"]),
    r"\bcat\b": (["a cat.", "cat"], ["concatenate"]),
    r"^[^\s\d]+$": (["abc"], ["a1", "a b"]),
    r"^\D\W\B$": (["a-"], ["1-", "ab"]),
}


@pytest.mark.parametrize("pattern", CLASSES)
def test_class_escapes_of_a_pattern(pattern: str) -> None:
    valid, invalid = CLASSES[pattern]
    tools = sg.ToolSet([tool("other", a={"type": "integer"}), tool("f", v={"type": "string", "pattern": pattern})])
    assert decide(tools, *(sg.Call("f", {"v": value}) for value in valid)) == [True] * len(valid)
    assert decide(tools, *(sg.Call("f", {"v": value}) for value in invalid)) == [False] * len(invalid)
    assert decide(tools, sg.Call("other", {"a": 1})) == [True]


ZOD_EMAIL = r"^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$"


def test_an_address_with_lookaheads() -> None:
    tools = sg.ToolSet([tool("send", to={"type": "string", "format": "email", "pattern": ZOD_EMAIL})])
    calls = [sg.Call("send", {"to": to}) for to in ("ann.lee@mail.example.org", ".ann@example.org", "a..b@example.org")]
    assert decide(tools, *calls) == [True, False, False]


@pytest.mark.parametrize("pattern", [r"(a+)\1", "^(?<=a", "[z-a]"])
def test_patterns_that_are_not_regular_or_no_pattern_stop_nobody(pattern: str) -> None:
    tools = sg.ToolSet([tool("bad", v={"type": "string", "pattern": pattern}), tool("good", v={"type": "integer"})])
    grammar = tools.compile()
    assert {(entry.tool, entry.path, entry.keyword) for entry in grammar.report} == {
        ("bad", "/properties/v", "pattern")
    }
    assert grammar.matches("/good\nv=1")
    assert grammar.matches('/bad\nv="aa"')


def test_long_texts_inside_of_objects_and_arrays() -> None:
    page = {"type": "object", "properties": {"body": {"type": "string", "maxLength": 10_000}}, "required": ["body"]}
    tools = sg.ToolSet([tool("crawl", pages={"type": "array", "items": page, "maxItems": 500})])
    fits, over = ([{"body": "x" * 5}, {"body": "x" * size}] for size in (10_000, 10_001))
    grammar = tools.compile(tool_choice="required", prose=False)
    assert grammar.report == []
    assert grammar.matches(tools.render([sg.Call("crawl", {"pages": fits})]))
    assert not grammar.matches(tools.render([sg.Call("crawl", {"pages": over})]))
    assert engines.llama(grammar.gbnf, tools.render([sg.Call("crawl", {"pages": [{"body": "x" * 900}] * 3})]))
    longer = sg.ToolSet([tool("crawl", body={"type": "string", "maxLength": 10_001})])
    assert [entry.keyword for entry in longer.compile().report] == ["maxLength"]


def test_tools_whose_rules_would_have_one_name() -> None:
    inner = {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}}, "required": ["kind"]}
    other = {"type": "object", "properties": {"kind": {"enum": ["c"]}}, "required": ["kind"]}
    tools = sg.ToolSet([tool("get-item", item=inner), tool("get_item", item=other), tool("get.item", item=inner)])
    assert decide(
        tools, sg.Call("get-item", {"item": {"kind": "b"}}), sg.Call("get_item", {"item": {"kind": "c"}})
    ) == [
        True,
        True,
    ]
    assert decide(tools, sg.Call("get_item", {"item": {"kind": "b"}})) == [False]


EDIT = sg.Tool(
    "edit_file",
    {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "edits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "oldText": {"type": "string", "description": "Text to search for - must match exactly"},
                        "newText": {"type": "string", "description": "Text to replace with"},
                    },
                    "required": ["oldText", "newText"],
                    "additionalProperties": False,
                },
            },
            "dryRun": {"type": "boolean", "default": False},
        },
        "required": ["path", "edits"],
        "additionalProperties": False,
        "$schema": "http://json-schema.org/draft-07/schema#",
    },
)


def test_edits_of_a_file_hold_texts_of_several_lines() -> None:
    tools = sg.ToolSet([EDIT])
    edits = [
        {"oldText": "def f():\n    pass\n", "newText": 'def f():\n\treturn "x\\n"\n'},
        {"oldText": "```py\n/read\n```", "newText": ""},
        {"oldText": "\n\n", "newText": "é😀\r\n\x00"},
    ]
    calls = [sg.Call("edit_file", {"path": "a.py", "edits": edits, "dryRun": True})]
    text = tools.render(calls)
    assert tools.parse(text).calls == calls
    assert tools.check(text) == []
    for style in ("lines", "inline"):
        grammar = tools.compile(tool_choice="required", prose=False, style=style)
        assert grammar.report == []
        assert grammar.matches(tools.render(calls, style=style))
        assert engines.llama(
            grammar.gbnf, tools.render([sg.Call("edit_file", {"path": "a", "edits": edits[:2]})], style=style)
        )
