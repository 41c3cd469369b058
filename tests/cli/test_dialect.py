"""Calls in another dialect, on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from slashgrammar import ToolSet
from slashgrammar.cli.choices import Dialect
from slashgrammar.grammar.dialects import DIALECTS
from tests.cli.conftest import SIGNATURES

Cli = Callable[..., Result]
HERMES = ("--dialect", "hermes")
CALL = '<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>'


def test_all_dialects_are_there() -> None:
    assert {dialect.value for dialect in Dialect} == set(DIALECTS)


def test_compile_and_prompt(cli: Cli, tools: Path) -> None:
    known = ToolSet.from_signatures(SIGNATURES)
    assert cli("compile", "--tools", tools, *HERMES).stdout == known.compile(dialect="hermes").gbnf
    assert cli("prompt", "--tools", tools, *HERMES).stdout == known.prompt(dialect="hermes") + "\n"


def test_check(cli: Cli, tools: Path) -> None:
    found = json.loads(cli("check", "--tools", tools, *HERMES, "--json", CALL).stdout)
    assert found == {"valid": True, "calls": [{"name": "read", "arguments": {"path": "a"}}], "errors": []}
    assert cli("check", "--tools", tools, *HERMES, CALL.replace("path", "paht")).exit_code == 1
    assert json.loads(cli("check", "--tools", tools, "--json", CALL).stdout)["calls"] == []


@pytest.mark.usefixtures("one_model")
def test_run(cli: Cli, tools: Path, tmp_path: Path) -> None:
    result = cli("run", "--tools", tools, *HERMES, "--tool-choice", "read", "--json", "Read the file a.txt")
    answer = json.loads(result.stdout)
    assert "<tool_call>" in answer["text"]
    assert [call["name"] for call in answer["calls"]] == ["read"]
    (tmp_path / "prompts.json").write_text('["Read the file a.txt"]')
    rows = tmp_path / "rows.json"
    refused = cli("run", "--tools", tools, "--prompts", tmp_path / "prompts.json", "-o", rows, "--no-prose")
    assert refused.exit_code == 2
    assert "without PROMPT" in refused.stderr
    cli("run", "--tools", tools, *HERMES, "--prompts", tmp_path / "prompts.json", "-o", rows, "--max-tokens", "64")
    assert json.loads(rows.read_text())[0]["name"] in ("read", "write")
