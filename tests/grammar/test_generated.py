"""The generated files in grammars/ are what their generators give."""

from __future__ import annotations

import pytest

from slashgrammar.grammar.files import grammar_text
from slashgrammar.grammar.generated import GENERATED


@pytest.mark.parametrize("name", GENERATED)
def test_generated_file_is_fresh(name: str) -> None:
    assert grammar_text(name) == GENERATED[name](), "stale: run python -m slashgrammar.grammar.generated"
