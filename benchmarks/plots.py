"""Plots of tables, as SVG that is the same each time it is drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks import page
from benchmarks.tables import Plot, Table

mpl.rcParams["svg.hashsalt"] = "slashgrammar"
mpl.rcParams["svg.fonttype"] = "none"
mpl.rcParams["font.family"] = "sans-serif"
_WIDTH = 0.8


def draw_all(folder: Path) -> None:
    """Draw the tables with plots of a folder of documentation, beside their results."""
    for name, _, tables in page.results(folder):
        for table in tables:
            if table.plot is not None:
                _draw(table, table.plot, folder / "benchmarks" / page.plot_file(name, table))


def _draw(table: Table, plot: Plot, path: Path) -> None:
    columns = {name: table.columns.index(name) for name in plot.only}
    rows = tuple(row for row in table.rows if all(row[columns[name]] == plot.only[name] for name in columns))
    table = replace(table, rows=rows)
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.add_subplot()
    (_bars if plot.kind == "bar" else _lines)(axes, table, plot)
    axes.grid(visible=True, axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if len(plot.columns) > 1:
        axes.legend(frameon=False)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def _bars(axes: Axes, table: Table, plot: Plot) -> None:
    places = range(len(table.rows))
    width = _WIDTH / len(plot.columns)
    for number, name in enumerate(plot.columns):
        heights = [_number(row[table.columns.index(name)]) for row in table.rows]
        left = [place - _WIDTH / 2 + width * (number + 0.5) for place in places]
        bars = axes.bar(left, heights, width, label=name)
        axes.bar_label(bars, labels=[f"{height:,}" for height in heights], fontsize=8, padding=2)
    axes.set_xticks(places, ["\n".join(map(str, row[: plot.names])) for row in table.rows], fontsize=8)
    axes.set_ylabel(plot.label)
    if plot.logarithmic:
        axes.set_yscale("log")


def _lines(axes: Axes, table: Table, plot: Plot) -> None:
    along = [_number(row[0]) for row in table.rows]
    for name in plot.columns:
        axes.plot(along, [_number(row[table.columns.index(name)]) for row in table.rows], marker="o", label=name)
    axes.set_xlabel(table.columns[0])
    axes.set_ylabel(plot.label)
    if plot.logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")


def _number(cell: str | int | float) -> float:
    if isinstance(cell, str):
        raise TypeError(f"a cell that is drawn is a number, not {cell!r}")
    return cell
