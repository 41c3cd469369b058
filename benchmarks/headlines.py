"""The benchmarks that `python -m benchmarks` runs: how each is called, and what is drawn of it."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.tables import Plot


@dataclass(frozen=True)
class Headline:
    """A benchmark.

    Attributes:
        script: the module in this package; it takes `--json FILE`.
        arguments: what it is called with; `@name` stands for a file of `benchmarks.data`.
        quick: what it is called with besides in a quick run.
        plot: how its table is drawn, where that says nothing about it itself.
    """

    script: str
    arguments: tuple[str, ...] = ()
    quick: tuple[str, ...] = ("--quick",)
    plot: Plot | None = None


_QUESTIONS = "@bfcl-half.jsonl.gz"
_FEW = ("--count", "2")
_PER_TOKEN = Plot("bar", ("free_ms", "slash_ms"), "milliseconds a token", names=2)

HEADLINES = {
    "tokens": Headline("tokens"),
    "compiler": Headline("compiler"),
    "schemas": Headline("schemas"),
    "streaming": Headline("streaming"),
    "overhead": Headline("overhead", (_QUESTIONS,), _FEW, _PER_TOKEN),
    "gemma": Headline("gemma", (_QUESTIONS,), _FEW, _PER_TOKEN),
    "vocabulary": Headline(
        "vocabulary",
        (_QUESTIONS, "@ggml-vocab-qwen2.gguf"),
        ("--count", "1"),
        Plot(
            "bar",
            ("slash_median", "masked_median"),
            "milliseconds a token",
            logarithmic=True,
            only={"logits": "peaked on valid", "chain": "default"},
        ),
    ),
    "forcing": Headline("forcing", (_QUESTIONS,), _FEW),
    "calls": Headline("calls", (_QUESTIONS,), _FEW, Plot("bar", ("seconds_per_valid_call",), "seconds a valid call")),
    "accuracy": Headline("accuracy", (_QUESTIONS,), _FEW),
    "equality": Headline("equality", (_QUESTIONS,), (*_FEW, "--steps", "20", "--draws", "1000")),
    "hot": Headline("hot", (_QUESTIONS,), ("--tokens", "50", "--sets", "1")),
    "lenient": Headline("lenient"),
}
"""In the order of the page."""
