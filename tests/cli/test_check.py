"""`slashgrammar check`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.conftest import only_line, told

Cli = Callable[..., Result]

WRONG = {
    "/read path=1": ("InvalidArgument", 1, 12, "path"),
    '/read path="a" from="x"': ("InvalidArgument", 1, 21, "from"),
    '/rea path="a"': ("UnknownTool", 1, 1, ""),
    "/read": ("MissingArgument", 1, 1, "path"),
    '/read path="a" form=1': ("UnknownArgument", 1, 16, "form"),
    '/read path="a" path="b"': ("DuplicateArgument", 1, 16, "path"),
    '/read path="a" and more': ("SlashSyntaxError", 1, 16, ""),
    '/read path="a': ("IncompleteCall", 1, 14, "path"),
    'text\n\n/write path="a"\ncontent=\n```\nx': ("IncompleteCall", 6, 2, "content"),
}


def test_valid_text(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, 'Reading it.\n\n/read path="é" from=3')
    assert result.exit_code == 0
    assert result.stdout == '  read {"path": "é", "from": 3}\nvalid: 1 call\n'
    assert result.stderr == ""


def test_prose_is_valid(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, "no call here")
    assert (result.exit_code, result.stdout) == (0, "valid: no calls in it\n")


@pytest.mark.parametrize("text", WRONG)
def test_wrong_text_as_text(cli: Cli, tools: Path, text: str) -> None:
    _, line, column, path = WRONG[text]
    result = cli("check", "--tools", tools, text)
    assert result.exit_code == 1
    assert result.stderr == ""
    message, source, caret, verdict = result.stdout.splitlines()
    assert message.startswith(f"line {line}, column {column}")
    assert path in message
    assert source == f"{line:>5} | {text.split(chr(10))[line - 1]}"
    assert caret == " " * 6 + "| " + " " * (column - 1) + "^"
    assert verdict == "invalid: 1 problem"


def test_what_looks_like_a_call_and_is_none(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, "/raed")
    assert (result.exit_code, result.stdout) == (0, "valid: no calls in it\n")
    assert result.stderr == "note: line 1 is prose, for no tool is called raed; did you mean /read?\n"
    for text in ('Sure:\nI call /read path="x"', 'Sure:\n  /read path="x"', '```\n/read path="x"\n```'):
        result = cli("check", "--tools", tools, text)
        assert result.exit_code == 0
        assert "line 2 holds /read, but a call begins its line" in result.stderr
        assert json.loads(cli("check", "--tools", tools, "--json", text).stdout)["notes"]
    for text in ("See /usr/bin and a/read.", "/s", "// comment", "a / read"):
        result = cli("check", "--tools", tools, text)
        assert "note" not in result.stderr


@pytest.mark.parametrize("text", WRONG)
def test_wrong_text_as_json(cli: Cli, tools: Path, text: str) -> None:
    result = cli("check", "--tools", tools, "--json", text)
    assert result.exit_code == 1
    found = json.loads(only_line(result.stdout))
    assert found["valid"] is False
    (error,) = found["errors"]
    assert (error["code"], error["line"], error["column"], error["path"]) == WRONG[text]
    assert error["message"]


def test_valid_text_as_json(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, "--json", '/read path="é"')
    assert result.exit_code == 0
    assert json.loads(only_line(result.stdout)) == {
        "valid": True,
        "calls": [{"name": "read", "arguments": {"path": "é"}}],
        "errors": [],
    }


def test_every_problem_is_told(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, '/read path=1 from="x"\n\n/wrote path="a"\n\n/write content="x"')
    assert result.exit_code == 1
    assert result.stdout.count("^") == 4
    assert result.stdout.endswith("invalid: 4 problems\n")


def test_standard_input(cli: Cli, tools: Path) -> None:
    assert cli("check", "--tools", tools, "-", stdin='/read path="a"').exit_code == 0
    assert cli("check", "--tools", tools, "-", stdin="/read path=1").exit_code == 1


def test_byte_order_mark_is_no_text(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, "-", stdin=b'\xef\xbb\xbf/read path="a"')
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "valid: 1 call")


def test_caret_stands_below_wide_characters(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, '/read path="日本" form=1')
    source, caret = result.stdout.splitlines()[1:3]
    # Two characters take two columns each.
    assert caret.index("^") == source.index("form") + 2


def test_long_lines_are_cut_around_the_place(cli: Cli, tools: Path) -> None:
    text = f'/read path="{"x" * 5000}" form=1'
    source, caret = cli("check", "--tools", tools, text).stdout.splitlines()[1:3]
    assert len(source) < 120
    assert source[caret.index("^") :].startswith("form=1")


@pytest.mark.parametrize("char", ["\x1b", "\x07", "\x7f", "\x9b", "\u202e", "\u2028"])
def test_nothing_in_a_text_reaches_the_terminal(cli: Cli, tools: Path, char: str) -> None:
    for text in (f'/read path="{char}" form={char}', f'/{char}read path=1 "{char}"=1', f'/read path="a{char}"'):
        result = cli("check", "--tools", tools, text)
        assert char not in result.stdout
        assert char not in result.stderr


def test_no_colour_in_pipes_nor_against_the_users_will(cli: Cli, tools: Path) -> None:
    assert "\x1b" not in cli("check", "--tools", tools, "/read").stdout
    coloured = cli("check", "--tools", tools, "/read", FORCE_COLOR="1")
    assert "\x1b[1;31m" in coloured.stdout
    plain = cli("check", "--tools", tools, "/read", FORCE_COLOR="1", NO_COLOR="1")
    assert "\x1b[1;31m" not in plain.stdout


def test_a_file_name_is_taken_for_text_with_a_note(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, str(tools))
    assert result.exit_code == 0
    assert only_line(result.stderr).startswith("note: this checked the words")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "cannot read the file"),
        (b"", "no tool"),
        (b"\xff", "not UTF-8"),
        (b"[", "broken JSON"),
        (b'[{"name": "f"}, {"nam": "g"}]', "an entry without `name`"),
        (b"read(path:", "neither JSON nor signatures"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_unusable_tools(cli: Cli, tmp_path: Path, content: bytes | None, expected: str) -> None:
    path = tmp_path / "tools.any"
    if content is not None:
        path.write_bytes(content)
    result = cli("check", "--tools", path, "text")
    assert (result.exit_code, result.stdout) == (2, "")
    message = told(result.stderr)
    assert message.startswith("error: ")
    assert str(path) in message
    assert expected in message


def test_text_that_is_not_utf8(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, "-", stdin=b"one\ntwo \xff")
    assert (result.exit_code, result.stdout) == (2, "")
    assert only_line(result.stderr) == "error: standard input, line 2: not UTF-8; save it in that encoding\n"
    result = cli("check", "--tools", tools, "\udcff")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "not UTF-8" in only_line(result.stderr)


def test_nothing_or_too_much_to_check(cli: Cli, tools: Path) -> None:
    for arguments in ([], ["text", "--jsonl", "log.jsonl"]):
        result = cli("check", "--tools", tools, *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--jsonl FILE" in result.stderr
    for options in ((), ("--tools", tools, "--grammar", tools)):
        result = cli("check", "text", *options)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--grammar FILE" in result.stderr


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    path = tmp_path / "sum.lark"
    path.write_text('start: number ("+" number)* "\\n"?\nnumber: /[0-9]+/\n')
    return path


def test_by_a_grammar(cli: Cli, grammar: Path) -> None:
    result = cli("check", "--grammar", grammar, "1+22+3")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "valid\n", "")
    result = cli("check", "--grammar", grammar, "--json", "1\n")
    assert (result.exit_code, json.loads(only_line(result.stdout))) == (0, {"valid": True, "errors": []})


def test_where_a_text_leaves_a_grammar(cli: Cli, grammar: Path) -> None:
    result = cli("check", "--grammar", grammar, "1+x")
    assert result.exit_code == 1
    message, source, caret, verdict = result.stdout.splitlines()
    assert message.startswith("line 1, column 3: 'x' cannot follow")
    assert "number" in message
    assert source.index("x") == caret.index("^")
    assert verdict == "invalid: 1 problem"
    (error,) = json.loads(cli("check", "--grammar", grammar, "--json", "1+").stdout)["errors"]
    assert (error["line"], error["column"], error["found"], error["rules"]) == (1, 3, "", ["number"])


def test_many_texts_by_a_grammar(cli: Cli, grammar: Path) -> None:
    result = cli("check", "--grammar", grammar, "--jsonl", "-", stdin='"1+2"\n"1+"\n')
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1:] == ["2 texts: 1 valid, 1 invalid", "        1 Departure"]


def test_unusable_grammar(cli: Cli, tmp_path: Path) -> None:
    for path in (tmp_path / "missing.lark", tmp_path):
        result = cli("check", "--grammar", path, "text")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "cannot read the file" in only_line(result.stderr)
