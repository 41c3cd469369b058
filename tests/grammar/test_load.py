"""Lark text becomes IR: the constructs one by one, then whole grammars."""

from __future__ import annotations

from pathlib import Path

import pytest

from slashgrammar.errors import GrammarError
from slashgrammar.grammar import ir
from slashgrammar.grammar.load import load_file, load_lark


def rule(text: str, name: str = "start") -> ir.Node:
    return load_lark(text).rules[name]


A, B = ir.Literal("a"), ir.Literal("b")


@pytest.mark.parametrize(
    ("definition", "node"),
    [
        ('"a" "b"', ir.Literal("ab")),
        ('"a" | "b"', ir.chars("ab")),
        ('"a"?', ir.opt(A)),
        ('["a"]', ir.opt(A)),
        ('"a"*', ir.repeat(A)),
        ('"a"+', ir.repeat(A, 1)),
        ('"a"~3', ir.repeat(A, 3, 3)),
        ('"a"~0..3', ir.repeat(A, 0, 3)),
        ('("a" "b" | )', ir.alt(ir.Literal("ab"), ir.EMPTY)),
        ('"a" -> one\n    | "b" -> two', ir.chars("ab")),
        ('"a".."c"', ir.CharClass(((97, 99),))),
        ('"ab"i', ir.seq(ir.chars("aA"), ir.chars("bB"))),
        (r'"\"\\\n\u00e9"', ir.Literal('"\\\né')),
        (r"/a\/b/", ir.Literal("a/b")),
        ("/a.b/s", ir.seq(A, ir.ANY_CHAR, B)),
        ("/a # not this\n  b/x", ir.Literal("ab")),
        (r"/[^\s\S]/", ir.NOTHING),
    ],
)
def test_definition(definition: str, node: ir.Node) -> None:
    assert rule(f"start: {definition}\n") == node
    if "->" not in definition:
        assert rule(f"start: X\nX: {definition}\n", "X") == node


def test_modifiers_and_priorities_change_nothing() -> None:
    text = '?start.3: _inner | !kept\n_inner: X\nX.2: "a"\n!kept: "b"\n'.replace("!kept\n", "kept\n", 1)
    assert load_lark(text).rules == {
        "start": ir.alt(ir.Reference("_inner"), ir.Reference("kept")),
        "_inner": ir.Reference("X"),
        "X": A,
        "kept": B,
    }


def test_terminals_refer_to_terminals() -> None:
    rules = load_lark('start: WORD\nWORD: LETTER+\nLETTER: "a".."z"\n').rules
    assert rules["WORD"] == ir.repeat(ir.Reference("LETTER"), 1)


def test_templates_have_an_instance_for_each_list_of_arguments() -> None:
    rules = load_lark(
        'start: list{"a", COMMA} list{list{"b", ";"}, COMMA}\nlist{x, sep}: x (sep x)*\nCOMMA: ","\n'
    ).rules
    comma, inner = ir.Reference("COMMA"), ir.Reference("list_b_text")
    assert rules["list_a_COMMA"] == ir.seq(A, ir.repeat(ir.seq(comma, A)))
    assert rules["list_list_b_text_COMMA"] == ir.seq(inner, ir.repeat(ir.seq(comma, inner)))
    assert rules["list_b_text"] == ir.seq(B, ir.repeat(ir.Literal(";b")))


def test_template_as_argument_of_a_template() -> None:
    rules = load_lark('start: twice{pair, "a"}\ntwice{f, x}: f{x} f{x}\npair{x}: x x\n').rules
    assert rules["twice_pair_a"] == ir.seq(ir.Reference("pair_a"), ir.Reference("pair_a"))
    assert rules["pair_a"] == ir.Literal("aa")


def test_names_of_instances_are_unique() -> None:
    rules = load_lark('start: t{"a"} t_a t{";"} t{","}\nt{x}: x\nt_a: "b"\n').rules
    assert rules["start"] == ir.seq(*map(ir.Reference, ("t_a_2", "t_a", "t_text", "t_text_2")))


def test_imports_from_lark_and_from_files(tmp_path: Path) -> None:
    (tmp_path / "other.lark").write_text('pair: item "," item\nitem: X\nX: "x"\nunused: "u"\n')
    main = tmp_path / "main.lark"
    main.write_text('%import .other (pair, item)\n%import common.DIGIT -> D\nstart: pair D\n%extend item: "y"\n')
    rules = load_file(main).rules
    assert rules["pair"] == ir.seq(ir.Reference("item"), ir.Literal(","), ir.Reference("item"))
    assert rules["item"] == ir.alt(ir.Literal("y"), ir.Reference("other__X"))
    assert rules["D"] == ir.CharClass(((48, 57),))
    assert "unused" not in rules


def test_override(tmp_path: Path) -> None:
    (tmp_path / "other.lark").write_text('start: X\nX: "x"\n')
    rules = load_lark('%import .other (start, X)\n%override X: "y"\n', import_paths=[tmp_path]).rules
    assert rules == {"start": ir.Reference("X"), "X": ir.Literal("y")}


def test_several_starts() -> None:
    grammar = load_lark('one: "1"\ntwo: "2" three\nthree: "3"\nfour: "4"\n', start=["two", "one"])
    assert grammar.start == "two"
    assert set(grammar.rules) == {"one", "two", "three"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("start: (", "g.lark, line 1: Unclosed parenthesis"),
        ("\nstart: 'a'", "g.lark, line 2: Unexpected input"),
        ("start: nowhere", "g.lark: Rule 'nowhere' used but not defined (in rule start)"),
        ("other: X\nX: /x/", "g.lark: there is no rule 'start' to start from; there are: other"),
        ("start{x}: x\n", "g.lark: 'start' is a template, which cannot be a start rule"),
        ("start:\n  | /(a)\\1/", "g.lark, line 2, rule start: /(a)\\1/: a back reference to a group is not regular"),
        ("start: X\nX: Y\nY: /(/", "g.lark, line 3, rule Y: /(/: not a regular expression of Python: missing ), "),
        ("start: X\n%declare X", "g.lark, line 2, rule start: X is only declared (%declare)"),
        ('start: "a"~3..2', "g.lark, line 1, rule start: a repetition cannot be ~3..2"),
        ('start: "b".."a"', 'g.lark, line 1, rule start: "b".."a" is no range of characters'),
        ('start: "a".."zz"', 'g.lark, line 1, rule start: "a".."zz" is no range of characters'),
        ("start: X\nX: X X", "g.lark: Recursion in terminal 'X'"),
        ("%import .nowhere (x)\nstart: x", "g.lark: there is no grammar nowhere.lark to import"),
        ('start: t{"a"}\nt{x}: t{t{x}}', "template t needs more than 10000 instances"),
    ],
)
def test_refusals(text: str, reason: str) -> None:
    with pytest.raises(GrammarError) as error:
        load_lark(text, name="g.lark")
    assert reason in str(error.value)


def test_what_is_refused_does_not_harm_what_does_not_reach_it() -> None:
    text = "start: DECLARED good\n%declare DECLARED\ngood: OK\nOK: /x/\n"
    assert load_lark(text, start="good").rules == {"good": ir.Reference("OK"), "OK": ir.Literal("x")}


def test_errors_name_the_imported_grammar(tmp_path: Path) -> None:
    (tmp_path / "other.lark").write_text("\n\nX: /(a)\\1/\n")
    with pytest.raises(GrammarError) as error:
        load_lark("%import .other.X\nstart: X\n", import_paths=[tmp_path])
    assert error.value.grammar == str(tmp_path / "other.lark")
    assert (error.value.rule, error.value.line) == ("X", 3)
