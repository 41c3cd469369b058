"""What a budget leaves of a text: a call counts only where nothing could have followed in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar import Call, ToolSet
from slashgrammar.calls.cut import ends_in_call

TOOLS = ToolSet.from_signatures(
    "timer(minutes:int(1..600))->x\nfind(path:str, all?:bool, depth?:int)->y\nnow()->z\nmore(x?:number)->z"
)
WORDS = st.sampled_from(["a", "a/b", "two\nlines", ""])
CALLS = st.one_of(
    st.builds(lambda n: Call("timer", {"minutes": n}), st.integers(1, 600)),
    st.builds(lambda path, more: Call("find", {"path": path, **more}), WORDS, st.sampled_from(
        [{}, {"all": True}, {"depth": 12}, {"all": False, "depth": 0}])),
    st.just(Call("now")),
    st.builds(lambda more: Call("more", more), st.sampled_from([{}, {"x": 1.5}, {"x": 10}, {"x": -0.25}])),
)  # fmt: skip


def is_cut(text: str, *, by_itself: bool = False, **options: bool) -> bool:
    stream = TOOLS.stream()
    stream.feed(text)
    return ends_in_call(TOOLS.compile(**options), text, stream.message, by_itself=by_itself)


@given(st.lists(CALLS, min_size=1, max_size=3), st.sampled_from(["", "Well.\n"]), st.booleans(), st.data())
def test_what_is_left_is_what_the_whole_text_says(
    calls: list[Call], prose: str, parallel: bool, data: st.DataObject
) -> None:
    calls = calls if parallel else calls[:1]
    text = prose + TOOLS.render(calls)
    assert not is_cut(text, by_itself=True, parallel=parallel)
    left = text[: data.draw(st.integers(0, len(text)))]
    if not is_cut(left, parallel=parallel):
        found = TOOLS.parse(left).calls
        assert found == calls[: len(found)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello", False),
        ("a path: /usr", False),
        ("/ no call", False),
        ("```\n/timer", False),
        ("<think>\n/timer", False),
        ("/ti", True),
        ("Hello\n/ti", True),
        ("/timer", True),
        ("/timer\nmin", True),
        ("/timer\nminutes=", True),
        ("/timer\nminutes=60", True),
        ("/timer\nminutes=600", False),
        ("/timer\nminutes=60\n", False),
        ("/now", False),
        ("/no", True),
        ("/more", True),
        ("/more\nx=1", True),
        ('/find\npath="a"', True),
        ('/find\npath="a"\n', True),
        ('/find\npath="a"\nall=true', True),
        ('/find\npath="a"\ndepth=1', True),
        ("/now\n/ti", True),
    ],
)
def test_ends(text: str, expected: bool) -> None:
    assert is_cut(text) is expected
