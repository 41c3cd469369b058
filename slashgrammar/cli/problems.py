"""Problems of a text, each with the line it stands in and a caret below the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from slashgrammar.cli.output import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from slashgrammar.cli.judge import Problem

_WIDEST = 100


def show_problems(problems: Iterable[Problem], out: Console) -> None:
    """Message, offending line and caret of each problem."""
    for problem in problems:
        out.print(Text(visible(problem.message, breaks=False), "bold"))
        gutter = f"{problem.line:>5} | "
        line, column = _window(problem.source, problem.column - 1)
        out.print(Text.assemble((gutter, "dim"), line))
        blank = " " * (len(gutter) - 2) + "| " + " " * cell_len(line[:column])
        out.print(Text.assemble((blank, "dim"), ("^", "bold red")))


def _window(line: str, place: int) -> tuple[str, int]:
    """What to show of a line, and where in it the character at `place` stands."""
    start = max(0, min(place - _WIDEST // 2, len(line) - _WIDEST))
    end = start + _WIDEST
    before, behind = "…" if start else "", "…" if end < len(line) else ""
    return before + visible(line[start:end], breaks=False) + behind, len(before) + place - start
