"""Errors in files are shown with the line that is to blame, and a caret where the place in it is known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cli = Callable[..., Result]
RED = "\x1b[1;31m"


@pytest.mark.parametrize(
    ("command", "name", "content", "line", "caret"),
    [
        ("prompt", "tools.txt", "a(x:int)\nb(y:intt)", "    2 | b(y:intt)", "      |     ^"),
        ("prompt", "tools.txt", "  a(x:int)\n  b(y:)", "    2 |   b(y:)", "      |       ^"),
        ("prompt", "tools.json", '[{"name": "a",\n "x" 1}]', '    2 |  "x" 1}]', "      |      ^"),
        ("compile", "a.lark", 'start: "a" b\nb: "x" (\n', '    2 | b: "x" (', "      |         ^"),
        ("compile", "a.lark", "start: A\nA: /(a)\\1/\n", "    2 | A: /(a)\\1/", "      |    ^"),
        ("compile", "a.lark", 'start: "a" b\n', '    1 | start: "a" b', None),
        ("compile", "a.lark", "start: A\n%declare A\n", "    2 | %declare A", None),
        ("compile", "a.lark", "start: (", "    1 | start: (", "      |         ^"),
        ("compile", "a.lark", "x: " + "y " * 99 + "(", f"    1 | …{' y' * 49} (", f"      | {' ' * 101}^"),
    ],
)
def test_line_and_caret(
    cli: Cli, tmp_path: Path, command: str, name: str, content: str, line: str | None, caret: str | None
) -> None:
    path = tmp_path / name
    path.write_text(content)
    result = cli(command, *(["--tools"] if command == "prompt" else []), path)
    assert (result.exit_code, result.stdout) == (2, "")
    message, *excerpt = result.stderr.splitlines()
    assert message.startswith("error: ")
    assert str(path) in message
    assert excerpt == [shown for shown in (line, caret) if shown is not None]


def test_no_colours_without_a_terminal_or_with_no_color(cli: Cli, tools: Path) -> None:
    for env in ({}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}):
        result = cli("check", "--tools", tools, "/read path=1", **env)
        assert RED not in result.stdout + result.stderr
    assert RED in cli("check", "--tools", tools, "/read path=1", FORCE_COLOR="1").stdout
