"""`slashgrammar check --jsonl`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.conftest import only_line

Cli = Callable[..., Result]

VALID = [
    '"/read path=\\"a\\""',
    '{"text": "hello", "content": "/read"}',
    '{"id": 1, "content": "hello"}',
    '{"output": ""}',
]
INVALID = ['"/read path=1 form=2"', '{"text": null, "output": "/rea path=1"}', '"\\ud800"']
UNUSABLE = [b"nope", b"1", b"{}", b'{"text": ["a"]}', b'"\xff"', b'"a', b"[" * 100_000, b"1" * 5_000]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def test_valid_lines(cli: Cli, tools: Path, log: Path) -> None:
    log.write_text("\n\n".join(VALID))
    result = cli("check", "--tools", tools, "--jsonl", log)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "4 texts: 4 valid, 0 invalid\n", "")


def test_invalid_lines(cli: Cli, tools: Path, log: Path) -> None:
    log.write_text("\n".join([*VALID, *INVALID]))
    result = cli("check", "--tools", tools, "--jsonl", log)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert [line.removeprefix(f"{log}:").partition(":")[0] for line in lines[:4]] == ["5", "5", "6", "7"]
    assert lines[4] == "7 texts: 4 valid, 3 invalid"
    assert sorted(line.split()[1] for line in lines[5:]) == [
        "InvalidArgument",
        "SlashSyntaxError",
        "UnknownArgument",
        "UnknownTool",
    ]


def test_an_object_a_line(cli: Cli, tools: Path, log: Path) -> None:
    log.write_text("\n".join([*VALID, "", *INVALID]))
    result = cli("check", "--tools", tools, "--jsonl", log, "--json")
    assert result.exit_code == 1
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["line"] for each in found] == [1, 2, 3, 4, 6, 7, 8]
    assert [each["valid"] for each in found] == [True] * 4 + [False] * 3
    assert [len(each["errors"]) for each in found] == [0, 0, 0, 0, 2, 1, 1]
    assert found[0]["calls"] == [{"name": "read", "arguments": {"path": "a"}}]
    assert result.stderr.startswith("7 texts: 4 valid, 3 invalid\n")


@pytest.mark.parametrize("line", UNUSABLE, ids=lambda line: repr(line[:8]))
def test_unusable_lines_do_not_end_the_check(cli: Cli, tools: Path, log: Path, line: bytes) -> None:
    log.write_bytes(b'"/read"\n' + line + b'\n"fine"')
    result = cli("check", "--tools", tools, "--jsonl", log)
    assert result.exit_code == 2
    assert result.stdout.splitlines()[1] == "3 texts: 1 valid, 1 invalid, 1 unusable"
    assert only_line(result.stderr).startswith(f"error: {log}, line 2: ")


def test_files_without_a_text(cli: Cli, tools: Path, log: Path) -> None:
    log.write_text("\n \n")
    for path, expected in ((log, "no texts"), (log.parent, "cannot read"), (log.with_name("none"), "cannot read")):
        result = cli("check", "--tools", tools, "--jsonl", path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert expected in only_line(result.stderr)


def test_standard_input(cli: Cli, tools: Path) -> None:
    result = cli("check", "--tools", tools, "--jsonl", "-", stdin='"fine"\n"/read"')
    assert result.exit_code == 1
    assert result.stdout.startswith("standard input:2: line 1, column 1, /read")
