"""What llguidance may read at once: as much as possible, and never so much that the language changes."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slashgrammar as sg
from slashgrammar.grammar.ir import CharClass, Choice, Grammar, Literal, Node, Repeat, Sequence, chars
from slashgrammar.grammar.lark import lexeme_meetings, to_llguidance
from slashgrammar.grammar.lark.lexemes import with_lexemes
from slashgrammar.grammar.rewrite import prepare
from tests.grammar import engines
from tests.grammar.random_grammars import ALPHABET, grammars, language
from tests.grammar.sampling import Sampler, mutate
from tests.grammar.test_agreement import TOOL_SETS

# Each would change if some part of it were read at once that a careless eye takes for a token.
TREACHEROUS = {
    "one that goes on into the next": 'start: /a+/ "ab"',
    "a name before a keyword": 'start: /[ab]+/ "c"? "ab"',
    "a run of runs": "start: (/a/ /b/*)+ (/a/+ /c/)*",
    "a text that begins with another": 'start: ("ab" | "abc") ("cb" | "b")',
    "alternatives of one beginning": 'start: ("a" "bc" | "ab" ("b" | "ca"))+',
    "the same rule in two places": 'start: word "c" | word "b" "a"\nword: /ab?/+',
    "what follows a rule depends on where it is used": 'start: "a" word "b" | "b" word "c"\nword: "c" | "cb"',
    "nested, and both ends look alike": 'start: "a" start? "a" | "b"',
    "a repetition with a bound": 'start: /a{2,3}/ /a{1,2}/ "b"?',
    "an absent end": 'start: "a" "b"? ("bc" | "b" start)?',
    "left recursion": 'start: start "ab" | start "b" | "a"',
    "a comment that ends in several ways": 'start: "a" /[abc]*?ca/ "b"*',
    "two uses at the same time": 'start: (list "a" | list "b") \nlist: "c" | list "bc"',
    "keywords among names": 'start: (name | "ab" "c")+\nname: /[ab]+/ "b"',
    "a palindrome": 'start: "a" start "a" | "b" start "b" | "c" |',
}


@pytest.mark.parametrize("text", TREACHEROUS.values(), ids=TREACHEROUS)
def test_treacherous_grammars(text: str) -> None:
    grammar = sg.compile_lark(text)
    fast = to_llguidance(grammar.ir)
    verdicts = set()
    for letters in (letters for size in range(8) for letters in product(ALPHABET, repeat=size)):
        member = grammar.matches("".join(letters))
        assert engines.llguidance(fast, "".join(letters)) == member, letters
        verdicts.add(member)
    assert verdicts == {True, False}


# Two of the second alphabet, and of the third, begin with the same byte in UTF-8.
ALPHABETS = ["abc", "αβx", "日本語"]


def spelled(node: Node, alphabet: str) -> Node:
    """The node over another alphabet."""
    if isinstance(node, Literal):
        return Literal(node.text.translate(str.maketrans(ALPHABET, alphabet)))
    if isinstance(node, CharClass):
        return chars("".join(node).translate(str.maketrans(ALPHABET, alphabet)))
    if isinstance(node, Sequence | Choice):
        return type(node)(tuple(spelled(item, alphabet) for item in node.items))
    return Repeat(spelled(node.item, alphabet), node.min, node.max) if isinstance(node, Repeat) else node


@settings(deadline=None, max_examples=80)
@given(grammars, st.sampled_from(ALPHABETS))
def test_random_grammars(grammar: Grammar, alphabet: str) -> None:
    members = language(grammar, 4)
    if not members - {""}:
        return
    rules = {name: spelled(node, alphabet) for name, node in grammar.rules.items()}
    fast = to_llguidance(prepare(Grammar(rules)))
    for letters in (letters for size in range(5) for letters in product(ALPHABET, repeat=size)):
        text = "".join(letters)
        written = text.translate(str.maketrans(ALPHABET, alphabet))
        assert engines.llguidance(fast, written) == (text in members), written


@pytest.mark.slow
@settings(deadline=None, max_examples=5_000)
@given(grammars, st.sampled_from(ALPHABETS))
def test_many_random_grammars(grammar: Grammar, alphabet: str) -> None:
    test_random_grammars.hypothesis.inner_test(grammar, alphabet)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", TOOL_SETS)
def test_messages_with_calls(name: str) -> None:
    grammar = sg.ToolSet.from_signatures(TOOL_SETS[name]).compile(reasoning=name == "files")
    exact, fast = to_llguidance(grammar.ir, "exact"), to_llguidance(grammar.ir, "fast")
    sampler, rng = Sampler(grammar.ir, seed=3), random.Random(4)
    texts = sampler.draw_all(160)
    for text in texts + [mutate(text, rng) for text in texts]:
        verdict = grammar.matches(text)
        assert engines.llguidance(exact, text) == verdict, text
        assert engines.llguidance(fast, text) == verdict, text


NUMBER = Repeat(CharClass(((48, 57),)), 1, None)


@pytest.mark.parametrize(
    ("text", "lexemes"),
    [
        ('start: "select" "(" start ")" | "x"', [Literal("select(")]),
        ('start: /[0-9]+/ ("," start)? | "(" start ")"', [NUMBER]),
        ('start: /[0-9]+/ "0" start? | "(" start ")"', []),
        ('start: "[" start "]" | ("ab" | "abc") ("cd" | start)', [Literal("ab"), Literal("cd")]),
    ],
)
def test_what_is_read_at_once(text: str, lexemes: list[Node]) -> None:
    assert list(with_lexemes(sg.compile_lark(text).ir).lexemes.values()) == lexemes


def test_calls_of_tools_are_read_in_few_steps() -> None:
    grammar = sg.ToolSet.from_signatures("read(path:str, first?:int)->x\nwrite(path:str, text:str)->y").compile()
    fast = to_llguidance(grammar.ir)
    assert '"read\\npath="' in fast
    assert '"write\\npath="' in fast


def test_where_too_much_meets_characters_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    """All these may be the same text for long, so that what follows any of them meets what follows all others."""
    monkeypatch.setattr(lexeme_meetings, "_MAX_STEPS", 1_000)
    names = " | ".join(f"/[ab]{{1,{length}}}c?/ x" for length in range(2, 30))
    grammar = sg.compile_lark(f'start: {names}\nx: "(" x ")" | "d"')
    assert with_lexemes(grammar.ir).lexemes == {}
    for text in ("abc((d))", "babad", "ab((d)", "abcabcd"):
        assert engines.llguidance(to_llguidance(grammar.ir), text) == grammar.matches(text), text


def test_real_tools(shared_data: Path) -> None:
    grammar = sg.ToolSet.load(shared_data / "github-mcp-tools.json").compile()
    fast = to_llguidance(grammar.ir)
    sampler, rng = Sampler(grammar.ir, seed=8), random.Random(9)
    texts = [sampler.draw(300) for _ in range(40)]
    verdicts = []
    for text in texts + [mutate(text, rng) for text in texts]:
        verdicts.append(grammar.matches(text))
        assert engines.llguidance(fast, text) == verdicts[-1], text
    assert set(verdicts) == {True, False}
