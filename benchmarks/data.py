"""The public data that benchmarks run over, none of which is a part of the project.

    bfcl-half.jsonl.gz      questions, tools and calls of the Berkeley Function Calling Leaderboard, v4
    maskbench-half.jsonl.gz schemas and their instances, of MaskBench in JSONSchemaBench
    github-mcp-tools.json   the list of tools of GitHub's MCP server
    ggml-vocab-qwen2.gguf   the tokenizer of Qwen2, from llama.cpp

They are looked for in the folder that the environment variable SLASHGRAMMAR_DATA names, else where a development
checkout has them.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("SLASHGRAMMAR_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


def path(name: str) -> Path:
    """The path of a file, one of the above or any other; ends the program where it is absent."""
    file = FOLDER / name  # a path from the root stays what it is
    if not file.is_file():
        sys.exit(f"{name} is missing; put it into a folder, and name that in SLASHGRAMMAR_DATA")
    return file


def lines(name: str) -> list[dict[str, Any]]:
    """The entries of a gzipped file with JSON a line."""
    with gzip.open(path(name), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def vocabulary() -> Any:
    """Qwen2's tokenizer, as a `llama_cpp.Llama` without weights."""
    from llama_cpp import Llama

    return Llama(str(path("ggml-vocab-qwen2.gguf")), vocab_only=True, verbose=False)
