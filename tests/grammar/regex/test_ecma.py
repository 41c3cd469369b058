"""Patterns of ECMA-262, as JSON Schema uses them: unanchored, code points, ASCII shorthands."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from slashgrammar.errors import GrammarError
from slashgrammar.grammar import ir
from slashgrammar.grammar.regex.ecma import ecma_to_ir, parse_ecma
from slashgrammar.grammar.regex.lookaround import pattern_automaton
from tests.grammar.naive import accepts

LETTERS, ANYTHING = ir.CharClass(((97, 122),)), ir.repeat(ir.ANY_CHAR)


@pytest.mark.parametrize(
    ("pattern", "node"),
    [
        ("", ANYTHING),
        ("^$", ir.EMPTY),
        ("^abc$", ir.Literal("abc")),
        (
            "^a|b$",
            ir.alt(ir.seq(ir.Literal("a"), ANYTHING), ir.seq(ANYTHING, ir.Literal("b"))),
        ),
        ("^[a-z]{1,5000}$", ir.repeat(LETTERS, 1, 5000)),
        ("^(?:[a-z]+)?$", ir.opt(ir.repeat(LETTERS, 1))),
        ("^[^]$", ir.ANY_CHAR),
        ("^[]$", ir.NOTHING),
        ("^(?<year>[0-9]{4})$", ir.repeat(ir.CharClass(((48, 57),)), 4, 4)),
        ("^\\ud83d$", ir.NOTHING),
        ("^\\bab\\b$", ir.Literal("ab")),
    ],
)
def test_stays_readable(pattern: str, node: ir.Node) -> None:
    assert ecma_to_ir(pattern) == node


MEANINGS = [
    ("b", ["b", "abc", "\nb\n"], ["", "a", "B"]),
    ("^a", ["a", "ab", "a\n"], ["ba", "\na"]),
    ("a$", ["a", "ba"], ["a\n", "ab"]),
    (r"^\d$", ["0", "9"], ["٣", "a"]),
    (r"^\w+$", ["aZ_09"], ["é", "-"]),
    (
        r"^\s$",
        [" ", "\t", "\v", "\f", "\n", "\r", "\xa0", "\ufeff", "\u2028", "\u3000"],
        ["\x85", "\x1c", "\u200b"],
    ),
    (r"^\S$", ["a", "\x85"], [" ", "\ufeff"]),
    ("^.$", ["a", "\x85", "\v", "😀"], ["\n", "\r", "\u2028", "\u2029", ""]),
    (r"^[\b]$", ["\b"], ["b"]),
    (r"^\cJ\cj\t\v\f\r\0$", ["\n\n\t\v\f\r\0"], ["JJ"]),
    (r"^\x41\u0041\u{1F600}\ud83d\ude00$", ["AA😀😀"], ["AA"]),
    ("^[😀-😂]$", ["😀", "😁"], ["😃", "\ud83d"]),
    (r"^[\w-]+$", ["a-b"], ["a b"]),
    (r"^[\d-x]+$", ["1-x"], ["a"]),
    (r"^[a\-z]+$", ["a-z"], ["b"]),
    ("^[^a-c]$", ["d", "\n"], ["a", ""]),
    (r"^\p{Lu}\p{Letter}\P{gc=L}\p{General_Category=Decimal_Number}$", ["Éé-٣"], ["éé-٣", "Ééa٣"]),
    (r"^[\p{Zs}a]+$", ["a a"], ["b"]),
    (r"^\p{ASCII}\p{LC}\P{ASCII}\p{Any}$", ["\x7fǅ\x80\U0010ffff", "aAé\n"], ["éAé\n", "aªé\n", "aAz\n", "aAé"]),
    (r"\bfoo\b", ["foo", "a foo.", "éfoo"], ["foobar", "_foo"]),
    (r"^a\B", ["ab", "a_"], ["a", "a-"]),
    (r"^\B$", [""], ["a"]),
    ("^{a}]$", ["{a}]"], ["a"]),
    (r"^\-\_\/\"$".replace(r"\_", "_"), ['-_/"'], [""]),
    ("^a{2}b{1,2}?c{1,}$", ["aabc", "aabbcc"], ["abc", "aabbbc"]),
    ("(?=.*[0-9])(?=.*[a-z])", ["a1", "1-a"], ["a", "1", ""]),
    ("^(?!.*foo).*$", ["", "fo", "bar"], ["foo", "xfoox"]),
    ("^((?!(c|C)(l|L)).)*$", ["", "xc", "lc"], ["cl", "aCl"]),
    ("(?<!a)b", ["b", "cb", "abb"], ["ab", "a"]),
    ("(?<=^a)b", ["ab", "abc"], ["b", "aab"]),
    ("^(?:a|b$)+", ["a", "b", "ab", "ac"], ["bc", ""]),
    ("foo|^bar|baz$", ["xfoox", "barx", "xbaz"], ["xbar", "bazx"]),
    ("^a$|b", ["a", "ab", "b"], ["aa"]),
    (r"^(?!\d)[\w-]\W\S\D.$", ["a-b-c", "- b-\x85"], ["1-b-c", "aab-c", "a- -c", "a-b1c", "a-b-\n"]),
    (r"(?<=[\s\d])[^\w]$", ["1-", " é", "\u3000-"], ["a-", "1a", "-"]),
    ("^(?:a|bc[^]){1,2}$", ["a", "bc\n", "abc-"], ["b", "aaa", ""]),
    ("^(?:[^]b){2,}$", ["\nbab", "abbbab"], ["ab", "abb"]),
    (r"^[\D]\_\W\.$".replace(r"\_", r"\-"), ["a-é."], ["1-é.", "a-a.", "a-éa"]),
]


@pytest.mark.parametrize(("pattern", "members", "others"), MEANINGS)
def test_meaning(pattern: str, members: list[str], others: list[str]) -> None:
    node, automaton = ecma_to_ir(pattern), pattern_automaton(parse_ecma(pattern))
    assert [text for text in members if not (accepts(node, text) and automaton.accepts(text))] == []
    assert [text for text in others if accepts(node, text) or automaton.accepts(text)] == []


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(", "a group that is not closed, at position 1"),
        ("a)", "a closing parenthesis without an opening one, at position 1"),
        ("[a", "an end where something is missing, at position 2"),
        ("a\\", "an end where something is missing"),
        ("*a", "a repetition of nothing, at position 0"),
        ("a**", "a repetition of nothing"),
        ("a{3,2}", "a repetition with its bounds in the wrong order"),
        ("[z-a]", "a range with its bounds in the wrong order"),
        (r"(a)\1", "a back reference, which is not regular, at position 5"),
        (r"(?<x>a)\k<x>", "a back reference"),
        (r"\Aabc\Z", "\\A, which means nothing in ECMA-262, at position 2"),
        ("(?i)a", "a kind of group that ECMA-262 does not have"),
        ("(?>a)", "a kind of group that ECMA-262 does not have"),
        (r"\u{110000}", "a code point above U+10FFFF"),
        (r"\u12", "an escape that does not have the hexadecimal digits it needs"),
        (r"\p{Script=Greek}", "a Unicode property other than a general category"),
        (r"\p", "a Unicode property other than a general category"),
        ("(" * 3000 + ")" * 3000, "more than 100 groups inside each other"),
        ("(?=[ab]*a[ab]{14}$)[ab]*c", "more than 3000 states"),
    ],
)
def test_refusals(pattern: str, problem: str) -> None:
    with pytest.raises(GrammarError) as error:
        ecma_to_ir(pattern)
    assert problem in str(error.value)


def test_a_hundred_groups_inside_each_other() -> None:
    assert ecma_to_ir("^" + "(" * 100 + "ab" + ")" * 100 + "$") == ir.Literal("ab")
    with pytest.raises(GrammarError, match="more than 100 groups inside each other"):
        ecma_to_ir("^" + "(" * 101 + "ab" + ")" * 101 + "$")


def patterns_in(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        for inner in value.values():
            yield from patterns_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from patterns_in(inner)


def test_every_pattern_of_real_schemas_is_exact(shared_data: Path) -> None:
    found: set[str] = set()
    with gzip.open(shared_data / "maskbench-half.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            found.update(patterns_in(json.loads(line)))
    assert len(found) > 500
    for pattern in found:
        ecma_to_ir(pattern)
