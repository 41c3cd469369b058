"""The examples that are small scripts, run as a reader would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.conftest import address, llm

__all__ = ["address", "llm"]

ROOT = Path(__file__).resolve().parents[2]


def run(script: str, *arguments: str) -> str:
    command = [sys.executable, f"examples/{script}", *arguments]
    env = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True, encoding="utf-8").stdout


def test_constrain() -> None:
    *events, result = run("constrain.py", "Dentist on Friday at 9").splitlines()
    assert result == "→ Friday, 9:00  Dentist"
    assert events[0] == "CallStart(name='add_event')"
    assert events[-1].startswith("CallEnd(")


def test_check_log() -> None:
    lines = [line.split() for line in run("check_log.py", "examples/tools.txt", "examples/outputs.jsonl").splitlines()]
    assert lines == [
        ["3", "/read"],
        ["1", "/write"],
        ["1", "/search"],
        ["1", "/read", "UnknownArgument"],
        ["1", "/raed", "UnknownTool"],
        ["1", "/write", "SlashSyntaxError"],
        ["1", "/search", "InvalidArgument"],
        ["1", "/write", "IncompleteCall"],
    ]


@pytest.mark.parametrize("script", ["agent.py", "check_log.py", "constrain.py", "own_grammar.py", "terminal.py"])
def test_a_wrong_file_is_told_in_one_line(script: str) -> None:
    command = [sys.executable, f"examples/{script}", "/nowhere", "/nowhere/file"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert "/nowhere" in line


@pytest.mark.parametrize("line", ["[1]", '{"nope": 1}', "x"])
def test_a_log_of_another_shape(tmp_path: Path, line: str) -> None:
    (tmp_path / "log.jsonl").write_text(f'{{"output": "hi"}}\n{line}\n')
    command = [sys.executable, "examples/check_log.py", "examples/tools.txt", str(tmp_path / "log.jsonl")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 1
    assert result.stderr.endswith(f'log.jsonl, line 2: expected {{"output": "…"}}, not {line}\n')


@pytest.mark.parametrize(
    ("script", "missing"),
    [("constrain", "llama_cpp"), ("terminal", "llama_cpp"), ("own_grammar", "llama_cpp"), ("remote", "httpx")],
)
def test_a_missing_extra_is_told_in_one_line(tmp_path: Path, script: str, missing: str) -> None:
    (tmp_path / f"{missing}.py").write_text(f"raise ModuleNotFoundError('No module named {missing}', name='{missing}')")
    command = [sys.executable, f"examples/{script}.py", "http://nowhere"]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    result = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 1
    (error,) = result.stderr.splitlines()
    assert error.startswith("error: ")
    assert error.endswith(']"')
    assert error.count('pip install "slashgrammar[') == 1


def test_terminal() -> None:
    frame = run("terminal.py")
    assert frame.endswith("\n")
    assert "/write_file" in frame
    assert "│ path    colors.txt " in frame
    assert "│ content - " in frame


def test_own_grammar() -> None:
    assert run("own_grammar.py").splitlines() == [
        "2015-03-14  valid",
        "2023-04-31  line 1, column 10: '1' cannot follow; expected '0', in month_and_day",
    ]


def test_remote(address: str) -> None:
    question, answer = run("remote.py", f"{address}/v1", "--question", "What's the weather in Paris?").split("\n", 1)
    assert question == "> What's the weather in Paris?"
    assert "\n/weather\n" in answer
