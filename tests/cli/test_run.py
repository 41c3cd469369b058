"""`slashgrammar run`, with the real model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from slashgrammar import Call, ToolSet
from slashgrammar.cli.model import load_model
from slashgrammar.demo.model import bundled_model
from tests.cli.conftest import only_line

Cli = Callable[..., Result]

SIGNATURES = """\
switch(lamp:"kitchen"|"office", on:bool)->state
note(text:str)->confirmation
"""
TOOLS = ToolSet.from_signatures(SIGNATURES)
PROMPTS = ["Kitchen lamp on", "Öffice lamp on", "Kitchen lamp off, please, and leave it so", "Office lamp off"]


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


@pytest.mark.usefixtures("one_model")
def test_prose_that_is_cut_off(cli: Cli, tools: Path) -> None:
    arguments = ("run", "--tools", tools, "--tool-choice", "none", "Tell me a long story.", "--max-tokens", "6")
    result = cli(*arguments)
    assert result.exit_code == 1
    assert only_line(result.stderr) == "error: the answer was cut off; allow more with --max-tokens\n"
    result = cli(*arguments, "--json")
    assert result.exit_code == 1
    assert json.loads(only_line(result.stdout))["finish_reason"] == "length"


def test_an_interruption_while_the_model_loads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def load(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        done.append(True)

    done: list[bool] = []
    path = tmp_path / "model.gguf"
    path.touch()
    monkeypatch.setattr("llama_cpp.Llama", load)
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        load_model(path, 512)
    assert done
    assert signal.getsignal(signal.SIGINT) is handler


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


def _run(arguments: list[str | Path], *, kill_at: int = 0) -> None:
    """Runs the command in a process of its own; kills it as soon as the journal of its output has so many rows."""
    journal = Path(f"{arguments[-1]}.partial")
    process = subprocess.Popen([sys.executable, "-m", "slashgrammar", "run", *map(str, arguments)])
    while kill_at and process.poll() is None:
        if journal.exists() and journal.read_bytes().count(b"\n") > kill_at:
            process.kill()
            break
        time.sleep(0.01)
    assert process.wait() == (-signal.SIGKILL if kill_at else 0)


def _check_killed_run(arguments: list[str | Path], folder: Path, kill_at: int) -> None:
    whole, output = folder / "whole.json", folder / "calls.json"
    _run([*arguments, "-o", whole])
    output.write_text("old")
    _run([*arguments, "-o", output], kill_at=kill_at)
    assert output.read_text() == "old"
    with (folder / "calls.json.partial").open("ab") as file:
        file.write(b'{"prompt": "Read the fi')
    _run([*arguments, "-o", output])
    assert output.read_bytes() == whole.read_bytes()
    assert not (folder / "calls.json.partial").exists()


def test_a_killed_run_goes_on(tools: Path, prompts: Path) -> None:
    _check_killed_run(["--tools", tools, "--prompts", prompts, "--tool-choice", "switch"], prompts.parent, 2)


@pytest.mark.slow
def test_a_killed_run_of_many_prompts_goes_on(tmp_path: Path) -> None:
    numbers = {"type": "number"}
    definitions = [
        {"name": "fn_add_numbers", "description": "Add two numbers.", "parameters": {"a": numbers, "b": numbers}},
        {"name": "fn_greet", "description": "Greet a person by name.", "parameters": {"name": {"type": "string"}}},
        {"name": "fn_reverse_string", "description": "Reverse a string.", "parameters": {"s": {"type": "string"}}},
        {"name": "fn_get_square_root", "description": "The square root of a number.", "parameters": {"a": numbers}},
    ]
    words = ["hello", "a rather long piece of text", "é😀", "x", "the quick brown fox jumps over it"]
    questions = [f"Reverse the string '{word}'" for word in words] + [f"Greet {word}" for word in words]
    questions += [f"What is the sum of {n} and {n * n}?" for n in range(1, 20, 2)]
    questions += [f"Calculate the square root of {n}" for n in range(1, 30, 3)]
    tools, prompts = tmp_path / "functions_definition.json", tmp_path / "prompts.json"
    tools.write_text(json.dumps(definitions), encoding="utf-8")
    prompts.write_text(json.dumps([{"prompt": question} for question in questions]), encoding="utf-8")
    _check_killed_run(["--tools", tools, "--prompts", prompts], tmp_path, len(questions) // 2)
    rows = json.loads((tmp_path / "calls.json").read_text(encoding="utf-8"))
    assert [row["prompt"] for row in rows] == questions
    meant = {"Reverse": "fn_reverse_string", "Greet": "fn_greet", "What": "fn_add_numbers"}
    right = [row["name"] == meant.get(row["prompt"].split()[0], "fn_get_square_root") for row in rows]
    print(f"{sum(right)} of {len(rows)} rows name the function that was meant")


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


def test_a_context_that_no_memory_holds(cli: Cli, tools: Path) -> None:
    result = cli("run", "--tools", tools, "--context", "99999999", "Hello!")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no memory for a context of 99,999,999 tokens; ask for less" in result.stderr


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
