"""Tables that are filled row by row, for scripts that measure until their time is up."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from benchmarks import tables
from benchmarks.tables import Cell, Plot, Table

Item = TypeVar("Item")


def arguments(
    doc: str | None, *, count: int | None = None, tokens: int | None = None, timed: bool = False
) -> argparse.ArgumentParser:
    """A parser of the command line that says what the module's docstring says, with the options that most have.

    Args:
        doc: the docstring.
        count: how many questions are asked if the command line says nothing; None for a script that has no such number.
        tokens: how long answers may be, likewise.
        timed: whether times are taken.
    """
    parser = tables.arguments(doc, quick=False)
    parser.add_argument("questions", type=Path, help="a file as `benchmarks.questions` describes it")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after so long, ask nothing more")
    if count is not None:
        parser.add_argument("--count", type=int, default=count, help="so many questions")
    if tokens is not None:
        parser.add_argument("--tokens", type=int, default=tokens, help="the most tokens of an answer")
        parser.add_argument("--threads", type=int, default=2, help="of the model")
    if timed:
        parser.add_argument("--cpu", action="store_true", help="count the processor's time: for one thread")
    return parser


def clock(options: argparse.Namespace) -> Callable[[], float]:
    """What times are taken by."""
    return time.process_time if options.cpu else time.perf_counter


def within(options: argparse.Namespace, items: Iterable[Item], share: float = 1.0) -> Iterator[Item]:
    """The items, until the share of the time that there is has gone; one in any case."""
    end = time.monotonic() + options.seconds * share
    for item in items:
        yield item
        if time.monotonic() > end:
            return


class Report:
    """A table in the making.

    Args:
        title: what it is about.
        plot: how it is drawn, if it is.

    Attributes:
        rows: what was measured, by the names of the columns, with underscores for their spaces.
    """

    def __init__(self, title: str, plot: Plot | None = None) -> None:
        self._title = title
        self._plot = plot
        self.rows: list[dict[str, Any]] = []

    def add(self, **row: Any) -> None:
        """One row; the first that has a column says where it stands."""
        self.rows.append(row)

    def table(self) -> Table:
        """The table, its numbers with four significant digits."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        cells = tuple(tuple(_rounded(row.get(name, "")) for name in names) for row in self.rows)
        return Table(self._title, tuple(name.replace("_", " ") for name in names), cells, "", self._plot)

    def finish(self, options: argparse.Namespace) -> None:
        """Print the table, and write it to a file if the command line asks for that."""
        tables.finish([self.table()], options.json)


def _rounded(value: Any) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return float(f"{value:.4g}")
    return value if isinstance(value, int) else str(value)
