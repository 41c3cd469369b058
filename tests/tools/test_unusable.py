"""Tools that cannot be used: an error that says which and where, or left out with a warning that says the same."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from slashgrammar.errors import ToolError, UnusableTool
from slashgrammar.tools import Tool, ToolSet

GOOD: dict[str, Any] = {"name": "good", "parameters": {"properties": {"a": {"type": "integer"}}}}
RING = {"type": "object", "properties": {"next": {"$ref": "#/$defs/ring"}}, "required": ["next"]}


def entry(schema: Any) -> dict[str, Any]:
    return {"name": "bad", "parameters": {"type": "object", "properties": {"v": schema}, "required": ["v"]}}


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no schema": (
        entry({"type": "strong"}),
        r"tool 'bad' at \[0\].parameters.properties.v.type: unknown type 'strong'",
    ),
    "no name": ({"parameters": {}}, r"\[0\]: an entry without `name`"),
    "name": ({"name": "a b"}, r"tool 'a b' at \[0\].name"),
    "dangling": (entry({"$ref": "#/$defs/no"}), r"tool 'bad' at /properties/v: \$ref '#/\$defs/no' points nowhere"),
    "contradiction": (entry({"type": "integer", "enum": ["a"]}), "tool 'bad' at /properties/v: it is required, but no"),
    "circle": (
        {"name": "bad", "parameters": {**entry({"$ref": "#/$defs/ring"})["parameters"], "$defs": {"ring": RING}}},
        "tool 'bad' at /properties/v: it is required, but no value meets its schema",
    ),
    "twice": ({**GOOD, "description": "first"}, "tool 'good': items 0 and 1 both have this name"),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_name_tool_and_place(name: str) -> None:
    bad, message = BAD[name]
    with pytest.raises(ToolError, match=message):
        ToolSet.load([bad, GOOD]).compile()


@pytest.mark.parametrize("name", BAD)
def test_they_can_be_left_out(name: str) -> None:
    bad, message = BAD[name]
    with pytest.warns(UnusableTool, match=f"{message}.*; the tool is left out"):
        tools = ToolSet.load([bad, GOOD], skip_unusable=True)
    assert [tool.name for tool in tools] == ["good"]
    assert tools.compile().matches("/good\na=1")


def test_items_of_all_kinds_can_be_left_out(tmp_path: Path) -> None:
    class Opaque:
        pass

    def strange(value: Opaque) -> None:
        pass

    items = [3, strange, {"tools": [{"name": "x"}, {"name": "x"}, {"name": "y"}]}, Tool("z", {"required": ["n"]})]
    with pytest.warns(UnusableTool) as caught:
        tools = ToolSet(items, skip_unusable=True)  # type: ignore[arg-type]
    assert [tool.name for tool in tools] == ["x", "y", "z"]
    assert [str(warning.message).partition(":")[0] for warning in caught] == ["item 0", "tool 'strange'", "tool 'x'"]
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([entry(False), GOOD]), encoding="utf-8")
    with pytest.warns(UnusableTool, match="tool 'bad'"):
        assert len(ToolSet.load(file, skip_unusable=True)) == 1


def test_what_is_no_list_is_an_error_all_the_same() -> None:
    with pytest.raises(ToolError, match="expected an OpenAI"):
        ToolSet.load(3, skip_unusable=True)


def test_usable_tools_cause_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(ToolSet.load([GOOD], skip_unusable=True)) == 1


def test_open_objects_decide_what_can_be_met() -> None:
    pair = {"type": "object", "properties": {"a": {}}, "minProperties": 2}
    tool = Tool("f", {"properties": {"v": pair}, "required": ["v"]})
    assert len(ToolSet([tool], open_objects=True, skip_unusable=True)) == 1
    with pytest.warns(UnusableTool):
        assert not len(ToolSet([tool], skip_unusable=True))
