"""The grammar is LALR without conflicts, and its lexer reads every text as if a terminal were just its language."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import assume, given, settings
from lark import Lark, LarkError

from slashgrammar.calls import parse
from slashgrammar.calls.driver import Driver, Fault
from slashgrammar.calls.table import lark_parser, load_table
from slashgrammar.calls.values import SURROGATE
from slashgrammar.errors import TextError
from slashgrammar.grammar.delimiters import DEFAULT
from tests.calls.texts import texts

DELIMITERS = [DEFAULT, ("", "</think>"), ("[THINK]", "[/THINK]"), ("<|channel>thought", "<channel|>"), None]


@pytest.mark.parametrize("delimiters", DELIMITERS)
def test_neither_conflicts_nor_collisions(delimiters: tuple[str, str] | None) -> None:
    lark_parser(delimiters, strict=True)


class _Silent:
    """A listener that only lets the driver go on."""

    renamed = frozenset[str]()

    def retype(self, terminal: str, text: str, offset: int) -> str:
        return terminal

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        return

    def reduce(self, rule: str) -> None:
        return

    def takes(self, alive: frozenset[str]) -> bool:
        return False

    def partial(self, text: str, offset: int) -> None:
        raise AssertionError("never asked for")

    def value(self, text: str, start: int, offset: int) -> int | None:
        return None


def _drives(text: str) -> bool:
    driver = Driver(load_table(), _Silent())
    try:
        driver.feed(text)
        driver.finish()
    except Fault:
        return False
    return True


@cache
def _lark(**options: str) -> Lark:
    return lark_parser(**options)


def _reads(text: str, **options: str) -> bool:
    try:
        _lark(**options).parse(text)
    except LarkError:
        return False
    return True


def _whole_lines(test: Callable[[str], None]) -> Callable[[str], None]:
    """The grammar reads lines that all end; a surrogate is a character for Lark and none for the driver."""
    short = (
        texts(90)
        .filter(lambda text: "\ud800" not in text)
        .map(lambda text: text if text.endswith("\n") else text + "\n")
    )
    return given(short)(test)


@settings(max_examples=200, deadline=None)
@_whole_lines
def test_lexer_agrees_with_earley(text: str) -> None:
    assert _reads(text) == _reads(text, parser="earley", lexer="dynamic_complete")


@settings(max_examples=400, deadline=None)
@_whole_lines
def test_driver_agrees_with_lark(text: str) -> None:
    assume(not SURROGATE.search(text))  # they are no characters to us, and some to `re`
    assert _drives(text) == _reads(text)


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None)
@_whole_lines
def test_all_engines_agree_on_many_texts(text: str) -> None:
    assume(not SURROGATE.search(text))
    by_lark = _reads(text)
    assert _drives(text) == by_lark
    assert _reads(text, parser="earley", lexer="dynamic_complete") == by_lark


@settings(max_examples=200, deadline=None)
@given(texts())
def test_what_parses_is_in_the_grammar(text: str) -> None:
    try:
        parse(text)
    except TextError:
        return
    assert _reads(text if text.endswith("\n") else text + "\n" if text else text)
