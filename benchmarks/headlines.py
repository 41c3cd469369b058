"""The benchmarks that `python -m benchmarks` runs, and how each is called."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Headline:
    """A benchmark.

    Attributes:
        script: the module in this package; it takes `--json FILE`.
        arguments: what it is called with; `@name` stands for a file of `benchmarks.data`.
        quick: what it is called with besides in a quick run.
    """

    script: str
    arguments: tuple[str, ...] = ()
    quick: tuple[str, ...] = ("--quick",)


_QUESTIONS = "@bfcl-half.jsonl.gz"
_FEW = ("--count", "2")

HEADLINES = {
    "tokens": Headline("tokens"),
    "compiler": Headline("compiler"),
    "schemas": Headline("schemas"),
    "streaming": Headline("streaming"),
    "overhead": Headline("overhead", (_QUESTIONS,), _FEW),
    "gemma": Headline("gemma", (_QUESTIONS,), _FEW),
    "vocabulary": Headline("vocabulary", (_QUESTIONS, "@ggml-vocab-qwen2.gguf"), ("--count", "1")),
    "forcing": Headline("forcing", (_QUESTIONS,), _FEW),
    "calls": Headline("calls", (_QUESTIONS,), _FEW),
    "accuracy": Headline("accuracy", (_QUESTIONS,), _FEW),
    "equality": Headline("equality", (_QUESTIONS,), (*_FEW, "--steps", "20", "--draws", "1000")),
    "hot": Headline("hot", (_QUESTIONS,), ("--tokens", "50", "--sets", "1")),
    "lenient": Headline("lenient"),
}
"""In the order of the page."""
