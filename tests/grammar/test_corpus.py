"""Grammars of all kinds in `corpus/`: all engines agree on texts of them, and on texts that are nearly ones."""

from __future__ import annotations

import random
import re
from functools import lru_cache
from pathlib import Path

import pytest
from lark import Lark, UnexpectedInput
from lark.exceptions import GrammarError as LarkGrammarError

from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.grammar.convert import compile_lark
from slashgrammar.grammar.lark import to_llguidance
from slashgrammar.grammar.load import lark_warnings, load_file
from tests.grammar import engines
from tests.grammar.sampling import Sampler, mutate

CORPUS = Path(__file__).parent / "corpus"
STARTS = {"several_starts": ["command", "answer", "list"], "dates": ["start", "moment"]}
EMPTY_TERMINALS = ["chess", "xml"]
"""Grammars that Lark's dynamic lexer does not take, since a terminal of theirs may be empty."""
AMBIGUOUS = ["arithmetic_hidden"]
"""Grammars with so many readings that llama.cpp follows tens of thousands of stacks in texts of 80 characters."""
CASES = [(path.stem, start) for path in sorted(CORPUS.glob("*.lark")) for start in STARTS.get(path.stem, ["start"])]

FEW, SHORT = 15, 30
MANY, LONG = 300, 80

CONSTRUCTS = {
    "?rule": r"^\?\w+:",
    "_rule": r"^_[a-z]\w*:",
    "!rule": r"^!\w+:",
    "alias": r"->",
    "priority of a rule": r"^[a-z]\w*\.-?\d",
    "priority of a terminal": r"^[A-Z]\w*\.-?\d",
    "bounds": r"~\d+\.\.\d+",
    "count": r"~\d+\b(?!\.)",
    "maybe": r"\[\"",
    "range": r"\"\.\.\"",
    "flags": r"/ixs\b",
    "string without case": r"\"i\b",
    "template": r"^\w+\{\w+(, \w+)*\}:",
    "import from the library": r"^%import common",
    "import with another name": r"^%import [.\w]+ -> ",
    "relative import": r"^%import \.",
    "several imports": r"^%import [.\w]+ \(",
    "extend": r"^%extend",
    "override": r"^%override",
    "ignore": r"^%ignore",
    "terminal of terminals": r"^[A-Z]\w*: [A-Z]+ [A-Z]",
    "Unicode shorthand": r"\\w.*/u",
    "opposite of a shorthand": r"/\\D/",
    "non-greedy": r"\*\?",
    "anchor": r"/\^",
    "lookahead": r"\(\?[=!]",
    "lookbehind": r"\(\?<[=!]",
    "empty alternative": r"\|$|:$",
}


def test_the_corpus_has_every_construct() -> None:
    text = "\n".join(path.read_text() for path in CORPUS.rglob("*.lark"))
    assert [name for name, pattern in CONSTRUCTS.items() if not re.search(pattern, text, re.MULTILINE)] == []
    assert len(CASES) > 30
    assert all(f"/{flag}" in text for flag in "imsxu")


@pytest.mark.parametrize(("name", "start"), CASES)
def test_engines_agree(name: str, start: str) -> None:
    agree(name, start, FEW, SHORT)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "start"), CASES)
def test_engines_agree_on_many_texts(name: str, start: str) -> None:
    agree(name, start, MANY, SHORT if name in AMBIGUOUS else LONG)


@lru_cache(maxsize=1)
def compiled(name: str, start: str) -> CompiledGrammar:
    return CompiledGrammar(load_file(CORPUS / f"{name}.lark", start=start), [])


def agree(name: str, start: str, count: int, length: int) -> None:
    grammar = compiled(name, start)
    exact, fast = to_llguidance(grammar.ir, "exact"), to_llguidance(grammar.ir, "fast")
    members, others = texts_of(grammar, count, length)
    texts = [*members, *others]
    for text in texts:
        verdict = grammar.matches(text)
        assert verdict or text in others, text
        assert engines.llama(grammar.gbnf, text) == verdict, text
        assert engines.llguidance(exact, text) == verdict, text
        assert engines.llguidance(fast, text) == verdict, text
    for text in some(texts, 2 * count):
        assert engines.lark(grammar.lark, text) == grammar.matches(text), text


def texts_of(grammar: CompiledGrammar, count: int, length: int) -> tuple[list[str], list[str]]:
    """Members that take every alternative, and texts that nearly are members, of which at least a quarter are."""
    length = max(length, SHORT + len(Sampler(grammar.ir, seed=7).draw(0)))
    sampler = Sampler(grammar.ir, seed=7)
    members = sampler.draw_all(length)
    assert not sampler.missing(length)
    members += [sampler.draw(length) for _ in range(count - len(members))]
    members = [text for text in members if "\0" not in text]  # which llama.cpp cannot match
    rng = random.Random(7)
    inside: list[str] = []
    outside: list[str] = []
    for _ in range(200 * count):
        text = mutate(rng.choice(members), rng)
        if "\0" not in text:
            (inside if grammar.matches(text) else outside).append(text)
        if len(inside) * 4 >= count and len(inside) + len(outside) >= count:
            break
    assert len(inside) * 4 >= count
    return members, [*inside[:count], *outside[: count - len(inside[:count])]]


def some(texts: list[str], most: int) -> list[str]:
    """All of the texts, or a part of them from beginning to end: Lark's parser takes its time."""
    return texts[:: -(-len(texts) // most)]


@pytest.mark.parametrize(("name", "start"), [case for case in CASES if case[0] not in EMPTY_TERMINALS])
def test_lark_on_the_text_as_it_is_written(name: str, start: str) -> None:
    """Lark never takes more than we do, and less only where a warning says so."""
    path = CORPUS / f"{name}.lark"
    parser = Lark.open(str(path), parser="earley", lexer="dynamic_complete", start=start)
    warnings = lark_warnings(path.read_text(), name=str(path), start=start)
    grammar = compiled(name, start)
    refused = []
    members, others = texts_of(grammar, FEW, SHORT)
    for text in some([*members, *others], 2 * FEW):
        if not takes(parser, text):
            if grammar.matches(text):
                refused.append(text)
        else:
            assert grammar.matches(text), text
    expected = [warning for warning in warnings if warning.kind in ("first", "surroundings")]
    assert not refused or expected, refused


@pytest.mark.parametrize("name", EMPTY_TERMINALS)
def test_lark_has_no_terminals_that_may_be_empty(name: str) -> None:
    with pytest.raises(LarkGrammarError, match="zero-width"):
        Lark.open(str(CORPUS / f"{name}.lark"), parser="earley", lexer="dynamic_complete")


def takes(parser: Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except UnexpectedInput:
        return False
    return True


@pytest.mark.parametrize("name", ["cron", "dates", "imports", "nongreedy", "roman"])
def test_lark_refuses_what_warnings_give_as_examples(name: str) -> None:
    path = CORPUS / f"{name}.lark"
    text = path.read_text()
    warnings = [warning for warning in lark_warnings(text, name=str(path)) if warning.kind == "first"]
    assert warnings
    for warning in warnings:
        alone = f"{text}\nalone: {warning.terminals[0]}\n"
        parser = Lark(alone, parser="earley", lexer="dynamic_complete", start="alone", import_paths=[str(CORPUS)])
        assert not takes(parser, warning.example)
        assert compile_lark(alone, "alone", name=str(path)).matches(warning.example)
