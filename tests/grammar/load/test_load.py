"""Lark text becomes IR: the constructs one by one, then whole grammars."""

from __future__ import annotations

import contextlib
import re
from itertools import product
from pathlib import Path

import lark
import pytest
from lark import Lark, UnexpectedInput

from slashgrammar.errors import GrammarError
from slashgrammar.grammar import ir
from slashgrammar.grammar.convert import compile_lark
from slashgrammar.grammar.files import grammar_path, grammar_text
from slashgrammar.grammar.load import lark_warnings, load_file, load_lark
from slashgrammar.grammar.load.loader import loader
from tests.grammar.naive import accepts_grammar
from tests.grammar.random_grammars import language


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
        ("start: (", "g.lark, line 1: a bracket is not closed"),
        ("\nstart: 'a'", "g.lark, line 2: this cannot stand here; texts stand in double quotes"),
        ("start: B\nX:(XX{\n", "g.lark, line 2: this cannot stand here"),
        ("start: nowhere", "g.lark, line 1, rule start: nowhere is used and not defined"),
        ("other: X\nX: /x/", "g.lark: there is no rule 'start' to start from; there are: other"),
        ("start{x}: x\n", "g.lark: 'start' is a template, which cannot be a start rule"),
        ("start:\n  | /(a)\\1/", "g.lark, line 2, rule start: /(a)\\1/: a back reference to a group is not regular"),
        ("start: X\nX: Y\nY: /(/", "g.lark, line 3, rule Y: /(/: not a regular expression of Python: missing ), "),
        ("start: X\n%declare X", "g.lark, line 2, rule start: X is only declared (%declare)"),
        ('start: "a"~3..2', "g.lark, line 1, rule start: a repetition cannot be ~3..2"),
        ('start: "b".."a"', 'g.lark, line 1, rule start: "b".."a" is no range of characters'),
        ('start: "a".."zz"', 'g.lark, line 1, rule start: "a".."zz" is no range of characters'),
        ("start: X\nX: X X", "g.lark, line 2: terminal X refers to itself, which only rules may do"),
        ("%import .nowhere (x)\nstart: x", "g.lark, line 1: there is no grammar nowhere.lark to import"),
        ('start: X\nstart: "b"', "g.lark, line 2: start is defined twice; rename one, or join them with |"),
        ('start: "a"\n\n%override b: "a"', "g.lark, line 3: %override replaces what is imported, and no b is"),
        ('start: "a"\n%extend b: "a"', "g.lark, line 2: %extend adds to what is defined before, and no b is"),
        ('start: "a" )', "g.lark, line 1: this cannot stand here"),
        ("start: X -> Y", "g.lark, line 1: expected a name in lower case behind ->"),
        ("hello world", "g.lark, line 1: expected a definition: a name, a colon"),
        ("start: X\nX: a\na: X", "g.lark, line 2: rule a cannot stand in a terminal, as it does in X"),
        ("start: X\nX: Y", "g.lark, line 2: terminal Y is used in X and not defined"),
        ("start: X\nX: Y\nY: Z\nZ: X", "refers to itself, which only rules may do"),
        ('start: X\n%declare Y\nX: "x" Y', "g.lark, line 2, rule X: Y is only declared (%declare)"),
        ('start: "a"\n%ignore SPACE', "g.lark: terminal SPACE is ignored and not defined"),
        ('start: A\nA: "a" -> b', "g.lark, rule A: an alias (->) cannot stand in a terminal"),
        ("start: " + "(" * 3000 + "X" + ")" * 3000, "g.lark: the grammar is nested too deeply"),
        ("start: t\nt{x}: x", "g.lark, line 1, rule start: t is a template and needs arguments"),
        ('start: t{"a"}\nt{x,y}: x', "g.lark, line 1, rule start: t is no template of 1 parameters"),
        ('start: X\nX: t{"a"}\nt{x}: x', "a template, here t, cannot stand in a terminal"),
        ('start: t{"a"}\nt{x}: t{t{x}}', "template t needs more than 10000 instances"),
    ],
)
def test_refusals(text: str, reason: str) -> None:
    with pytest.raises(GrammarError) as error:
        load_lark(text, name="g.lark")
    assert reason in str(error.value)


def test_every_mistake_that_larks_reader_knows_has_words_of_our_own() -> None:
    for theirs, mistakes in loader.GRAMMAR_ERRORS:
        for mistake in mistakes:
            with pytest.raises(GrammarError) as error:
                load_lark(f'start: "a"\n{mistake}', name="g.lark")
            message = str(error.value)
            assert message.startswith("g.lark, line ")
            assert theirs not in message


def test_a_mistake_in_what_is_imported_is_told_of_there(tmp_path: Path) -> None:
    (tmp_path / "other.lark").write_text('\nx: "a\n')
    for mistake in ('x: "a', "x: (", "x y", 'x: "a" )'):
        (tmp_path / "other.lark").write_text(f"\n{mistake}\n")
        with pytest.raises(GrammarError, match=r"other.lark, line [23]: ") as error:
            load_lark("%import .other (x)\nstart: x", import_paths=[tmp_path])
        assert error.value.source in ("", mistake)


@pytest.mark.parametrize("text", ["start: start", '# never\n?start: "a" start', "start: a\na: start a"])
def test_a_grammar_of_no_text(text: str) -> None:
    line = text.split("\n").index(next(line for line in text.split("\n") if "start:" in line)) + 1
    with pytest.raises(GrammarError, match=f"g.lark, line {line}, rule start: no text matches it"):
        compile_lark(text, name="g.lark")


@pytest.mark.parametrize("content", [None, b"start: /\xff/"])
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "g.lark"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(GrammarError, match=r"g\.lark: the file cannot be read"):
        load_file(path)


def test_no_rule_to_start_from() -> None:
    with pytest.raises(GrammarError, match="no rule to start from; name one in `start`"):
        load_lark('start: "a"', start=[])


def test_grammars_that_import_each_other(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.lark").write_text(f"%import .{other} ({other}_x)\n{name}_x: {other}_x\n")
    with pytest.raises(GrammarError, match="do grammars import each other"):
        load_lark("%import .a (a_x)\nstart: a_x\n", import_paths=[tmp_path])


def test_what_is_refused_does_not_harm_what_does_not_reach_it() -> None:
    text = "start: DECLARED good\n%declare DECLARED\ngood: OK\nOK: /x/\n"
    assert load_lark(text, start="good").rules == {"good": ir.Reference("OK"), "OK": ir.Literal("x")}


def test_errors_name_the_imported_grammar(tmp_path: Path) -> None:
    (tmp_path / "other.lark").write_text("\n\nX: /(a)\\1/\n")
    with pytest.raises(GrammarError) as error:
        load_lark("%import .other.X\nstart: X\n", import_paths=[tmp_path])
    assert error.value.grammar == str(tmp_path / "other.lark")
    assert (error.value.rule, error.value.line) == ("X", 3)


# Grammars over a, b and c, in which whatever is ignored is made of c.
IGNORING = [
    'start: "a" "b"*\n%ignore "c"\n',
    'start: pair+\npair: "a" pair? "b"\n%ignore /c+/\n',
    'start: ["a"] "b"?\n%ignore C\nC: "c" "c"\n',
    'start: X Y\nX: "a"+\nY: "b" "c"?\n%ignore "c"\n%ignore "cc" "a"?\n',
    "start: WORD+\nWORD: /[ab]+/\n%ignore /c/\n",
    'start: start "a" | "b"\n%ignore "c"\n',
    'start: ("a" | "b")+\n%ignore /c[^b]*/\n',
    'start: ("a" | /b+/)+\n%ignore /c[^b]*/\n%ignore /bb/\n',
    'start: ("a" | "b")+\n%ignore /(ca)+/\n',
    'start: "a"+ "b"?\n%ignore "c"\n%ignore /cca?/\n',
    'start: ("a" | "b" "c")+\n%ignore /ca?/\n%ignore /c.*?b/\n',
    'start: (A | "b" "c")+\nA: /a|ca/\n%ignore /c+/\n',
    'start: "a"\n%ignore /b|bc/\n%ignore "c"\n',
    'start: twice{"a"} twice{B}\ntwice{x}: x x\nB: "b"\n%ignore "c"\n',
]


@pytest.mark.parametrize("text", IGNORING)
def test_ignored_terminals_stand_where_lark_allows_them(text: str) -> None:
    parser = Lark(text, parser="earley", lexer="dynamic_complete")
    accepted = set()
    for length in range(6):
        for letters in product("abc", repeat=length):
            with contextlib.suppress(UnexpectedInput):
                parser.parse("".join(letters))
                accepted.add("".join(letters))
    assert len(accepted) > 5
    assert language(load_lark(text), 5) == accepted


def test_names_with_something_ignored() -> None:
    grammar = load_lark('start: A "b"\nA: "a"\n%ignore " "\n')
    assert grammar.start == "text"
    ignored = ir.Reference("ignored")
    assert grammar.rules == {
        "start": ir.seq(ir.Reference("A"), ignored, B, ignored),
        "A": A,
        "ignored": ir.repeat(ir.Literal(" ")),
        "text": ir.seq(ignored, ir.Reference("start")),
    }


def test_a_large_terminal_beside_something_ignored() -> None:
    rules = load_lark('start: "a" X\nX: /x{20000}/\n%ignore " "\n').rules
    assert rules["X"] == ir.repeat(ir.Literal("x"), 20_000, 20_000)
    with pytest.raises(GrammarError, match=r"g.lark, line 2, rule X: the automaton has more than 10000 states"):
        load_lark('start: "a"\nX: /x{20000}/\n%ignore X\n', name="g.lark")


def test_a_comment_ends_with_its_line() -> None:
    text = 'start: "a" NL? "b"\nNL: /\\n/\n%ignore /#[^\\n]*/\n%ignore / +/\n'
    grammar = load_lark(text)
    members = ["ab", "a b", "a\nb", "a#b\nb", "a #\n b # c", " ab#", "a b #c"]
    assert [member for member in members if not accepts_grammar(grammar, member)] == []
    assert [other for other in ("a#b", "#ab", "a#\n\nb", "# a b", "a b #\n") if accepts_grammar(grammar, other)] == []


LOOKAROUNDS = [
    ('start: X\nX: "a" /(?!b)[a-c]/\n', {"aa", "ac"}),
    ('start: X X\nX: /a(?=b)/ "b"\n', {"abab"}),
    ('start: X\nX: /[ab]*?/ /(?<!a)(aa)*?/ "b"\n', {"b", "bb", "aab", "bbb", "abb"}),
    ('start: /(?!aa)[ab]{2}/ "c"?\n', {"ab", "ba", "bb", "abc", "bac", "bbc"}),
    ("start: /^ab$/ | X\nX: /\\bc\\b/\n", {"ab", "c"}),
]


@pytest.mark.parametrize(("text", "members"), LOOKAROUNDS)
def test_lookarounds_inside_a_terminal_are_exact(text: str, members: set[str]) -> None:
    assert language(load_lark(text), 4 if "X X" in text else 3) == members


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("start: X\nX: /a(?=b)/", "g.lark, line 2, rule X: "),
        ('start: "a" /(?<=a)b/', "g.lark, line 1, rule start: /(?<=a)b/: "),
    ],
)
def test_lookarounds_that_need_their_neighbours_are_refused(text: str, place: str) -> None:
    with pytest.raises(GrammarError) as error:
        load_lark(text, name="g.lark")
    assert str(error.value) == place + "a lookaround requires a certain text around the terminal"


def test_exact_keywords() -> None:
    text = 'start: "aa" WORD | WORD\nWORD: /[ab]+/\nLONG: WORD "c"\nlong: LONG\n'
    assert "aa" in language(load_lark(text), 3)
    exact = language(load_lark(text, exact_keywords=True), 4)
    assert exact == (language(load_lark(text), 4) - {"aa", "aaaa"}) | {"aaaa"}


def test_a_keyword_still_is_a_part_of_longer_terminals() -> None:
    text = 'start: "a" WORD LONG\nWORD: /[ab]/\nLONG: WORD "c"\n'
    assert language(load_lark(text, exact_keywords=True), 4) == {"abac", "abbc"}


def test_keywords_follow_priorities() -> None:
    text = 'start: "a" | WORD | B\nWORD.1: /[abc]/\nB.2: /b/\n'
    grammar = load_lark(text, exact_keywords=True)
    assert grammar.rules["WORD"] == ir.chars("ac")


LARKS_OWN = Path(lark.__file__).parent / "grammars"


@pytest.mark.parametrize("start", ["start", "expansions", "rule"])
def test_larks_grammar_of_itself(start: str) -> None:
    grammar = load_file(LARKS_OWN / "lark.lark", start=start)
    assert start in grammar.rules


def test_common_terminals() -> None:
    names = re.findall(r"^(_?[A-Z]\w*) *:", (LARKS_OWN / "common.lark").read_text(), re.MULTILINE)
    assert len(names) > 20
    for name in names:
        load_file(LARKS_OWN / "common.lark", start=name)
    string = load_lark("%import common.ESCAPED_STRING\nstart: ESCAPED_STRING\n")
    for text, member in (
        ('""', True),
        (r'"\""', True),
        (r'"\\"', True),
        (r'"\"', False),
        ('"', False),
        ('"\n"', False),
    ):
        assert accepts_grammar(string, text) is member


def test_python_but_for_its_indentation() -> None:
    path = LARKS_OWN / "python.lark"
    for start in ("file_input", "funcdef"):
        with pytest.raises(GrammarError) as error:
            load_file(path, start=start)
        assert error.value.rule == "suite"
        assert "_INDENT is only declared (%declare)" in str(error.value)
        assert path.read_text().splitlines()[(error.value.line or 0) - 1].startswith("%declare")
    assert len(load_file(path, start="test").rules) > 80


@pytest.mark.parametrize("name", ["slash", "generation"])
def test_packaged_grammars_are_loaded_once(name: str) -> None:
    text, paths = grammar_text(name), [grammar_path()]
    assert load_file(name) is load_file(f"{name}") == load_lark(text, import_paths=paths)


@pytest.mark.parametrize(
    "text",
    [
        "start: " + "(" * 5_000 + '"a"' + ")" * 5_000,
        "start: " + "[" * 5_000 + '"a"' + "]" * 5_000,
        "start: X\nX: /" + "(" * 5_000 + "a" + ")" * 5_000 + "/",
        "start: X\n" + "".join(f"X{i if i else ''}: X{i + 1} X{i + 1}\n" for i in range(40)) + "X40: /(?:)/",
        'start: "a"~' + "9" * 5_000,
        "start: /(?=a{9999999})b/",
        'start: "\\x"',
        'start: "\\N{nothing}"',
        "start: /\\",
        "%import",
        "%extend start: a",
        "\0",
        "start: \ud800",
    ],
)
def test_hostile_grammars_end_in_an_error_or_in_a_grammar(text: str) -> None:
    with contextlib.suppress(GrammarError):
        load_lark(text)
        lark_warnings(text)
