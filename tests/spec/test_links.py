"""Links of the documentation lead somewhere: to files of the project, and to headings in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.spec.pages import PAGES, ROOT


def tokens(page: Path) -> list[Token]:
    return MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8"))


def links(page: Path) -> Iterator[str]:
    for token in tokens(page):
        for inner in token.children or ():
            target = inner.attrGet("href") or inner.attrGet("src")
            if target is not None:
                yield str(target)


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    found = tokens(page)
    headings = [found[place + 1].content for place, token in enumerate(found) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links(page: Path) -> None:
    for link in links(page):
        if link.startswith("https://"):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        if anchor:
            assert anchor in anchors(target), f"{link}: there is no such heading"


def test_every_page_and_every_example_is_linked() -> None:
    linked = {(page.parent / link.partition("#")[0]).resolve() for page in PAGES for link in links(page)}
    assert {*PAGES, *(ROOT / "examples").glob("*.py")} - linked - {ROOT / "README.md"} == set()


def test_files_that_are_named_exist() -> None:
    named = re.compile(r"`((?:slashgrammar|tests|benchmarks|examples|grammars|docs|\.ci)/[\w./]*)`")
    for page in PAGES:
        for name in named.findall(page.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{page.name} names {name}"
