"""The grammars that come with Lark: they compile, or are refused for a reason that is true."""

from __future__ import annotations

import random
import re
from functools import lru_cache
from pathlib import Path

import lark
import pytest
from lark import Lark
from lark.exceptions import LarkError
from lark.indenter import PythonIndenter
from lark.tools.nearley import nearley_grammar

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.grammar.lark import to_llguidance
from slashgrammar.grammar.load import load_file, load_lark
from tests.grammar import engines
from tests.grammar.sampling import Sampler, mutate

LIBRARY = Path(lark.__file__).parent / "grammars"
CORPUS = Path(__file__).parents[1] / "corpus"

# The rules of python.lark that lead to an indented block; which tokens begin and end one, only Lark's post-lexer knows.
BLOCKS = {
    "single_input", "file_input", "decorated", "async_funcdef", "funcdef", "stmt", "compound_stmt", "async_stmt",
    "if_stmt", "elifs", "elif_", "while_stmt", "for_stmt", "try_stmt", "finally", "except_clauses", "except_clause",
    "with_stmt", "match_stmt", "case", "suite", "classdef",
}  # fmt: skip


def terminals_of(name: str) -> list[tuple[str, str]]:
    text = (LIBRARY / name).read_text()
    return [(name, terminal) for terminal in re.findall(r"^(_?[A-Z]\w*)(?:\.\d+)?\s*:", text, re.MULTILINE)]


def compiled(name: str, start: str) -> CompiledGrammar:
    return CompiledGrammar(load_file(LIBRARY / name, start=start), [])


@pytest.mark.parametrize(
    ("name", "terminal"), terminals_of("common.lark") + terminals_of("unicode.lark") + terminals_of("python.lark")
)
def test_terminals_mean_what_re_says(name: str, terminal: str) -> None:
    # Lark has no terminals that may be empty, as some are which only stand inside others.
    imported = f'%import {name.removesuffix(".lark")}.{terminal}\nstart: QUOTED\nQUOTED: "<" {terminal} ">"\n'
    (definition,) = Lark(imported, lexer="basic").terminals
    expression = re.compile(definition.pattern.to_regexp())
    grammar = CompiledGrammar(load_lark(imported), [])
    sampler = Sampler(grammar.ir, seed=3)
    texts = [*sampler.draw_all(24), *(sampler.draw(24) for _ in range(10))]
    rng = random.Random(3)
    for text in texts + [mutate(rng.choice(texts), rng) for _ in range(30)]:
        verdict = expression.fullmatch(text) is not None
        assert grammar.matches(text) == verdict, text
        assert engines.llama(grammar.gbnf, text) == (verdict and "\0" not in text), text


@lru_cache(maxsize=1)
def larks_own() -> CompiledGrammar:
    return compiled("lark.lark", "start")


@pytest.mark.parametrize(
    "path",
    [LIBRARY / "lark.lark", *(CORPUS / f"{name}.lark" for name in ("json", "templates", "xml", "several_starts"))],
)
def test_lark_reads_lark(path: Path) -> None:
    text = path.read_text()
    assert larks_own().matches(text)
    assert engines.llama(larks_own().gbnf, text)
    without_colon = re.sub(r"^(\??\w+):", r"\1", text, count=1, flags=re.MULTILINE)
    for wrong in (text + "\nlast: (", text + "\nlast: /a", without_colon, "start:: a\n" + text):
        assert not larks_own().matches(wrong)
        assert not engines.llama(larks_own().gbnf, wrong)
        with pytest.raises(LarkError):
            Lark(wrong, source_path=str(path))


def test_python_but_for_its_blocks() -> None:
    text = (LIBRARY / "python.lark").read_text()
    names = set(re.findall(r"^[!?]?(_?[a-z]\w*)(?:\.\d+)?\s*:", text, re.MULTILINE))
    assert names > BLOCKS
    others = sorted(names - BLOCKS)
    grammar = load_file(LIBRARY / "python.lark", start=others)
    assert set(others) <= grammar.rules.keys()


@pytest.mark.parametrize("start", ["file_input", "match_stmt", "classdef"])
def test_blocks_of_python_are_refused(start: str) -> None:
    refused_at_its_declaration(start)


@pytest.mark.slow
@pytest.mark.parametrize("start", sorted(BLOCKS))
def test_all_blocks_of_python_are_refused(start: str) -> None:
    refused_at_its_declaration(start)


def refused_at_its_declaration(start: str) -> None:
    path = LIBRARY / "python.lark"
    lines = path.read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("%declare"))
    with pytest.raises(GrammarError) as error:
        load_file(path, start=start)
    rule = "match_stmt" if start == "match_stmt" else "suite"
    message = "_INDENT is only declared (%declare); what it matches is not in the grammar"
    assert str(error.value) == f"{path}, line {line}, rule {rule}: {message}"


STATEMENTS = [
    "x = 1\n",
    "x: int = f(a, *b, **c)[1:2, ...]\n",
    "a = b if c else lambda x, *y: x + 1; del z\n",
    "from a.b import (c as d, e)\n",
    "x = [i for i in range(3) if i]  # comment\n",
    "f'abc' \"x\" '''long\n'''\n",
    "assert a <= b is not c, {1: 2, **d}\n",
    "return (yield)\n",
    "x += 0x1F + 1_000.5e-3j if not a else b''\n",
    "x = = 1\n",
    "x = 1",
    "f(a b)\n",
    "x = (1,\n",
    "del x y\n",
    "import a.b. as c\n",
]


def test_statements_of_python() -> None:
    grammar = compiled("python.lark", "simple_stmt")
    exact, fast = to_llguidance(grammar.ir, "exact"), to_llguidance(grammar.ir, "fast")
    path = LIBRARY / "python.lark"
    reference = Lark.open(str(path), parser="lalr", start="file_input", postlex=PythonIndenter())
    verdicts = []
    for text in STATEMENTS:
        verdicts.append(grammar.matches(text))
        assert takes(reference, text) == verdicts[-1], text
        assert engines.llama(grammar.gbnf, text) == verdicts[-1], text
        assert engines.llguidance(exact, text) == verdicts[-1], text
        assert engines.llguidance(fast, text) == verdicts[-1], text
    assert sum(verdicts) == 9


def test_the_grammar_of_nearley() -> None:
    grammar = CompiledGrammar(load_lark(nearley_grammar), [])
    parser = Lark(nearley_grammar, parser="earley", lexer="basic")
    for text in (
        'main -> a "b"i {% id %} | [a-z]:+ {% f %}\n',
        '@builtin "x"\na -> null {% x %}',
        "a -> {% x %}",
        "-> a",
    ):
        verdict = takes(parser, text)
        assert grammar.matches(text) == verdict, text
        assert engines.llama(grammar.gbnf, text) == verdict, text


def takes(parser: Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except LarkError:
        return False
    return True
