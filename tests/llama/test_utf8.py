from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.llama.utf8 import unfinished


@given(st.text(max_size=5).filter(lambda text: text.isascii() or text.encode("utf-8", "ignore").decode() == text))
def test_every_prefix_of_a_text_may_go_on(text: str) -> None:
    data = text.encode("utf-8")
    for size in range(len(data) + 1):
        rest = unfinished(data[:size])
        assert rest is not None
        assert data[: size - len(rest)].decode("utf-8") == text[: len(data[: size - len(rest)].decode("utf-8"))]


@pytest.mark.parametrize(
    "data", [b"\x80", b"a\xff", b"\xc0", b"\xe0\x80", b"\xed\xa0", b"\xf4\x90", b"\xf5", b"\xc3a", b"\xed\xa0\x80"]
)
def test_what_no_text_begins_with(data: bytes) -> None:
    assert unfinished(data) is None
