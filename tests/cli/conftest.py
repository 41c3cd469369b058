"""Running commands in this process, with tools in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from slashgrammar.cli import app

SIGNATURES = """\
read(path:str, from:int=0)->file content
write(path:str, content:str)->confirmation
"""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A file with the signatures of two tools."""
    path = tmp_path / "tools.txt"
    path.write_text(SIGNATURES, encoding="utf-8")
    return path


@pytest.fixture
def cli() -> Callable[..., Result]:
    """Runs a command; the result has exit_code, stdout and stderr."""

    def run(*arguments: str | Path, stdin: bytes | str | None = None, **env: str) -> Result:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin, env=env)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run


def only_line(text: str) -> str:
    """The text, which must be one line."""
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text
