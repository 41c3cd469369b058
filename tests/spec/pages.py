"""Runs the code blocks of a page of documentation, in their order, as one reader would who starts in an empty folder.

A fence's first word says what becomes of the block:

    python          runs; all blocks of a page share their names; `await` may stand outside of functions
    sh              runs in bash, and has to end with exit code 0; what installs something is only shown
    lark            is compiled to GBNF
    json            is parsed
    text, console   is only shown: output, and commands that install or need what is not there

A second word is the name of a file: the block is written there instead, for later ones to use. What a
reader brings along is there from the beginning: `model.gguf`, the bundled model, `tools.json` and `answer.txt`.
Blocks that are indented hold no code.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

import slashgrammar as sg

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
)
SPECIFIED = frozenset(("example", "tools"))  # see `tests.spec.examples`
SHOWN = frozenset(("text", "console")) | SPECIFIED


@dataclass(frozen=True)
class Block:
    """A code block.

    Attributes:
        place: page and line of its fence.
        kind: the first word behind the fence.
        file: the second word, or "".
        code: what stands in it.
    """

    place: str
    kind: str
    file: str
    code: str


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "fence":
            assert token.map is not None
            kind, _, file = token.info.strip().partition(" ")
            yield Block(f"{page.name}:{token.map[0] + 1}", kind, file, token.content)


class Reader:
    """Runs blocks in a folder.

    Args:
        folder: an empty one, which is the current folder too.
        server: the address of a server with the bundled model; code that speaks to localhost speaks to this one.
    """

    def __init__(self, folder: Path, server: str) -> None:
        self._folder = folder
        self._server = server
        self._names: dict[str, Any] = {"__name__": "__page__"}

    def run(self, block: Block) -> None:
        """Run a block; fails where it does."""
        if block.file and block.kind not in SPECIFIED:
            (self._folder / block.file).write_text(block.code, encoding="utf-8")
        elif block.kind == "python":
            self._run_python(block)
        elif block.kind == "sh":
            if "pip install" not in block.code:
                _run_shell(block)
        elif block.kind == "lark":
            sg.lark_to_gbnf(block.code)
        elif block.kind == "json":
            json.loads(block.code)
        else:
            assert block.kind in SHOWN, f"{block.place}: what is a block of {block.kind!r}?"

    def _run_python(self, block: Block) -> None:
        source = block.code.replace("http://localhost:8000", self._server).replace(
            "http://localhost:8080", self._server
        )
        code = compile(source, block.place, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        result = eval(code, self._names)
        if inspect.iscoroutine(result):
            asyncio.run(result)


def _run_shell(block: Block) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "-euo", "pipefail", "-c", block.code]
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, check=False, encoding="utf-8")
    if done.returncode:
        pytest.fail(f"{block.place} ends with exit code {done.returncode}:\n{done.stdout}{done.stderr}")
