"""The benchmarks that `python -m benchmarks` runs: how each is called, and what is drawn of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.tables import Plot


@dataclass(frozen=True)
class Headline:
    """A benchmark.

    Attributes:
        script: the module in this package; it takes `--json FILE`.
        arguments: what it is called with; `{name}` stands for a file of `benchmarks.data`.
        quick: what it is called with besides, or instead of the options of the same name, in a quick run.
        plots: of tables that say nothing about drawing themselves, by title.
    """

    script: str
    arguments: tuple[str, ...] = ()
    quick: tuple[str, ...] = ("--quick",)
    plots: dict[str, Plot] = field(default_factory=dict)


HEADLINES = {
    "tokens": Headline("tokens"),
}
