from __future__ import annotations

import subprocess
import sys

import pytest

from slashgrammar.calls import Call
from slashgrammar.errors import SlashError, ToolError
from slashgrammar.tools import Tool, ToolSet

FILES = ToolSet.from_signatures("""
    read(path:str, from:int=1, to?:int)->text
    write(path:str, content:str)
""")


def test_a_set_is_like_a_mapping_in_order() -> None:
    assert len(FILES) == 2
    assert [tool.name for tool in FILES] == ["read", "write"]
    assert FILES["write"].parameters["required"] == ["path", "content"]
    assert "read" in FILES
    assert "rea" not in FILES
    assert 3 not in FILES
    assert repr(FILES) == "<ToolSet read, write>"
    assert repr(ToolSet()) == "<ToolSet empty>"
    assert not ToolSet()


def test_items_of_all_kinds() -> None:
    def now() -> str:
        return "noon"

    tools = ToolSet([now, Tool("a", {}), {"name": "b"}, {"tools": [{"name": "c"}, {"name": "d"}]}, *FILES])
    assert [tool.name for tool in tools] == ["now", "a", "b", "c", "d", "read", "write"]


def test_selection_keeps_the_order_of_the_names_and_the_property_of_the_set() -> None:
    tools = ToolSet(FILES, open_objects=True)
    selected = tools.select(["write", "read"])
    assert [tool.name for tool in selected] == ["write", "read"]
    assert selected["read"] is tools["read"]
    assert selected.open_objects
    assert not FILES.select([]).open_objects


@pytest.mark.parametrize("name", ["wriet", "Write"])
def test_unknown_names_find_the_nearest(name: str) -> None:
    for look_up in (FILES.__getitem__, lambda name: FILES.select(["read", name])):
        with pytest.raises(ToolError, match=f"tool '{name}': no such tool in this set; did you mean 'write'?"):
            look_up(name)
    with pytest.raises(ToolError, match="there are read, write"):
        FILES["xyz"]
    with pytest.raises(ToolError, match="there are none"):
        ToolSet()["xyz"]


def test_a_name_can_be_given_once() -> None:
    with pytest.raises(ToolError, match="tool 'read': items 1 and 2 both have this name"):
        ToolSet([Tool("a", {}), Tool("read", {}), *FILES])
    with pytest.raises(ToolError, match="items 0 and 0"):
        ToolSet([{"tools": [{"name": "c"}, {"name": "c"}]}])
    assert len(ToolSet([Tool(name, {}) for name in ("a", "A", "a.", "a-", "_a")])) == 5


@pytest.mark.parametrize("items", ["read()", {"tools": []}])
def test_texts_and_lists_are_loaded_instead(items: object) -> None:
    with pytest.raises(ToolError, match=r"use ToolSet.load or ToolSet.from_signatures"):
        ToolSet(items)  # type: ignore[arg-type]


def test_what_is_done_with_a_set() -> None:
    calls = [Call("write", {"content": "a\nb", "path": "x"}), Call("read", {"path": "x"})]
    text = FILES.render(calls)
    assert text == '/write\npath="x"\ncontent=\n```\na\nb\n```\n/read\npath="x"'
    assert FILES.parse(text).calls == calls
    assert FILES.check(text) == []
    assert FILES.check('/read\npath="x"\nto="y"\n/wriet\npath="x"')[1:]
    stream = FILES.stream()
    for char in text:
        stream.feed(char)
    assert stream.finish().calls == calls
    assert FILES.compile(tool_choice="required", prose=False).matches(text)
    assert "/write" in FILES.prompt()
    assert FILES.render([calls[1]], style="inline") == '/read path="x"'


def test_open_objects_are_obeyed() -> None:
    tool = Tool("f", {"properties": {"a": {"type": "integer"}}})
    text = "/f\na=1\nb=2"
    with pytest.raises(SlashError, match="b"):
        ToolSet([tool]).parse(text)
    assert ToolSet([tool], open_objects=True).parse(text).calls == [Call("f", {"a": 1, "b": 2})]


def test_importing_tools_is_quick() -> None:
    program = "import sys, slashgrammar.tools; print(*sorted({'pydantic', 'docstring_parser'} & sys.modules.keys()))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert loaded.split() == []
