"""The bundled model with `<tool_call>` and `</tool_call>` as control tokens, as Qwen and Hermes models have them."""

from __future__ import annotations

import struct
from pathlib import Path

# Names of as many bytes in all, so that nothing in the file moves.
_RENAMED = {"<repo_name>": "<tool_call>", "<issue_closed>": "</tool_call>", "<gh_stars>": "<gh_stars_x>"}


def write_tagged(source: Path, target: Path) -> None:
    """Writes a copy of a GGUF file of SmolLM2 in which control tokens that nobody needs have other names."""
    data = source.read_bytes()
    size = len(data)
    for old, new in _RENAMED.items():
        assert data.count(_entry(old)) == 1
        data = data.replace(_entry(old), _entry(new))
    assert len(data) == size
    target.write_bytes(data)


def _entry(name: str) -> bytes:
    """A string as GGUF has it: its length, then its bytes."""
    return struct.pack("<Q", len(name)) + name.encode()
