from __future__ import annotations

from typing import Any

import pytest

from slashgrammar.grammar.ir import CharClass, Grammar, Literal, Node, alt, chars, repeat, seq
from slashgrammar.grammar.matcher import Matcher
from slashgrammar.llama.binding import Vocabulary, vocabulary
from slashgrammar.llama.forcing import Forcing

ANY = CharClass(((32, 0xFFFF),))


def _forcing(llm: Any, *nodes: Node) -> Forcing:
    return Forcing(vocabulary(llm), Matcher(Grammar({"start": seq(*nodes)})))


def _text(known: Vocabulary, tokens: list[int]) -> str:
    return b"".join(known.pieces[token] for token in tokens).decode("utf-8")


def test_a_token_that_may_grow_stays_open(llm: Any) -> None:
    known = vocabulary(llm)
    forcing = _forcing(llm, Literal('/write\npath="'), repeat(ANY, 0, None))
    assert _text(known, forcing.draft("").tokens) == "/write\npath"  # `="` may become `="./` or the like
    forcing = _forcing(llm, Literal('/write\npath="'), chars("éß"))
    assert _text(known, forcing.draft("").tokens) == '/write\npath="'  # nothing begins with `"é`


def test_what_is_forced_is_tokenised_as_in_any_text(llm: Any) -> None:
    known = vocabulary(llm)
    whole = '\n/get_weather\ncity="Paris"\nunit="celsius"\n'
    forcing = _forcing(llm, Literal(whole), repeat(ANY, 0, None))
    tokens = forcing.draft("Sure.").tokens
    expected = known.tokenize("Sure." + whole)
    assert tokens == expected[len(known.tokenize("Sure.")) :][: len(tokens)]
    assert len(tokens) >= 10


@pytest.mark.parametrize("following", ['x"', "hello", "./a", "9", " ", "#", "\n"])
def test_closed_tokens_stay_whatever_follows(llm: Any, following: str) -> None:
    known = vocabulary(llm)
    forced = "content=\n```\nThe end of the line ="
    tokens = _forcing(llm, Literal(forced), repeat(ANY, 0, None)).draft("").tokens
    assert known.tokenize(forced + following)[: len(tokens)] == tokens


def test_nothing_is_forced_where_there_is_a_choice(llm: Any) -> None:
    forcing = _forcing(llm, alt(Literal("yes"), Literal("no")))
    assert forcing.draft("").tokens == []
    assert not forcing.ended
    forcing.follow("y")
    assert _text(vocabulary(llm), forcing.draft("y").tokens) == "es"
    forcing.follow("es")
    assert forcing.draft("yes").tokens == []
    assert forcing.ended


def test_an_optional_end_is_no_end(llm: Any) -> None:
    forcing = _forcing(llm, Literal("a"), repeat(Literal("b"), 0, 1))
    forcing.follow("a")
    assert not forcing.ended
    assert forcing.draft("a").tokens == []
