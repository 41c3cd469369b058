"""Results of a benchmark: a table to read, and the same rows as JSON."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


def arguments(doc: str | None) -> argparse.ArgumentParser:
    """A parser of the command line that says what the module's docstring says, with the option `--json`."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="where to write the rows, besides the table")
    return parser


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
