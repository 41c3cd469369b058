"""Patterns as the library that validates takes them mean what they mean in ECMA-262."""

from __future__ import annotations

import jsonschema_rs
import pytest

from slashgrammar.grammar.schema.patterns import portable
from tests.grammar.regex.test_ecma import MEANINGS

BOUNDARIES = [
    (r"\bfoo\b", ["foo", "a foo.", "éfoo", "fooé"], ["foot", "_foo", "9foo"]),
    (r"^\B.\w\b$", ["éa"], ["aa", "éé"]),
]


@pytest.mark.parametrize(("pattern", "members", "others"), [*MEANINGS, *BOUNDARIES])
def test_meaning(pattern: str, members: list[str], others: list[str]) -> None:
    spelled = portable(pattern)
    assert spelled is not None
    judge = jsonschema_rs.validator_for({"pattern": spelled})
    assert [text for text in members if not judge.is_valid(text)] == []
    assert [text for text in others if text.isprintable() and judge.is_valid(text)] == []


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "a{3,2}", r"\p{Script=Nobody}", "a\\"])
def test_what_nobody_can_read(pattern: str) -> None:
    assert portable(pattern) is None
