"""Patterns of Python's `re` become IR that accepts what `re.fullmatch` accepts."""

from __future__ import annotations

import itertools
import re
import sys

import pytest

from slashgrammar.errors import GrammarError
from slashgrammar.grammar import ir
from slashgrammar.grammar.regex import regex_to_ir
from slashgrammar.grammar.regex.unicode_classes import category, ignore_case, shorthand
from tests.grammar.naive import accepts
from tests.grammar.random_patterns import PatternSource

A, B = ir.Literal("a"), ir.Literal("b")


def disagreements(seed: int, patterns: int) -> list[tuple[str, re.RegexFlag, str]]:
    """Patterns and texts of which `re` and the IR think differently; at least a fifth of the texts are members."""
    source, members, total = PatternSource(seed), 0, 0
    wrong: list[tuple[str, re.RegexFlag, str]] = []
    refusals: list[str] = []
    for _ in range(patterns):
        pattern, flags = source.draw()
        try:
            node = regex_to_ir(pattern, flags)
        except GrammarError as error:
            refusals.append(str(error))
            continue
        for text in source.texts(pattern, flags, 50):
            expected = re.fullmatch(pattern, text, flags) is not None
            members, total = members + expected, total + 1
            if accepts(node, text) is not expected:
                wrong.append((pattern, flags, text))
    assert all("as one expression it would have more than" in refusal for refusal in refusals)
    assert len(refusals) <= patterns // 100
    assert members * 5 > total
    return wrong


def test_agrees_with_re() -> None:
    assert disagreements(seed=0, patterns=400) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_agrees_with_re_on_many_patterns(seed: int) -> None:
    assert disagreements(seed, patterns=2_000) == []


@pytest.mark.parametrize(
    ("pattern", "node"),
    [
        ("", ir.EMPTY),
        ("abc", ir.Literal("abc")),
        ("a|b|", ir.alt(ir.chars("ab"), ir.EMPTY)),
        ("(?P<x>a)(?:b)", ir.Literal("ab")),
        ("a{2,5}?", ir.repeat(A, 2, 5)),
        ("(ab)*", ir.repeat(ir.Literal("ab"))),
        ("[^ab]", ~ir.chars("ab")),
        (".", ~ir.chars("\n")),
        ("(?s:.)", ir.ANY_CHAR),
        ("(?x) a b # c", ir.Literal("ab")),
        (r"[^\s\S]", ir.NOTHING),
        (r"\ud800", ir.NOTHING),
        ("(?!)", ir.NOTHING),
        (r"\Aa\Z", A),
        ("^a$", A),
        ("^[a-z]{1,5000}$", ir.repeat(ir.CharClass(((97, 122),)), 1, 5000)),
        (r"\bab\b", ir.Literal("ab")),
        (r"a\b-\bb", ir.Literal("a-b")),
        ("a^b", ir.NOTHING),
    ],
)
def test_stays_readable(pattern: str, node: ir.Node) -> None:
    assert regex_to_ir(pattern) == node


@pytest.mark.parametrize(
    ("pattern", "members", "others"),
    [
        (r"(?=.*\d)(?=.*[a-z])[a-z0-9]{4,6}", ["abc1", "1aaa", "a2b2c2"], ["abcd", "1234", "a1", "abc1abc"]),
        (r"(?:(?!-->).)*", ["", "a->", "--", "- ->"], ["-->", "a-->b"]),
        (r"[a-z0-9-]+(?<!-)", ["a", "a-b", "-a"], ["a-", "-", ""]),
        (r'".*?(?<!\\)(\\\\)*?"', ['""', r'"a\"b"', r'"\\"'], ['"', r'"\"', "a"]),
        (r"(?<!a)b+(?!c)d?", ["b", "bbd"], ["bc", ""]),
    ],
)
def test_conditions(pattern: str, members: list[str], others: list[str]) -> None:
    node = regex_to_ir(pattern)
    assert [text for text in members if not accepts(node, text)] == []
    assert [text for text in others if accepts(node, text)] == []


POSSESSIVE = [
    "(?>a*)b",
    "a*+a|b{1,2}+b",
    "a{1,2}+b?",
    "a?+ab",
    "(?>ba{1,3})a?b",
    "a{2}+b",
    "(?>)a",
    "(?>ab)?b",
    "[ab]++",
]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="`re` has had them since Python 3.11")
@pytest.mark.parametrize("pattern", POSSESSIVE)
def test_what_was_taken_first_is_kept(pattern: str) -> None:
    node = regex_to_ir(pattern)
    for text in ("".join(chars) for size in range(7) for chars in itertools.product("ab", repeat=size)):
        assert accepts(node, text) == (re.fullmatch(pattern, text) is not None), text


@pytest.mark.skipif(sys.version_info < (3, 11), reason="`re` has had them since Python 3.11")
@pytest.mark.parametrize("pattern", ["(?>a|ab)b", "(?>a*b)", "(?:aa|b)*+", "(?:ab)?+"])
def test_what_would_be_taken_first_is_hard_to_say(pattern: str) -> None:
    with pytest.raises(GrammarError, match="atomic group or possessive repetition is supported for one character"):
        regex_to_ir(pattern)


@pytest.mark.parametrize(
    ("pattern", "flags", "reason"),
    [
        (r"(a)\1", 0, "a back reference to a group is not regular"),
        (r"(a)?(?(1)b|c)", 0, "a back reference to a group is not regular"),
        ("(", 0, "not a regular expression of Python: missing ), unterminated subpattern at position 0"),
        ("a{3,2}", 0, "not a regular expression of Python: min repeat greater than max repeat"),
        ("a", re.LOCALE, "not a regular expression of Python: cannot use LOCALE flag with a str pattern"),
        ("(?=a{20000}|b)b", 0, "more than 10000 states"),
        ("(" * 5_000 + ")" * 5_000, 0, "nested too deeply"),
        ("(?=[ab]*a[ab]{14})[ab]*", 0, "more than 3000 states"),
        (
            "".join(f"(?!.*{number})" for number in range(201)) + "a*",
            0,
            "it has 201 conditions on the text around; 200 are supported",
        ),
        ("(?=.*\\d)(?=.*[a-z])(?=.*[A-Z])[!-~]{8,64}", 0, "more than 2000 parts"),
    ],
)
def test_refusals(pattern: str, flags: int, reason: str) -> None:
    with pytest.raises(GrammarError) as error:
        regex_to_ir(pattern, flags)
    assert reason in str(error.value)


EVERY_CODE_POINT = "".join(map(chr, range(0x110000)))


def found_by_re(members: str, flags: int = 0) -> ir.CharClass:
    """The characters that a set matches, found by `re` among all that exist."""
    runs = (run.span() for run in re.finditer(f"{members}+", EVERY_CODE_POINT, flags))
    return ir.char_class((start, end - 1) for start, end in runs)


@pytest.mark.parametrize("letter", "dsw")
def test_shorthand_is_that_of_re_for_every_character(letter: str) -> None:
    assert shorthand(letter) == found_by_re(rf"\{letter}")
    assert shorthand(letter, ascii_only=True) == found_by_re(rf"\{letter}", re.ASCII)


@pytest.mark.parametrize("members", ["k", "sßµ", "İıi", "а-я", "ᾳ-ῼ", "A-Zª", "ǅ", "ﬅ", "\U00010400-\U00010427"])
def test_case_is_that_of_re_for_every_character(members: str) -> None:
    # With ASCII's cases only, `re` goes by Unicode's all the same in ranges above U+FFFF.
    for flags in (re.IGNORECASE, re.IGNORECASE | re.ASCII) if members < "\U00010000" else (re.IGNORECASE,):
        for pattern in (f"[{members}]", f"[^{members}]"):
            assert regex_to_ir(pattern, flags) == ir.character(found_by_re(pattern, flags)), (pattern, flags)


def test_every_letter_ignores_its_case() -> None:
    letters = "".join(char for char in EVERY_CODE_POINT if char.lower() != char or char.upper() != char)
    for char in letters[:: len(letters) // 150]:
        found = ir.chars(re.findall(re.escape(char), letters, re.IGNORECASE))
        assert ignore_case(ir.chars(char)) & ir.chars(letters) == found, char


def test_categories() -> None:
    assert category("Nd") == shorthand("d")
    assert "é" in category("L")
    assert "1" not in category("L")
    with pytest.raises(KeyError):
        category("Xx")
