"""Loading models for the commands."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from slashgrammar.cli.output import console
from slashgrammar.errors import MissingExtra, ModelError

if TYPE_CHECKING:
    from llama_cpp import Llama


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
    with console(stderr=True).status(f"loading {path.name}"), _interrupted_afterwards():
        try:
            return Llama(str(path), n_ctx=context, n_gpu_layers=-1, flash_attn=True, verbose=False)
        except ValueError as error:
            if "llama_context" in str(error):
                raise ModelError(
                    f"{path.name} is loaded, but there is no memory for a context of {context:,} tokens; ask for less"
                ) from error
            raise ModelError(
                f"{path}: llama.cpp does not load this file ({error}); expected a model in GGUF format"
            ) from error


@contextmanager
def _interrupted_afterwards() -> Iterator[None]:
    """Keep an interruption until a model is loaded: in a callback of llama.cpp, where Python may be, it is lost."""
    signals: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: signals.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if signals:
        raise KeyboardInterrupt
