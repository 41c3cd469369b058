"""A line of a text with a caret below a place in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from slashgrammar.cli.output import visible

if TYPE_CHECKING:
    from rich.console import Console

_WIDEST = 100


def show_line(number: int, source: str, column: int | None, out: Console) -> None:
    """The line with its number, and below it the caret, where the column is known; both are counted from 1."""
    gutter = f"{number:>5} | "
    line, place = _window(source, (column or 1) - 1)
    out.print(Text.assemble((gutter, "dim"), line))
    if column is not None:
        blank = " " * (len(gutter) - 2) + "| " + " " * cell_len(line[:place])
        out.print(Text.assemble((blank, "dim"), ("^", "bold red")))


def _window(line: str, place: int) -> tuple[str, int]:
    """What to show of a line, and where in it the character at `place` stands."""
    start = max(0, min(place - _WIDEST // 2, len(line) - _WIDEST))
    end = start + _WIDEST
    before, behind = "…" if start else "", "…" if end < len(line) else ""
    return before + visible(line[start:end], breaks=False) + behind, len(before) + place - start
