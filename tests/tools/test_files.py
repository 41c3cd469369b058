from __future__ import annotations

import json
from pathlib import Path

import pytest

from slashgrammar.errors import ToolError, UnusableTool
from slashgrammar.tools import ToolSet

LIST = json.dumps([{"name": "größe", "parameters": {"type": "object", "properties": {}}}], ensure_ascii=False)


@pytest.mark.parametrize("content", [LIST.encode(), b"\xef\xbb\xbf" + LIST.encode(), b"\n " + LIST.encode()])
@pytest.mark.parametrize("name", ["tools.json", "tools.txt"])
def test_a_list_in_a_file(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert "größe" in ToolSet.load(path)
    assert "größe" in ToolSet.load(str(path))


def test_a_list_as_text() -> None:
    assert "größe" in ToolSet.load(LIST)
    assert "größe" in ToolSet.load(f"\ufeff\n {LIST}")


def test_signatures_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tools.txt"
    path.write_text("# mine\nread(path:str)->text\n")
    assert ToolSet.load(path)["read"].returns == "text"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'[{"name": "x" "y"}]', "line 1, column 15: broken JSON"),
        (b'[\n{"name": "x"}\n{}]', "line 3, column 1: broken JSON"),
        (b"", "line 1, column 1: broken JSON"),
        (b"[NaN]", r"line 1, column 2: broken JSON \(NaN is no JSON value\)"),
        (b'[\n{"NaN": "\\"NaN",\n "a": -Infinity}]', r"line 3, column 7: broken JSON \(-Infinity is no JSON value\)"),
        (b'[\n"\xff"]', "line 2 is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" + b"9" * 5000 + b"]", "line 1, column 2: broken JSON .*too many digits"),
        (b'[{"name": "f"}, {"name": "f"}]', r"tool 'f' at \S+tools.json: items 0 and 1 both have this name"),
        (b'[{"name": "f", "parameters": {"type": "x"}}]', r"tool 'f' at \S+tools.json: \[0\].parameters.type: unknown"),
        (b'{"tools": [{}]}', r"tools.json: tools\[0\]: an entry without `name`"),
        (b"{}", r"tools.json: an entry without `name`"),
        (b"null", r"tools.json: found null, expected an OpenAI"),
        (b"[1, true]", r"tools.json: \[0\]: found a number, expected an OpenAI"),
        (b'[["x"]]', r"tools.json: \[0\]: found a list, expected an OpenAI"),
    ],
)
def test_broken_files(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "tools.json"
    path.write_bytes(content)
    with pytest.raises(ToolError, match=message) as raised:
        ToolSet.load(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("no/such/file.json", "cannot read the file"),
        (".", "cannot read the file"),
        ("a\0b", "cannot read the file"),
        ("[1, 2", "line 1, column 6: broken JSON"),
        ("read(path:str)", "cannot read the file .* expected a list of tools"),
    ],
)
def test_sources_that_are_no_lists(source: str, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        ToolSet.load(source)


def test_a_file_that_is_neither_json_nor_signatures(tmp_path: Path) -> None:
    path = tmp_path / "tools.txt"
    path.write_text("read(path:str)\nhello world\n")
    with pytest.raises(ToolError, match=r'tools.txt: neither JSON nor signatures: line 2, column 7: .* expected "\("'):
        ToolSet.load(path)


def test_what_is_left_out_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text('[{"name": "f"}, {"name": "f"}, {"name": "g h"}, 3]')
    with pytest.warns(UnusableTool) as caught:
        tools = ToolSet.load(path, skip_unusable=True)
    assert len(tools) == 1
    assert len(caught) == 3
    assert all(f"{path}: " in str(warning.message) for warning in caught)
