"""Texts for properties: right ones, broken ones, and those where two readings are close."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from slashgrammar.tools import ToolSet
from tests.spec.examples import Example, read_examples

CASES: list[Example] = [
    example for path in sorted((Path(__file__).parent / "cases").glob("*.md")) for example in read_examples(path)
]

TOOLS = ToolSet.from_signatures(
    'a(x:any, y:any, "k":any, ...)\n'
    "read(path:str, from:int=0, to?:int)->content\n"
    "w(content:str, x?:int)\n"
    '"usr/bin"(x?:int)\n'
)
"""Some of the names that the texts call; `/b` is known to nobody."""

PIECES = [
    *("\n", "\n\n", " ", "\t", "\r", "\r\n", " \n", "\x0c", "\u2028", "\x00", "\ud800"),
    *("/a", "/b", "/read", "/w", "/usr/bin", "/", "//", "/ a"),
    *("x=", "y=", '"k"=', "path=", "from=", "content=", "x =", "=", '"', "x"),
    *("1", "-2.5e3", '"s"', '"', "true", "null", "nul", "\\n", "\\", "\\ud83d", "\\ude00", '"\\u00e9"', "é"),
    *("[", "]", "{", "}", ",", ":", "[1,\n2]", '{"a":1}', '{"a":1,"a":2}', '["s", {}]'),
    *("```", "````", "```py", "```\n", "\n```\n", "``", "`", "````````", "`````````", "content=\n```\n"),
    *("<think>", "</think>", "<think", "</", "<", "t", ">", "word", "some prose", "x=1", "\n/a x=1\n", "\nx=1"),
]


def _mutate(text: str, edits: list[tuple[float, int, str]]) -> str:
    for place, length, piece in edits:
        start = round(place * len(text))
        text = text[:start] + piece + text[start + length :]
    return text


def mutated(cases: list[str]) -> st.SearchStrategy[str]:
    """The texts with a few pieces put in and cut out."""
    edit = st.tuples(st.floats(0, 1), st.integers(0, 3), st.sampled_from(PIECES) | st.just(""))
    return st.builds(_mutate, st.sampled_from(cases), st.lists(edit, max_size=3))


def texts(longest: int = 10_000) -> st.SearchStrategy[str]:
    """Texts of up to `longest` characters: pieces in a row, and cases with a few of them put in and cut out."""
    pieces = st.sampled_from(PIECES)
    cases = [case.text for case in CASES if len(case.text) <= longest]
    truncated = st.builds(lambda text, share: text[: round(share * len(text))], st.sampled_from(cases), st.floats(0, 1))
    rows = st.lists(pieces, max_size=12).map("".join)
    calls = st.lists(pieces, max_size=8).map(lambda row: "/a x=" + "".join(row))
    return (mutated(cases) | truncated | rows | calls).filter(lambda text: len(text) <= longest)


def cuts(text: str) -> st.SearchStrategy[list[str]]:
    """The text in random pieces."""
    places = st.lists(st.integers(0, len(text)), max_size=12).map(sorted)
    return places.map(lambda ends: [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)])
