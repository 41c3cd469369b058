"""The page of figures is what the results say, and a plot for each table that has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import page
from benchmarks.headlines import HEADLINES
from benchmarks.tables import Plot, Table

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_is_not_typed_by_hand() -> None:
    assert (DOCS / "benchmarks.md").read_text(encoding="utf-8") == page.text(DOCS)


def test_every_script_exists() -> None:
    for headline in HEADLINES.values():
        assert (DOCS.parent / "benchmarks" / f"{headline.script}.py").is_file()


def test_results_name_no_place_of_the_machine() -> None:
    for file in (DOCS / "benchmarks").glob("*.json"):
        assert "settings" not in file.read_text(encoding="utf-8")


def test_tables_as_markdown() -> None:
    table = Table("t", ("name", "n"), (("a|b", 1234), ("c", 0.5)), "A note.")
    assert table.markdown() == "A note.\n\n| name | n |\n| --- | --: |\n| a\\|b | 1,234 |\n| c | 0.5 |\n"


def test_plots_are_the_same_each_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason='needs matplotlib: pip install -e ".[bench]"')
    from benchmarks.plots import draw_all

    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "tokens.json").write_text((DOCS / "benchmarks" / "tokens.json").read_text(encoding="utf-8"))
    draw_all(tmp_path)
    (plot,) = folder.glob("*.svg")
    first = plot.read_bytes()
    draw_all(tmp_path)
    assert plot.read_bytes() == first
    assert b"Hermes JSON" in first


def test_rows_that_are_drawn() -> None:
    row = {"title": "t", "columns": ["a", "b"], "rows": [["x", 1]], "note": ""}
    drawn = {"kind": "bar", "columns": ["b"], "label": "b", "logarithmic": False, "names": 1, "only": {"a": "x"}}
    assert Table.of({**row, "plot": drawn}).plot == Plot("bar", ("b",), "b", only={"a": "x"})
