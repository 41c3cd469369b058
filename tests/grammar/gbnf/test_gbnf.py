"""GBNF that llama.cpp and XGrammar read as it is meant, and that can be read back."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from slashgrammar.errors import GrammarError
from slashgrammar.grammar import ir
from slashgrammar.grammar.gbnf import from_gbnf, to_gbnf
from slashgrammar.grammar.ir import NOTHING, Grammar, Literal, Node, Reference, alt, opt, repeat, seq
from slashgrammar.grammar.rewrite import prepare
from tests.grammar.engines import llama, llama_stacks, xgrammar
from tests.grammar.random_grammars import ALPHABET, grammars, language

WORDS = ["".join(letters) for length in range(5) for letters in product(ALPHABET, repeat=length)]
slow_is_fine = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])

A, B = Reference("a"), Reference("b")


def gbnf(*rules: Node) -> str:
    """The GBNF of rules that are called start, a, b and so on."""
    return to_gbnf(Grammar(dict(zip(["start", *"abcdefg"], rules, strict=False)))).rstrip("\n")


# What it looks like


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (Literal('a "b" \\ ]'), r'"a \"b\" \\ ]"'),
        (Literal("\t\n\r\x00\x7f\xa0"), r'"\t\n\r\x00\x7F\xA0"'),
        (Literal("é€😀"), '"é€😀"'),
        (Literal("\u200b\ufeff\U000e0001"), r'"\u200B\uFEFF\U000E0001"'),
        (Literal(""), '""'),
        (ir.chars("]-^[\\"), r"[\-[-\x5E]"),
        (ir.chars("^a"), r"[\x5Ea]"),
        (ir.chars("ab"), "[ab]"),
        (ir.chars("abcx"), "[a-cx]"),
        (~ir.chars('"\n'), r"[\x00-\t\x0B-!#-\uD7FF\uE000-\U0010FFFF]"),
        (repeat(Literal("ab"), 2), '"ab"{2,}'),
        (repeat(ir.chars("ab"), 2, 2), "[ab]{2}"),
        (repeat(seq(A, B), 0, 1), "(a b)?"),
        (repeat(alt(A, B), 1), "(a | b)+"),
        (seq(A, alt(B, Literal("x")), opt(B)), 'a (b | "x") b?'),
        (alt(seq(A, B), repeat(alt(A, seq(B, B)), 2, 5)), "a b | (a | b b){2,5}"),
    ],
)
def test_print_a_node(node: Node, expected: str) -> None:
    assert gbnf(node, Literal("aa"), Literal("bb")).splitlines()[0] == f"root ::= {expected}"


def test_rules_get_different_names_that_gbnf_has() -> None:
    names = ["start", "root", "a_b", "a-b", "a.b", "a b", "é", "9", "-", "", "A_b", "root-2"]
    grammar = Grammar({name: Literal(str(number)) for number, name in enumerate(names)})
    printed = [line.split(" ::= ")[0] for line in to_gbnf(grammar).splitlines()]
    assert len(set(printed)) == len(names)
    assert printed[:4] == ["root", "root-2", "a-b", "a-b-2"]
    assert llama(to_gbnf(grammar), "0")


def test_what_gbnf_cannot_say_is_refused() -> None:
    with pytest.raises(GrammarError, match="rule start: a part of it matches no text"):
        gbnf(ir.Sequence((Literal("a"), NOTHING)))
    with pytest.raises(GrammarError, match="lone surrogate"):
        gbnf(Literal("\ud800"))
    with pytest.raises(GrammarError, match="the rule a, which does not exist; define it"):
        gbnf(A)


# What it means


@slow_is_fine
@given(grammars)
def test_llama_and_xgrammar_agree_with_the_language(grammar: Grammar) -> None:
    prepared = prepare(grammar)
    members = language(prepared, 4)
    assume(members)
    printed = to_gbnf(prepared)
    # What is ambiguous without bound takes llama.cpp exponential time, whatever form it has.
    assume(max(llama_stacks(printed, min(members, key=len))) < 50)
    assert {word for word in WORDS if llama(printed, word)} == members
    for word in [*sorted(members)[:5], *WORDS[:5]]:
        assert xgrammar(printed, word) == (word in members)


@pytest.mark.parametrize(
    ("node", "members", "others"),
    [
        (
            Literal('\t\n\r"\\[]-^é€😀\x7f\xa0\u200b'),
            ['\t\n\r"\\[]-^é€😀\x7f\xa0\u200b'],
            ['\t\n\r"\\[]-^é€😀\x7f\xa0'],
        ),
        (ir.chars('"\\[]-^\n'), list('"\\[]-^\n'), list("_ab\t")),
        (ir.chars("^-"), list("^-"), list("_ab\t")),
        (~ir.chars('"\n'), ["a", "é", "\ud7ff", "\ue000", "😀", "\U0010ffff", "\x01"], ['"', "\n", "ab", ""]),
        (repeat(~ir.chars("é")), ["aèÉ", ""], ["é"]),
    ],
)
def test_characters(node: Node, members: list[str], others: list[str]) -> None:
    for accepts in (llama, xgrammar):
        assert [text for text in members if not accepts(gbnf(node), text)] == []
        assert [text for text in others if accepts(gbnf(node), text)] == []


# Bounds


@pytest.mark.parametrize("least", [0, 1, 1999, 2000, 2500])
@pytest.mark.parametrize("more", [0, 1, 1999, 2000, 3000, 7501, None])
def test_bounds_are_kept(least: int, more: int | None) -> None:
    printed = gbnf(repeat(ir.chars("xy"), least, None if more is None else least + more))
    # A bound that llama.cpp drops would show up as a member far above it.
    most = least + 30_000 if more is None else least + more
    for count in {0, least - 1, least, least + 1, (least + most) // 2, most - 1, most, most + 1, 2 * most + 1}:
        if 0 <= count <= 12_000:
            assert llama(printed, "x" * count) == (least <= count <= most), count
    assert max(llama_stacks(printed, "x" * 2500)) <= 4


@pytest.mark.parametrize(
    "node",
    [
        repeat(seq(repeat(ir.chars("x"), 0, 50), Literal("y")), 0, 100),
        repeat(repeat(seq(repeat(ir.chars("x"), 0, 50), Literal("y")), 3, 70), 1, 900),
        repeat(seq(repeat(ir.chars("x"), 0, 10_000), Literal("y")), 0, 10_000),
        repeat(alt(seq(A, repeat(B, 3, 1999)), B, repeat(A, 1, 3)), 5, 700),
        repeat(seq(*(opt(Literal(f"{number}x")) for number in range(300)), Literal("y")), 0, 9),
        repeat(repeat(repeat(seq(A, B), 2, 2), 40, 40), 40, 40),
    ],
)
def test_nested_bounds_load(node: Node) -> None:
    printed = gbnf(node, Literal("x"), Literal("xy"))
    assert not llama(printed, "?")
    assert not [bound for bound in bounds_in(printed) if bound > 1999]


def test_nested_bounds_count_exactly() -> None:
    printed = gbnf(repeat(seq(repeat(ir.chars("x"), 0, 3000), Literal("y")), 0, 3))
    assert llama(printed, ("x" * 3000 + "y") * 3)
    assert not llama(printed, "x" * 3001 + "y")
    assert not llama(printed, "y" * 4)


def bounds_in(printed: str) -> list[int]:
    tokens = printed.replace("{", " {").split()
    return [int(bound) for token in tokens if token.startswith("{") for bound in token.strip("{})").split(",") if bound]


def test_a_bound_costs_a_few_rules() -> None:
    assert gbnf(repeat(ir.chars("xy"), 0, 10_000)) == "root ::= r1{0,99} [xy]{0,99} | r1{100}\nr1 ::= [xy]{100}"
    assert len(gbnf(repeat(ir.chars("xy"), 5, 10**9))) < 300


# Reading


@slow_is_fine
@given(grammars)
def test_what_was_printed_reads_the_same(grammar: Grammar) -> None:
    prepared = prepare(grammar)
    assume(language(prepared, 4))
    again = from_gbnf(to_gbnf(prepared))
    assert language(again, 4) == language(prepared, 4)
    assert to_gbnf(again) == to_gbnf(prepared)


_LEAVES = st.text(max_size=5).map(Literal) | st.text(max_size=5).map(lambda text: ir.character(ir.chars(text)))


@given(st.lists(_LEAVES, max_size=5).map(lambda leaves: seq(*leaves)))
def test_all_characters_read_the_same(node: Node) -> None:
    assume(node != NOTHING)
    assert from_gbnf(to_gbnf(Grammar({"start": node}))).rules["root"] == node


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ('root ::= "a" # a comment\n\n# another', Literal("a")),
        ('root ::=\n "a" |\n\n "b"', ir.chars("ab")),
        ('root ::= ("a"\n | "b"\n)\t?\r\n', opt(ir.chars("ab"))),
        ("root ::= ( # comment (\n [a] # and )\n)", Literal("a")),
        ('root::="a"[b].', seq(Literal("ab"), ir.ANY_CHAR)),
        ("root ::= [^a]", ~ir.chars("a")),
        (r"root ::= [a-] [-a] [a-c-e] [\]\[^-^]", seq(*map(ir.chars, ("a-", "-a", "abc-e", "][^")))),
        (r'root ::= "\x41\u00e9\U0001F600\"\\\[\]\-"', Literal('Aé😀"\\[]-')),
        ('root ::= "a"*{2,3}?', opt(repeat(repeat(Literal("a")), 2, 3))),
        ('root ::= "a"{ 2 , }', repeat(Literal("a"), 2)),
        ("root ::= | ()", ir.EMPTY),
        ('root ::= "a\nb" ["\n]', seq(Literal("a\nb"), ir.chars('"\n'))),
    ],
)
def test_read_a_node(text: str, node: Node) -> None:
    assert from_gbnf(text).rules["root"] == node


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('root ::= "a"\n  | "b"', "line 2: `|` cannot stand in column 3; a line break ends a rule, except after"),
        ('root ::= ("a"', "line 1: the text ends here, but a rule or a parenthesis is not complete"),
        ("root ::= a b)", "line 1: `)` cannot stand in column 13; is there a `(` for it?"),
        ('root = "a"', "line 1: `=` cannot stand in column 6; a rule is written `name ::= ...`"),
        ('root ::= "a', 'line 1: `"` cannot stand in column 10; is this text closed by a second `"`?'),
        ("root ::= [a", "line 1: `[` cannot stand in column 10; is this class closed by `]`?"),
        ('root ::= "a"{x}', "line 1: `{` cannot stand in column 13; bounds follow what is repeated, and are written"),
        ('root ::= "a" my_rule', "line 1: `_` cannot stand in column 16; names consist of letters, digits and hyphens"),
        ('root ::= "a"\nb "c"', 'line 2: the line cannot end here|line 2: `"` cannot stand in column 3'),
        ('root ::= "a"\nroot ::= "b"', "line 2, rule root: is defined in line 1 already"),
        ("root ::= item", "line 1, rule item: is not defined; write `name ::= ...`, or put it in quotes"),
        ('start ::= "a"', "no rule has the name `root`"),
        ("", "no rule has the name `root`"),
        ('root ::= "a"{3,2}', "line 1: the bounds {3,2} contradict each other; the lower one comes first"),
        ('root ::= "a"{12345678901}', "line 1: the bounds {12345678901}... are too large to be meant"),
        ("root ::= []", "line 1: the class [] has no characters"),
        ("root ::= [^]", "line 1: the class [^] has no characters"),
        ("root ::= [z-a]", "line 1: the range z-a is empty; the lower character comes first"),
        (r'root ::= "\d"', r"line 1: GBNF has no escape \d; it has \n \r"),
        (r"root ::= [\U00110000]", r"line 1: \U00110000 is over U+10FFFF, the last character of Unicode"),
        (
            "root ::= <think>",
            "line 1: the token <think> cannot be checked against a text; write the text that is meant",
        ),
    ],
)
def test_what_is_no_gbnf(text: str, message: str) -> None:
    with pytest.raises(GrammarError) as error:
        from_gbnf(text)
    assert any(part in str(error.value) for part in message.split("|line")), str(error.value)


def test_reading_hostile_texts_is_linear() -> None:
    with pytest.raises(GrammarError):
        from_gbnf('root ::= "' + "a" * 100_000)
    with pytest.raises(GrammarError):
        from_gbnf("root ::= " + "[" * 100_000)
    assert from_gbnf("root ::= " + "(" * 20_000 + '"a"' + ")" * 20_000).rules["root"] == Literal("a")
