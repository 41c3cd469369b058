"""Tables of figures, as Markdown and as JSON, and how they are drawn.

A script with several tables has a function `run(quick)` that gives them, and ends with

    if __name__ == "__main__":
        tables.main(__doc__, run)
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from rich.console import Console
from rich.progress import track as _track

Cell: TypeAlias = "str | int | float"
Item = TypeVar("Item")


@dataclass(frozen=True)
class Plot:
    """How a table is drawn.

    Attributes:
        kind: "bar", a group of bars for each row; or "line", with the first column along the horizontal axis.
        columns: the names of the columns that are drawn; their cells are numbers.
        label: what they count, with the unit.
        logarithmic: whether the vertical scale is, and of lines the horizontal one too.
        names: how many columns at the left name a row.
        only: the rows that are drawn, by what stands in some of their columns; all where it is empty.
    """

    kind: str
    columns: tuple[str, ...]
    label: str
    logarithmic: bool = False
    names: int = 1
    only: dict[str, Cell] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """A table of figures.

    Attributes:
        title: what it shows, in a few words.
        columns: the heads of the columns.
        rows: the cells of each row; numbers are rounded here, so that text can repeat them.
        note: what was measured and how, in Markdown.
        plot: how it is drawn, if it is.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    plot: Plot | None = None

    @classmethod
    def of(cls, data: dict[str, Any]) -> Table:
        """The table that `asdict` made a dictionary of, perhaps by way of JSON."""
        plot = data.get("plot")
        drawn = Plot(**{**plot, "columns": tuple(plot["columns"])}) if plot else None
        rows = tuple(map(tuple, data["rows"]))
        return cls(data["title"], tuple(data["columns"]), rows, data.get("note", ""), drawn)

    def markdown(self) -> str:
        """The note and the table, without the plot."""
        numeric = [all(isinstance(row[place], int | float) for row in self.rows) for place in range(len(self.columns))]
        lines = [self.columns, ["--:" if right else "---" for right in numeric], *self.rows]
        table = "".join(f"| {' | '.join(map(written, line))} |\n" for line in lines)
        return f"{self.note}\n\n{table}" if self.note else table


Run: TypeAlias = "Callable[[bool], list[Table]]"


def written(cell: Cell) -> str:
    """A cell as text: thousands are set apart."""
    return cell.replace("|", "\\|") if isinstance(cell, str) else f"{cell:,}"


def track(items: Iterable[Item], description: str, total: float | None = None) -> Iterable[Item]:
    """The items, with a progress bar on standard error where that is a terminal."""
    console = Console(stderr=True)
    yield from _track(items, description, total=total, console=console, transient=True, disable=not console.is_terminal)


def main(description: str | None, run: Run) -> None:
    """The command of a script: runs it, prints its tables, and writes them to a file where that is asked for."""
    options = arguments(description).parse_args()
    finish(run(options.quick), options.json)


def arguments(description: str | None, *, quick: bool = True) -> argparse.ArgumentParser:
    """The parser of a command line that says what the script's docstring says; `quick`: whether it has that option."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    if quick:
        parser.add_argument("--quick", action="store_true", help="a small sample: to see that it runs, not for figures")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables here, too")
    return parser


def finish(tables: list[Table], file: Path | None) -> None:
    """Print the tables, and write them to a file."""
    if file is not None:
        result = {"tables": [asdict(table) for table in tables]}
        file.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for table in tables:
        sys.stdout.write(f"### {table.title}\n\n{table.markdown()}\n")
