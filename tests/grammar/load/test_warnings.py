"""Where Lark's lexers would decide otherwise, and that the warnings are true."""

from __future__ import annotations

import pytest
from lark import Lark, UnexpectedInput

from slashgrammar.grammar.load import lark_warnings, load_lark
from tests.grammar.naive import accepts_grammar


def warnings(text: str) -> list[tuple[str, tuple[str, ...], str]]:
    return [(warning.kind, warning.terminals, warning.example) for warning in lark_warnings(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('start: "a" "b"\n%ignore " "\n', []),
        ('start: WORD ("," WORD)*\nWORD: /[a-z]+/\n%ignore /[ ]+/\n', []),
        ('start: "if" "(" NAME | NAME ";"\nNAME: /[a-z]+/\n', [("keyword", ('"if"', "NAME"), "if")]),
        ('start: "if" NAME\nNAME: /[a-z]+/\n', []),
        ('start: "(" (A | B) ")"\nA: /[a-m]+/\nB: /[k-z]+/\n', [("overlap", ("A", "B"), "k")]),
        ('start: WS "a"\nWS: " "\n%ignore WS\n', [("ignored", ("WS",), "")]),
        ("start: INT INT\nINT: /[0-9]+/\n", [("longest", ("INT", "INT", "INT"), "00")]),
        (
            'start: ("<" | "<=") ("=" | "a")\n',
            [("longest", ('"<"', '"="', '"<="'), "<=")],
        ),
        ('start: "(" "a" ")"\n%ignore /#[^\\n]*/\n%ignore / +/\n', []),
        (
            'start: "/" "a"\n%ignore /\\/\\/[^\\n]*/\n',
            [("longest", ('"/"', "/\\/\\/[^\\n]*/", "/\\/\\/[^\\n]*/"), "//")],
        ),
        ('start: "x" "ab"\n%ignore /c(ab)?/\n', [("longest", ("/c(ab)?/", '"ab"', "/c(ab)?/"), "cab")]),
        ('start: "x" "ab"\n%ignore /c(a|ab)?/\n', []),
        ('start: X\nX: /"[^;]*?"/\n', [("first", ("X",), '"""')]),
        ('start: X\nX: /a|ab/ | "c"\n', [("first", ("X",), "ab")]),
        ('start: X\nX: /a|b/ "c"\n', [("first", ("X",), "ac")]),
        ('start: "(" X ")"\nX: /if\\b/\n', [("surroundings", ("X",), "")]),
        ("start: X\nX: /[?](?![a-z])/\n", [("surroundings", ("X",), "")]),
    ],
)
def test_warnings(text: str, expected: list[tuple[str, tuple[str, ...], str]]) -> None:
    assert warnings(text) == expected


def test_warnings_say_what_happens() -> None:
    text = 'start: ("if" "(" | NAME) X?\nNAME: /[a-z]+/\nX: /\\bx/\n%ignore NAME\n'
    assert [str(warning) for warning in lark_warnings(text)] == [
        "NAME is ignored and stands in rules; Lark's lexers only ever ignore it",
        "X asks something of the text around it; the compiled grammar does not",
        '"if" and NAME both match \'if\'; Lark\'s lexers take it for "if" (exact_keywords takes it from NAME)',
        "NAME and X both match 'x'; Lark's lexers take one of them wherever both can stand",
        "\"if\" can stand directly before NAME; of a text like 'ifa' Lark's lexers take more for NAME",
        "NAME can stand directly before NAME; of a text like 'if' Lark's lexers take more for \"if\"",
        "X can stand directly before NAME; of a text like 'xa' Lark's lexers take more for NAME",
    ]


@pytest.mark.parametrize(
    ("text", "member", "parser"),
    [
        ('start: "if" "(" | NAME ";"\nNAME: /[a-z]+/\n', "if;", "lalr"),
        ("start: INT INT\nINT: /[0-9]+/\n", "00", "lalr"),
        ('start: ("<" | "<=") ("=" | "a")\n', "<=", "lalr"),
        ('start: X ";"\nX: /"[^;]*?"/\n', '"a""b";', "lalr"),
        ('start: X\nX: /a|ab/ | "c"\n', "ab", "earley"),
        ('start: X\nX: /a|b/ "c"\n', "ac", "earley"),
        ('start: "(" X ")"\nX: /if(?![)])/\n', "(if)", "earley"),
        ('start: WS "a"\nWS: " "\n%ignore WS\n', " a", "lalr"),
    ],
)
def test_lark_refuses_what_is_warned_of(text: str, member: str, parser: str) -> None:
    assert lark_warnings(text)
    assert accepts_grammar(load_lark(text), member)
    with pytest.raises(UnexpectedInput):
        Lark(text, parser=parser, lexer="contextual" if parser == "lalr" else "dynamic_complete").parse(member)
