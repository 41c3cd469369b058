"""`slashgrammar prompt`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from slashgrammar import ToolSet
from tests.cli.conftest import SIGNATURES, only_line

Cli = Callable[..., Result]


def test_as_text_and_as_a_message(cli: Cli, tools: Path) -> None:
    prompt = ToolSet.from_signatures(SIGNATURES).prompt()
    result = cli("prompt", "--tools", tools)
    assert (result.exit_code, result.stdout) == (0, prompt + "\n")
    result = cli("prompt", "--tools", tools, "--json")
    assert json.loads(only_line(result.stdout)) == {"role": "system", "content": prompt}


def test_without_tools(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text("[]")
    result = cli("prompt", "--tools", tmp_path / "none.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no tools in it" in only_line(result.stderr)
