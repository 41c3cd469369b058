"""`slashgrammar serve`."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tests.cli.conftest import only_line

Cli = Callable[..., Result]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, dict[str, Any]]]:
    """The applications that uvicorn was to run, and where."""
    uvicorn = pytest.importorskip("uvicorn", reason='needs a server: pip install "slashgrammar[serve]"')
    applications: list[tuple[Any, dict[str, Any]]] = []
    monkeypatch.setattr(uvicorn, "run", lambda app, **options: applications.append((app, options)))
    return applications


@pytest.mark.usefixtures("one_model")
def test_serving_the_bundled_model(cli: Cli, served: list[tuple[Any, dict[str, Any]]]) -> None:
    result = cli("serve", "--port", "8123")
    assert (result.exit_code, result.stdout) == (0, "")
    ((app, where),) = served
    assert where == {"host": "127.0.0.1", "port": 8123}
    assert {"/health", "/v1/models", "/v1/chat/completions"} <= {route.path for route in app.routes}


@pytest.mark.usefixtures("one_model", "served")
def test_what_the_application_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {}
    monkeypatch.setattr("slashgrammar.server.create_app", lambda llm, **options: told.update(options))
    assert cli("serve", "--name", "smol", "--dialect", "hermes", "--reasoning", "--api-key", "secret").exit_code == 0
    assert told == {"name": "smol", "dialect": "hermes", "reasoning": True, "api_key": "secret"}


def test_a_file_that_is_no_model(cli: Cli, served: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "no.gguf"
    for expected in ("no such file", "llama.cpp does not load this file"):
        result = cli("serve", "-m", path)
        assert (result.exit_code, served) == (2, [])
        assert expected in only_line(result.stderr)
        path.write_text("no")


def test_a_place_where_nothing_can_listen(cli: Cli, served: list[Any]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for options in (("--port", port), ("--port", port, "--host", "no such host")):
            result = cli("serve", *options)
            assert (result.exit_code, served) == (2, [])
            assert f", port {port}: " in only_line(result.stderr)
            assert "choose others with --host, --port" in result.stderr


def test_without_the_extra(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "slashgrammar.server", raising=False)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    result = cli("serve")
    assert (result.exit_code, result.stdout) == (2, "")
    assert 'pip install "slashgrammar[serve]"' in only_line(result.stderr)
