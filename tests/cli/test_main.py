"""The command as a program of its own."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from slashgrammar.cli.output import write

COMMANDS = ("demo", "run", "compile", "check", "prompt", "serve")


def slashgrammar(*arguments: str | bytes | Path, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "slashgrammar", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env={**os.environ, **env}, timeout=120)


def test_help_names_every_command_with_an_example(cli: Callable[..., Result]) -> None:
    overview = cli("--help")
    assert (overview.exit_code, overview.stderr) == (0, "")
    for command in COMMANDS:
        assert f" {command} " in overview.stdout
        assert f"slashgrammar {command}" in cli(command, "-h").stdout


def test_without_a_command_it_helps(cli: Callable[..., Result]) -> None:
    result = cli()
    assert "Usage:" in result.stdout + result.stderr


def test_version() -> None:
    from slashgrammar import __version__

    result = slashgrammar("--version")
    assert (result.returncode, result.stdout.decode()) == (0, f"slashgrammar {__version__}\n")


def test_commands_come_without_what_they_do_not_need() -> None:
    heavy = {"llama_cpp", "numpy", "jinja2", "pydantic", "jsonschema_rs", "rich.progress", "fastapi"}
    code = """
        import sys, slashgrammar
        before = set(sys.modules)
        import slashgrammar.cli
        print(*set(sys.modules) - before)
    """
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, check=True, text=True)
    assert not heavy & set(result.stdout.split())


def test_bytes_through_pipes(tools: Path) -> None:
    text = 'Grüße\n\n/read path="日本"'.encode()
    assert slashgrammar("check", "--tools", tools, "-", stdin=text).returncode == 0
    result = slashgrammar("check", "--tools", tools, "--json", "-", stdin=text, PYTHONIOENCODING="ascii")
    assert '{"path": "日本"}' in result.stdout.decode("utf-8")
    result = slashgrammar("check", "--tools", tools, "-", stdin=b"\xff")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.count(b"\n") == 1


def test_an_argument_that_is_not_utf8(tools: Path) -> None:
    result = slashgrammar("check", "--tools", tools, b"a \xff")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"error: the text is not UTF-8")


def test_lone_surrogates_are_written_as_escapes(tools: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('"/read path=1 \\ud800=2"')
    for options in ((), ("--json",)):
        result = slashgrammar("check", "--tools", tools, "--jsonl", log, *options)
        assert result.returncode == 1
        assert b"Traceback" not in result.stderr
        result.stdout.decode("utf-8")


def test_a_reader_that_goes_away(tools: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('"/read path=1"\n' * 5000)
    command = [sys.executable, "-m", "slashgrammar", "check", "--tools", str(tools), "--jsonl", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("command", ["prompt", "compile", "check"])
@pytest.mark.parametrize("unbuffered", ["", "1"])  # whether it shows at once, or with the last of the output
def test_an_output_that_is_full(tools: Path, command: str, unbuffered: str) -> None:
    text = ["/x"] if command == "check" else []
    words = [sys.executable, "-m", "slashgrammar", command, "--tools", str(tools), *text]
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, env=env, check=False)
    assert result.returncode == 2
    assert result.stderr.startswith(b"error: the output cannot be written: No space left on device")
    assert result.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="closes a file descriptor")
def test_an_output_that_is_closed(tools: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m slashgrammar prompt --tools {shlex.quote(str(tools))} >&-"
    result = subprocess.run(command, shell=True, stderr=subprocess.PIPE, check=False)
    assert (result.returncode, result.stderr.count(b"\n")) == (2, 1)
    assert result.stderr.startswith(b"error: standard output is closed")


def test_a_terminal_gets_no_control_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, pipe = io.StringIO(), io.StringIO()
    screen.isatty = lambda: True  # type: ignore[method-assign]
    for stream in (screen, pipe):
        monkeypatch.setattr(sys, "stdout", stream)
        write("red \x1b[31m\nnext")
    assert (screen.getvalue(), pipe.getvalue()) == ("red ␛[31m\nnext\n", "red \x1b[31m\nnext\n")


def test_completion_of_commands_and_options() -> None:
    env = {"_SLASHGRAMMAR_COMPLETE": "complete_bash", "COMP_CWORD": "1", "COMP_WORDS": "slashgrammar "}
    result = slashgrammar(**env)
    assert result.stdout.decode().split() == sorted(COMMANDS, key=COMMANDS.index)
    env = {"_SLASHGRAMMAR_COMPLETE": "complete_bash", "COMP_CWORD": "2", "COMP_WORDS": "slashgrammar compile --re"}
    assert slashgrammar(**env).stdout.decode().split() == ["--report"]
