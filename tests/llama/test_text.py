from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.llama.text import PieceDecoder, StopFilter

ALPHABET = st.text(alphabet="abé\n", max_size=12)


@given(ALPHABET, st.lists(ALPHABET.filter(bool), max_size=3), st.data())
def test_stop_strings_cut_the_same_however_the_text_comes(text: str, stop: list[str], data: st.DataObject) -> None:
    ends = [end for end in range(len(text) + 1) if text[:end].endswith(tuple(stop))]
    expected = text
    if ends:
        expected = text[: ends[0] - max(len(one) for one in stop if text[: ends[0]].endswith(one))]
    stream, result = StopFilter(stop), ""
    while text and not stream.stopped:
        size = data.draw(st.integers(1, len(text)))
        result += stream.feed(text[:size])
        assert expected.startswith(result)
        text = text[size:]
    result += stream.finish()
    assert result == expected
    assert stream.stopped == bool(ends)


def test_only_what_may_begin_a_stop_string_is_held_back() -> None:
    stream = StopFilter(["</end>"])
    assert stream.feed("text <") == "text "
    assert stream.feed("b> and </e") == "<b> and "
    assert stream.feed("nd> more") == ""
    assert stream.stopped


@pytest.mark.parametrize("stop", ["text", [""], ["a", ""]])
def test_stop_is_a_list_of_texts(stop: list[str]) -> None:
    with pytest.raises(ValueError, match="stop is a list"):
        StopFilter(stop)


@given(st.text(max_size=8), st.data())
def test_characters_come_out_whole(text: str, data: st.DataObject) -> None:
    text = text.encode("utf-8", "ignore").decode("utf-8")
    decoder, rest, result = PieceDecoder(), text.encode("utf-8"), ""
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        result += decoder.feed(rest[:size])
        assert text.startswith(result)
        rest = rest[size:]
    assert result == text
