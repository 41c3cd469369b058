"""Measured numbers in README.md and docs/ are those that the benchmarks printed.

A paragraph, item or table with such numbers ends with a comment, `<!-- measured: tokens -->`; each of its numbers has
to stand in that section of docs/benchmarks.md. What gives a number a unit of measurement has to have the comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.spec.pages import PAGES, ROOT

BENCHMARKS = ROOT / "docs" / "benchmarks.md"
PROSE = [page for page in PAGES if page != BENCHMARKS]
_FENCED = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"<!-- measured: ([\w, ]+) -->")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w,.]*\d)")
_MEASURED = re.compile(
    r"\d ?(?:ms|µs|[kM]B/s|tok/s|tokens|×|%|times (?:as|faster|slower|less|more)|s(?:econds)? (?:a|per) )"
)


def paragraphs(page: Path) -> Iterator[str]:
    """The paragraphs, lists and tables of a page; the comment of one may stand below it."""
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    yield from re.split(r"\n{2,}(?!<!-- measured)|\n(?=[*-] )", text)


def sections() -> dict[str, set[str]]:
    """The numbers of each section of the benchmarks."""
    parts = re.split(r"^## (.+)$", BENCHMARKS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name.lower(): set(_NUMBER.findall(text)) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.name)
def test_figures(page: Path) -> None:
    known = sections()
    for text in paragraphs(page):
        mark = _MARK.search(text)
        if mark is None:
            assert not _MEASURED.search(text), f"measured where? {text}"
            continue
        numbers = set().union(*(known[name] for name in re.split(r",\s*", mark[1])))
        for number in _NUMBER.findall(_MARK.sub("", text)):
            assert number in numbers, f"{number} is not in the section {mark[1]}: {text}"


def test_wrong_figures_are_found() -> None:
    assert _NUMBER.findall("of 1,567 calls, 24.1 tokens; 0.27, 3; v2 and Qwen2.5, 2.") == [
        "1,567", "24.1", "0.27", "3", "2",
    ]  # fmt: skip
    assert _MEASURED.search("it takes 24 tokens a call")
    assert _MEASURED.search("2.5 times as fast")
    assert not _MEASURED.search("at most 100 imports")
