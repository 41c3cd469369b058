"""Patterns as the library that validates takes them mean what they mean in ECMA-262."""

from __future__ import annotations

import jsonschema_rs
import pytest

from slashgrammar.grammar.schema.patterns import portable
from tests.grammar.regex.test_ecma import MEANINGS

# The library's boundaries of words know the letters of all languages.
KNOWN = [(pattern, members, others) for pattern, members, others in MEANINGS if r"\b" not in pattern]


@pytest.mark.parametrize(("pattern", "members", "others"), KNOWN)
def test_meaning(pattern: str, members: list[str], others: list[str]) -> None:
    spelled = portable(pattern)
    assert spelled is not None
    judge = jsonschema_rs.validator_for({"pattern": spelled})
    assert [text for text in members if not judge.is_valid(text)] == []
    assert [text for text in others if text.isprintable() and judge.is_valid(text)] == []


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "a{3,2}", r"\p{Script=Nobody}"])
def test_what_nobody_can_read(pattern: str) -> None:
    assert portable(pattern) is None
