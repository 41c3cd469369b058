"""No GBNF gets to llama.cpp that would take the process down.

What would is tried in a process of its own, which ends well only where the check holds it back.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from slashgrammar.errors import GrammarError
from slashgrammar.grammar import ir
from slashgrammar.grammar.gbnf import from_gbnf, to_gbnf
from slashgrammar.grammar.gbnf.limits import check_gbnf, check_grammar
from slashgrammar.grammar.ir import Grammar, Literal, Node, Reference, alt, seq
from slashgrammar.grammar.rewrite import prepare
from tests.grammar.engines import llama
from tests.grammar.random_grammars import ALPHABET, grammars, language

CHECKOUT = Path(__file__).resolve().parents[3]


def chain(length: int, step: str = "r{}", last: str = '"a"') -> str:
    rules = "".join(f"r{i} ::= {step.format(i + 1, i + 1)}\n" for i in range(length))
    return f"root ::= r0\n{rules}r{length} ::= {last}\n"


# Each makes llama.cpp abort, overflow its stack, fill the memory or hang, as soon as it gets the grammar.
DEADLY = {
    "left recursion hidden behind a rule": ('root ::= n root "a" | "b"\nn ::= m\nm ::= "c" | ""', "begins with itself"),
    "left recursion hidden in a loop": ('root ::= (n* root)* "a"\nn ::= m m\nm ::= "c"?', "begins with itself"),
    "bounds in the wrong order": ('root ::= "a"{3,2}', "line 1: the bounds {3,2} contradict each other"),
    "parentheses": (
        "root ::= " + "(" * 20_000 + '"a"' + ")" * 20_000,
        "line 1: over 200 parentheses inside each other",
    ),
    "a chain of rules": (chain(200_000), "the grammar has over 1,000,000 characters"),
    "paths that double": (chain(60, 'r{} "a" | r{} "b"'), "goes on in over 10,000 ways at one place"),
    "paths that double and meet": (chain(60, "r{} | r{}"), "goes on in over 10,000 ways at one place"),
    "paths that double and end": (chain(60, "r{} | r{}", '"" | ""'), "begin with each other in too many ways"),
}

_CHILD = """
import sys
from slashgrammar.errors import GrammarError
from slashgrammar.grammar.gbnf.limits import check_gbnf
text = sys.stdin.read()
if "--unchecked" not in sys.argv:
    try:
        check_gbnf(text)
    except GrammarError as error:
        sys.exit(f"refused: {error}")
import resource
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
from tests.grammar.engines import llama
print("loaded", llama(text, "aaaa"))
"""


def in_a_process_of_its_own(text: str, *options: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _CHILD, *options]
    # A crash would have itself explained by gdb, where there is one; that takes seconds.
    environment = os.environ | {"GGML_NO_BACKTRACE": "1"}
    return subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=timeout, cwd=CHECKOUT, env=environment, check=False
    )


@pytest.mark.parametrize("name", DEADLY)
def test_what_kills_llama_cpp_is_refused(name: str) -> None:
    text, message = DEADLY[name]
    child = in_a_process_of_its_own(text)
    assert child.stderr.startswith("refused: ")
    assert message in child.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", DEADLY)
def test_what_is_refused_kills_llama_cpp(name: str) -> None:
    try:
        child = in_a_process_of_its_own(DEADLY[name][0], "--unchecked", timeout=20)
    except subprocess.TimeoutExpired:
        return
    assert "loaded" not in child.stdout


# What llama.cpp returns a null pointer for, takes for something else than what is written, or can never finish.
REFUSED = {
    "left recursion": ('root ::= root "a" | "b"', "rule root: begins with itself; "),
    "indirect left recursion": ('root ::= a "x" | "y"\na ::= b "z"\nb ::= root', "begins with itself through "),
    "a loop over nothing": ("root ::= ()*", "line 1: llama.cpp refuses * where nothing can be repeated"),
    "a loop over an empty rule": ('root ::= n*\nn ::= "a" | ""', "line 1: n is repeated but may be empty"),
    "a loop over a loop": ('root ::= "a"*+', "line 1: llama.cpp refuses + where nothing can be repeated"),
    "a loop over a literal without text": ('root ::= ""*', "line 1: * repeats nothing; leave it out"),
    "bounds that wrap around": ('root ::= "a"{18446744073709551615}', "line 1: the bounds {184467440737095516"),
    "a bound that is forgotten": ('root ::= "a"{0,3000}', "line 1: llama.cpp forgets or refuses bounds of 2,000"),
    "copies": ('root ::= "a"\nb ::= ("a"{0,50} "y"){0,100}', "line 2: llama.cpp refuses {0,100} where it makes"),
    "copies in a row": ('root ::= "a"{1000}{1000}', "line 1: llama.cpp refuses {1000} where it makes 2,000"),
    "elements": ("root ::= " + " ".join(['"' + "a" * 1000 + '"{1999}'] * 3), "line 1: the grammar has over 5,000,000"),
    "a chain of rules": (chain(4_000), "leads through a chain of over 3,000 rules"),
    "alternatives": (
        "root ::= " + " | ".join(f'"{i}"' for i in range(12_000)),
        "rule root: goes on in over 10,000 ways",
    ),
    "a surrogate": ('root ::= "a" [\\uD800]', "rule root: has a part that no text matches; leave it out"),
    "a character that no token has": ('root ::= "a" "\\x00"', "rule root: has a part that no text matches"),
    "a class of that character": ("root ::= [\\x00]", "rule root: has a part that no text matches"),
    "no end": ('root ::= "a" b\nb ::= "b" b', "matches no text that ends, because it always needs itself again"),
    "a class without characters": ("root ::= []", "line 1: the class [] has no characters"),
    "two rules of one name": ('root ::= "a"\nroot ::= "b"', "line 2, rule root: is defined in line 1 already"),
    "U+0000 as it is": ('root ::= "a\0"', "the grammar holds U+0000 or a lone surrogate"),
    "a lone surrogate as it is": ('root ::= "a\ud800"', "the grammar holds U+0000 or a lone surrogate"),
    "an undefined rule": ("root ::= item", "line 1, rule item: is not defined"),
    "no root": ('start ::= "a"', "no rule has the name `root`"),
    "a token": ("root ::= <think>", "line 1: the token <think> cannot be checked against a text"),
    "a syntax error": ('root ::= "a" |\n | * ', "line 2: `*` cannot stand in column 4"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_llama_cpp_cannot_take_is_refused(name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(GrammarError) as error:
        check_gbnf(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "member"),
    [
        ('root ::= ("a"?)*', "aaa"),
        ('root ::= (n m)+\nn ::= "a"?\nm ::= "b"*', "abba"),
        ('root ::= ("a" | "b"){0,1999}', "ab"),
        ('root ::= "a"{40}{45}', "a" * 1800),
        ('root ::= a b (a b){0,900}\na ::= "a"\nb ::= "b"', "abab"),
        ("root ::= " + "(" * 200 + '"a"' + ")" * 200, "a"),
        (chain(1000), "a"),
        ("root ::= [^a] .", "xa"),
        ("root ::= [\\x00-\\x01]", "\x01"),
        ('root ::= "a"\nunused ::= "b" [\\uD800]', "a"),
        ('# a comment\nroot ::= (\n  "a" # one\n  | "b"\n)+\r\n', "ab"),
    ],
)
def test_what_llama_cpp_can_take_passes(text: str, member: str) -> None:
    check_gbnf(text)
    assert llama(text, member)


# Whatever passes loads, and means to llama.cpp what it is read as.

WORDS = ["".join(letters) for length in range(4) for letters in product(ALPHABET, repeat=length)]

_LOADER = """
import json, sys
from tests.grammar.engines import llama, llama_stacks
texts, words = json.load(sys.stdin)
# Some of them are so ambiguous that each character takes seconds: those are only loaded.
print(json.dumps([
    [word for word in words if llama(text, word)] if llama_stacks(text, "")[0] < 30 else None for text in texts
]))
"""


def random_gbnf(rng: random.Random) -> str:
    """A small GBNF text, with loops that may be empty and rules that may begin with themselves."""
    atoms = ['"a"', '"bc"', "[ab]", "[^b]"] * 2

    def choice(depth: int, names: list[str]) -> str:
        return " | ".join(sequence(depth, names) for _ in range(rng.randint(1, 3)))

    def sequence(depth: int, names: list[str]) -> str:
        return " ".join(item(depth, names) for _ in range(rng.randint(0, 3))) or '""'

    def item(depth: int, names: list[str]) -> str:
        nested = depth > 0 and rng.random() < 0.4
        atom = f"({choice(depth - 1, names)})" if nested else rng.choice([*atoms, *names])
        return atom + rng.choice(["", "", "", "", "*", "+", "?", "{2}", "{0,3}", "{1,}", "{0}"])

    return f"root ::= {choice(2, ['p', 'q'])}\np ::= {choice(2, ['p', 'q'])}\nq ::= {choice(2, [])}\n"


def test_whatever_passes_loads_and_means_the_same() -> None:
    rng = random.Random(3)
    passed = []
    for _ in range(300):
        text = random_gbnf(rng)
        try:
            check_gbnf(text)
        except GrammarError:
            continue
        passed.append(text)
    assert len(passed) > 60
    command = [sys.executable, "-c", _LOADER]
    given = json.dumps([passed, WORDS])
    child = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, cwd=CHECKOUT, check=True)
    for text, members in zip(passed, json.loads(child.stdout), strict=True):
        assert members is None or set(members) == language(from_gbnf(text), 3), text


# Grammars of our own are checked before they are printed.


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"start": alt(seq(Reference("start"), Literal("a")), Literal("b"))}, "rule start: begins with itself"),
        ({"start": Literal("a\0")}, "rule start: has a part that no text matches"),
        ({"start": ir.NOTHING}, "rule start: has a part that no text matches"),
        ({"start": seq(Literal("a"), Reference("start"))}, "rule start: matches no text that ends"),
    ],
)
def test_grammars_that_are_not_prepared(rules: dict[str, Node], message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        check_grammar(Grammar(rules))


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(grammars)
def test_prepared_grammars_pass(grammar: Grammar) -> None:
    prepared = prepare(grammar)
    if prepared.rules["start"] != ir.NOTHING:
        check_grammar(prepared)
        check_gbnf(to_gbnf(prepared))
