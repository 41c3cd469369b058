from __future__ import annotations

import pytest

from slashgrammar.tools.nearest import nearest


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("raed", ["write", "read", "search"], "read"),
        ("READ", ["write", "read"], "read"),
        ("search_file", ["search", "search_files"], "search_files"),
        ("xyz", ["write", "read"], None),
        ("", ["read"], None),
        ("read", [], None),
    ],
)
def test_nearest(name: str, known: list[str], expected: str | None) -> None:
    assert nearest(name, known) == expected


def test_long_names_take_no_long_time() -> None:
    assert nearest("ab" * 100_000, [f"{'ab' * 100_000}{n}" for n in range(20)]) is not None
