"""Finished rows on disk, each safe as soon as it is there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any

from typing_extensions import Self

Row = dict[str, Any]


class Journal:
    """A file of rows that survives whatever ends the program; a context manager.

    Args:
        path: the file; what it holds of the same work is kept, anything else is thrown away.
        work: says what the rows are of.

    Attributes:
        rows: the rows so far.
    """

    def __init__(self, path: Path, work: dict[str, Any]) -> None:
        self._path = path
        self.rows: list[Row] = []
        self._file = path.open("a+b")
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(self._file):
            row = _read(line)
            if row is None or (number == 0 and row != work):
                break
            whole += len(line)
            if number:
                self.rows.append(row)
        self._file.truncate(whole)
        if not whole:
            self._write(work)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, row: Row) -> None:
        """Keep a row."""
        self.rows.append(row)
        self._write(row)

    def remove(self) -> None:
        """Delete the file: the rows are safe elsewhere."""
        self._path.unlink()

    def _write(self, row: Row) -> None:
        self._file.write(json.dumps(row).encode("ascii") + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _read(line: bytes) -> Row | None:
    """The row of a line; None where the program ended while it wrote the line."""
    try:
        row = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    return row if isinstance(row, dict) else None
