"""Running commands in this process, with tools in a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from slashgrammar.cli import app
from slashgrammar.cli.model import load_model

if TYPE_CHECKING:
    from llama_cpp import Llama

# On a machine that is busy, llama.cpp's threads spend ten times the work on waiting for each other.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

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


@pytest.fixture(scope="session")
def models() -> Iterator[dict[tuple[Path, int], Llama]]:
    """The models that `one_model` has loaded."""
    loaded: dict[tuple[Path, int], Llama] = {}
    yield loaded
    for model in loaded.values():
        model.close()


@pytest.fixture
def one_model(models: dict[tuple[Path, int], Llama], monkeypatch: pytest.MonkeyPatch) -> None:
    """Loads each model once for all tests, so that prompts are not evaluated again either."""

    def load(path: Path, context: int) -> Llama:
        if (path, context) not in models:
            models[path, context] = load_model(path, context)
        return models[path, context]

    for command in ("demo", "run", "serve"):
        # By its module: the package has functions of these names.
        monkeypatch.setattr(sys.modules[f"slashgrammar.cli.{command}"], "load_model", load)


def only_line(text: str) -> str:
    """The text, which must be one line."""
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text


def told(text: str) -> str:
    """The message of an error, which is one line; below it may only stand a line of a file, and a caret."""
    message, *excerpt = text.removesuffix("\n").split("\n")
    assert len(excerpt) <= 2
    assert all(line[6:8] == "| " for line in excerpt), text
    return message
