"""Results of a benchmark: a table to read, and the same rows as JSON."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.table import Table

Item = TypeVar("Item")


def arguments(doc: str | None, *, timed: bool = True) -> argparse.ArgumentParser:
    """A parser of the command line that says what the module's docstring says, with the options that all have."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="where to write the rows, besides the table")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after so long, ask nothing more")
    if timed:
        parser.add_argument(
            "--cpu", action="store_true", help="count the processor's time: for one thread, beside other work"
        )
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
        options: the command line, of which `json` says where the rows go, and the rest is noted beside them.

    Attributes:
        rows: what was measured, by the names of the columns.
    """

    def __init__(self, title: str, options: argparse.Namespace) -> None:
        self._title = title
        self._options = options
        self.rows: list[dict[str, Any]] = []

    def add(self, **row: Any) -> None:
        """One row; the first one names the columns."""
        self.rows.append(row)

    def finish(self) -> None:
        """Prints the table, and writes the file if one was asked for."""
        table = Table(title=self._title, title_justify="left")
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        for name in columns:
            numeric = all(isinstance(row.get(name, 0), int | float) for row in self.rows)
            table.add_column(name.replace("_", " "), justify="right" if numeric else "left", overflow="fold")
        for row in self.rows:
            table.add_row(*(_written(row.get(name, "")) for name in columns))
        Console(width=160).print(table)
        if self._options.json is not None:
            settings = {name: str(value) for name, value in vars(self._options).items() if name != "json"}
            result = {"title": self._title, "settings": settings, "rows": self.rows}
            self._options.json.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _written(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
