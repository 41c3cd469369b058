"""`slashgrammar compile`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from slashgrammar import ToolSet, lark_to_gbnf
from tests.cli.conftest import SIGNATURES, only_line, told

Cli = Callable[..., Result]

NESTED = 'start: "a" start? "b"\n'


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    path = tmp_path / "nested.lark"
    path.write_text(NESTED)
    return path


def test_tools(cli: Cli, tools: Path) -> None:
    compiled = ToolSet.from_signatures(SIGNATURES).compile()
    for target, text in (("gbnf", compiled.gbnf), ("lark", compiled.lark)):
        result = cli("compile", "--tools", tools, "--to", target)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.strip() == text.strip()


def test_choices(cli: Cli, tools: Path, grammar: Path) -> None:
    compiled = ToolSet.from_signatures(SIGNATURES).compile(tool_choice="required", parallel=False, prose=False)
    options = ("--tool-choice", "required", "--no-parallel", "--no-prose")
    result = cli("compile", "--tools", tools, *options)
    assert (result.exit_code, result.stdout.strip()) == (0, compiled.gbnf.strip())
    result = cli("compile", "--tools", tools, "--tool-choice", "nothing")
    assert result.exit_code == 2
    assert "nothing" in result.stderr
    for option in (("--no-prose",), ("--no-parallel",), ("--tool-choice", "auto"), ("--dialect", "slash")):
        result = cli("compile", grammar, *option)
        assert result.exit_code == 2
        assert option[0].removeprefix("--no-") in result.stderr
        assert "says nothing without --tools" in " ".join(result.stderr.replace("│", "").split())


def test_llguidance(cli: Cli, tools: Path) -> None:
    import llguidance

    result = cli("compile", "--tools", tools, "--to", "llguidance")
    assert (result.exit_code, result.stderr) == (0, "")
    assert llguidance.LLMatcher.validate_grammar(result.stdout) == ""


def test_lark_grammar(cli: Cli, grammar: Path) -> None:
    for result in (cli("compile", grammar), cli("compile", "-", stdin=NESTED)):
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.strip() == lark_to_gbnf(NESTED).strip()


def test_output_file(cli: Cli, tools: Path, tmp_path: Path) -> None:
    path = tmp_path / "é.gbnf"
    result = cli("compile", "--tools", tools, "-o", path)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert path.read_text(encoding="utf-8") == cli("compile", "--tools", tools).stdout


def test_report(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text('[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"not": {"type": "null"}}}}}]')
    report = ToolSet.load(path).compile().report
    assert report
    result = cli("compile", "--tools", path)
    assert result.exit_code == 0
    assert only_line(result.stderr).startswith("note: the grammar is wider")
    result = cli("compile", "--tools", path, "--report")
    assert result.stderr.splitlines()[:-1] == [str(widening) for widening in report]


def test_empty_report(cli: Cli, tools: Path) -> None:
    result = cli("compile", "--tools", tools, "--report")
    assert result.exit_code == 0
    assert only_line(result.stderr).startswith("0 places")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "cannot read the file"),
        (b"\xff", "not UTF-8"),
        (b"start: (", ""),
        (b"other: A", ""),
        (b"start: missing", "missing"),
        (b"start: start", "line 1, rule start: no text matches it"),
        (b"%import other.x\nstart: x", "line 1: there is no grammar other.lark to import; for one beside this file"),
        (b"%import .other.x\nstart: x", "line 1: there is no grammar other.lark to import; put it into "),
        (b"start: NOTHING\n%import common.NOTHING", "NOTHING"),
    ],
)
def test_unusable_grammar(cli: Cli, tmp_path: Path, content: bytes | None, expected: str) -> None:
    path = tmp_path / "grammar.lark"
    if content is not None:
        path.write_bytes(content)
    result = cli("compile", path)
    assert (result.exit_code, result.stdout) == (2, "")
    message = told(result.stderr)
    assert message.startswith("error: ")
    assert "grammar.lark" in message
    assert expected in message


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/nowhere"},
        {"type": "string", "x-grammar": 5},
        {"type": "string", "x-grammar": {"syntax": "lark", "definition": "start: ("}},
        {"type": "string", "x-grammar": {"syntax": "regex", "definition": "("}},
        {"type": "integer", "minimum": 5, "maximum": 3},
    ],
)
def test_a_fault_that_only_compiling_finds_names_the_file(cli: Cli, tmp_path: Path, schema: dict[str, object]) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([{"name": "f", "parameters": {"properties": {"a": schema}, "required": ["a"]}}]))
    result = cli("compile", "--tools", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert only_line(result.stderr).startswith(f"error: tool 'f' at {path}: /properties/a")


def test_unwritable_output(cli: Cli, tools: Path, tmp_path: Path) -> None:
    result = cli("compile", "--tools", tools, "-o", tmp_path / "missing" / "out")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot write the file" in only_line(result.stderr)


def test_one_source(cli: Cli, tools: Path, grammar: Path) -> None:
    assert cli("compile").exit_code == 2
    assert cli("compile", grammar, "--tools", tools).exit_code == 2
    assert cli("compile", grammar, "--to", "ebnf").exit_code == 2


def test_json(cli: Cli, tools: Path, tmp_path: Path) -> None:
    result = cli("compile", "--tools", tools, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    compiled = ToolSet.from_signatures(SIGNATURES).compile()
    assert json.loads(only_line(result.stdout)) == {"gbnf": compiled.gbnf, "report": []}
    path = tmp_path / "tools.json"
    path.write_text('[{"name": "f", "parameters": {"properties": {"a": {"type": "string", "format": "regex"}}}}]')
    found = json.loads(only_line(cli("compile", "--tools", path, "--to", "lark", "--json").stdout))
    assert found["lark"] == ToolSet.load(path).compile().lark
    reason = "regex: any string is taken"
    assert found["report"] == [{"tool": "f", "path": "/properties/a", "keyword": "format", "reason": reason}]
