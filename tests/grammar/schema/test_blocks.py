from __future__ import annotations

import pytest

from slashgrammar import Tool, ToolSet

SCHEMAS = [{"type": "string", "pattern": "^a[^b]+$"}, {"type": "string", "minLength": 3}, {"type": "string"}]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
@pytest.mark.parametrize("char", [*map(chr, range(32)), "\x7f", "\x85", "\u2028"])
def test_a_block_holds_no_control_character(schema: dict[str, str], char: str) -> None:
    grammar = ToolSet([Tool("f", {"properties": {"x": schema}})]).compile(prose=False)
    held = char in "\t\n\x7f\x85\u2028"
    assert grammar.matches(f"/f\nx=\n```\na1{char}2\n```") is held
