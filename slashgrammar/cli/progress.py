"""A progress bar on standard error: on a terminal only, and gone when the work is done."""

from __future__ import annotations

import sys

from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

from slashgrammar.cli.output import console


def progress(*counters: ProgressColumn) -> Progress:
    """The bar, with further columns behind the percentage. Results may be printed meanwhile."""
    err = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), *counters, TimeRemainingColumn())
    shared = sys.stdout.isatty()  # otherwise results go elsewhere and must not pass through the bar's console
    return Progress(*columns, console=err, transient=True, disable=not err.is_terminal, redirect_stdout=shared)
