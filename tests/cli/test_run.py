"""`slashgrammar run`, with the real model."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from slashgrammar import Call, ToolSet
from slashgrammar.demo.model import bundled_model
from tests.cli.conftest import only_line

Cli = Callable[..., Result]

SIGNATURES = """\
switch(lamp:"kitchen"|"office", on:bool)->state
note(text:str)->confirmation
"""
TOOLS = ToolSet.from_signatures(SIGNATURES)
PROMPTS = ["Kitchen lamp on", "Öffice lamp on", "Kitchen lamp off", "Office lamp off"]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    path = tmp_path / "tools.txt"
    path.write_text(SIGNATURES, encoding="utf-8")
    return path


@pytest.mark.usefixtures("one_model")
def test_answer(cli: Cli, tools: Path) -> None:
    result = cli("run", "--tools", tools, "--tool-choice", "switch", "--max-tokens", "60", "Kitchen lamp on")
    assert (result.exit_code, result.stderr) == (0, "")
    assert TOOLS.parse(result.stdout).calls[0].name == "switch"


@pytest.mark.usefixtures("one_model")
def test_answer_as_json(cli: Cli, tools: Path) -> None:
    model = bundled_model("this test")
    result = cli("run", "-m", model, "--tools", tools, "--max-tokens", "20", "--json", "-", stdin="Hello!")
    assert result.exit_code == 0
    answer = json.loads(only_line(result.stdout))
    assert answer["error"] is None
    calls = [{"name": call.name, "arguments": call.arguments} for call in TOOLS.parse(answer["text"]).calls]
    assert answer["calls"] == calls


@pytest.mark.usefixtures("one_model")
def test_answer_that_is_cut_off(cli: Cli, tools: Path) -> None:
    arguments = ("run", "--tools", tools, "--tool-choice", "note", "Note a long poem.", "--max-tokens", "12")
    result = cli(*arguments)
    assert result.exit_code == 1
    assert "/note" in only_line(result.stderr)
    result = cli(*arguments, "--json")
    assert result.exit_code == 1
    answer = json.loads(only_line(result.stdout))
    assert answer["finish_reason"] == "length"
    assert answer["error"]["code"] == "IncompleteCall"


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    path = tmp_path / "prompts.json"
    path.write_text(json.dumps([PROMPTS[0], *({"prompt": prompt} for prompt in PROMPTS[1:])]), encoding="utf-8")
    return path


@pytest.mark.usefixtures("one_model")
def test_file_of_prompts(cli: Cli, tools: Path, prompts: Path) -> None:
    output = prompts.with_name("calls.json")
    arguments = ("run", "--tools", tools, "--prompts", prompts, "-o", output, "--tool-choice", "switch")
    result = cli(*arguments)
    assert (result.exit_code, result.stdout) == (0, "")
    assert only_line(result.stderr) == "4 prompts: 4 with a call, 0 without\n"
    rows = json.loads(output.read_text(encoding="utf-8"))
    assert [row["prompt"] for row in rows] == PROMPTS
    assert [row["name"] for row in rows] == ["switch"] * 4
    assert all(TOOLS.check(TOOLS.render([Call(row["name"], row["parameters"])])) == [] for row in rows)
    assert sorted(path.name for path in output.parent.iterdir()) == ["calls.json", "prompts.json", "tools.txt"]


@pytest.mark.usefixtures("one_model")
def test_a_killed_run_goes_on(cli: Cli, tools: Path, prompts: Path) -> None:
    whole, output = prompts.with_name("whole.json"), prompts.with_name("calls.json")
    arguments = ["run", "--tools", tools, "--prompts", prompts, "--tool-choice", "switch", "-o"]
    assert cli(*arguments, whole).exit_code == 0
    output.write_text("old")
    journal = output.with_name("calls.json.partial")
    process = subprocess.Popen([sys.executable, "-m", "slashgrammar", *map(str, arguments), str(output)])
    while process.poll() is None and (not journal.exists() or journal.read_bytes().count(b"\n") < 3):
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert output.read_text() == "old"
    with journal.open("ab") as file:
        file.write(b'{"prompt": "Read the fi')
    assert cli(*arguments, output).exit_code == 0
    assert output.read_bytes() == whole.read_bytes()
    assert not journal.exists()


def test_a_prompt_without_a_call_is_a_row(cli: Cli, tools: Path, tmp_path: Path) -> None:
    prompts, output = tmp_path / "prompts.jsonl", tmp_path / "calls.json"
    prompts.write_text(f'"{"word " * 600}"\n"Office lamp on"\n')
    result = cli("run", "--tools", tools, "--prompts", prompts, "-o", output, "--context", "512", "--max-tokens", "60")
    assert (result.exit_code, only_line(result.stderr)) == (1, "2 prompts: 1 with a call, 1 without\n")
    first, second = json.loads(output.read_text())
    assert (first["name"], first["parameters"]) == ("", {})
    assert "the context holds 512" in first["error"]
    assert second.keys() == {"prompt", "name", "parameters"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "cannot read"),
        (b"\xff", "not UTF-8"),
        (b"[1", "not JSON"),
        (b"nope", "line 1: not JSON"),
        (b'["a", 1]', "entry 2: no prompt"),
        (b'"a"\n\n{"text": "b"}', "line 3: no prompt"),
        (b"[" * 100_000, "not JSON"),
        (b" ", "no prompts"),
    ],
)
def test_unusable_prompts(cli: Cli, tools: Path, tmp_path: Path, content: bytes | None, expected: str) -> None:
    path = tmp_path / "prompts"
    if content is not None:
        path.write_bytes(content)
    result = cli("run", "--tools", tools, "--prompts", path, "-o", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (2, "")
    message = only_line(result.stderr)
    assert message.startswith(f"error: {path}")
    assert expected in message


def test_unwritable_output(cli: Cli, tools: Path, prompts: Path) -> None:
    result = cli("run", "--tools", tools, "--prompts", prompts, "-o", prompts.parent / "missing" / "out")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot write the file" in only_line(result.stderr)


@pytest.mark.parametrize("content", [None, b"", b"GGUF", b"text", bundled_model("this test").read_bytes()[:1_000_000]])
def test_unusable_model(cli: Cli, tools: Path, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    result = cli("run", "-m", path, "--tools", tools, "Hello!")
    assert (result.exit_code, result.stdout) == (2, "")
    message = only_line(result.stderr)
    assert message.startswith(f"error: {path}: ")
    assert "GGUF" in message


def test_a_folder_is_no_model(cli: Cli, tools: Path, tmp_path: Path) -> None:
    result = cli("run", "-m", tmp_path, "--tools", tools, "Hello!")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no such file" in only_line(result.stderr)


def test_a_tool_that_does_not_exist(cli: Cli, tools: Path) -> None:
    result = cli("run", "--tools", tools, "--tool-choice", "noted", "Hello!")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean 'note'?" in only_line(result.stderr)


def test_without_the_extra(cli: Cli, tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    result = cli("run", "--tools", tools, "Hello!")
    assert (result.exit_code, result.stdout) == (2, "")
    assert 'pip install "slashgrammar[llama]"' in only_line(result.stderr)


def test_what_does_not_go_together(cli: Cli, tools: Path) -> None:
    for arguments in ([], ["text", "--prompts", "a", "-o", "b"], ["--prompts", "a"], ["text", "-o", "b"]):
        assert cli("run", "--tools", tools, *arguments).exit_code == 2
    assert cli("run", "--tools", tools, "text", "--temperature", "-1").exit_code == 2
    assert cli("run", "text").exit_code == 2
