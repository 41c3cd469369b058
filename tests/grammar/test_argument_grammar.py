"""Strings in a language of their own: as JSON and as code blocks in generation, checked in parsing."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import slashgrammar as sg
from slashgrammar.errors import GrammarError, InvalidArgument, ToolError
from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.grammar.compiled import CompiledGrammar
from tests.grammar.engines import llama
from tests.grammar.sampling import Sampler, mutate

CORPUS = Path(__file__).parent / "corpus"
SUM = 'start: term ("+" term)*\nterm: /[0-9]+/ | "(" start ")"\n'
LINES = 'start: line ("\\n" line)*\nline: /[a-z]+/\n'
FENCED = 'start: line ("\\n" line)*\nline: /[a-z`]*/\n'


def lark(definition: str, **others: Any) -> dict[str, Any]:
    return {"type": "string", KEYWORD: {"syntax": "lark", "definition": definition}, **others}


def regex(definition: str, **others: Any) -> dict[str, Any]:
    return {"type": "string", KEYWORD: {"syntax": "regex", "definition": definition}, **others}


def tool_set(schema: dict[str, Any]) -> sg.ToolSet:
    return sg.ToolSet([sg.Tool("f", {"type": "object", "properties": {"x": schema}, "required": ["x"]})])


def compiled(tools: sg.ToolSet) -> CompiledGrammar:
    return tools.compile(tool_choice="required", prose=False, parallel=False)


def call(value: str) -> str:
    return f"/f\nx={json.dumps(value)}"


def block(value: str, fence: str = "```") -> str:
    return f"/f\nx=\n{fence}\n{value}\n{fence}"


MEMBERSHIP = [
    (lark(SUM), ["1", "1+(2+30)", "((7))"], ["", "1+", "(1", "x", "1 +2"]),
    (lark('a: "x" b\nb: "y"*', **{KEYWORD: {"syntax": "lark", "definition": 'a: "x" b\nb: "y"*', "start": "a"}}),
     ["x", "xyy"], ["", "y", "yy"]),
    (regex(r"[a-c]{2}\d?"), ["ab", "cc7"], ["a", "abc", "xab", "ab\n"]),
    (regex(r"(?!ab)[a-c]{2}"), ["ac", "ba"], ["ab", "abc"]),
    (regex("é|\\n\"|\\\\|\x07"), ["é", '\n"', "\\", "\x07"], ["e", "\n"]),
    (regex("[a-z]*", minLength=2, maxLength=3, pattern="^a"), ["ab", "abc"], ["a", "ba", "abcd", "a1"]),
    (lark(LINES, maxLength=5, pattern="^[^x]*$"), ["a", "ab\ncd"], ["abcdef", "x", "a\nx"]),
    (lark(LINES, **{"not": {"enum": ["a", "ab"]}}), ["b", "abc"], ["a", "ab", ""]),
    ({"anyOf": [lark(SUM), {"type": "integer"}]}, ["1+2"], ["x"]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "members", "others"), MEMBERSHIP)
def test_generated_and_parsed_alike(schema: dict[str, Any], members: list[str], others: list[str]) -> None:
    tools = tool_set(schema)
    grammar = compiled(tools)
    assert grammar.report == []
    for value in members:
        assert tools.parse(call(value)).calls[0].arguments == {"x": value}
        assert grammar.matches(tools.render([sg.Call("f", {"x": value})])), value
        assert grammar.matches(call(value)), value
        assert llama(grammar.gbnf, call(value)), value
    for value in others:
        assert not grammar.matches(call(value)), value
        assert not grammar.matches(block(value)), value
        assert not llama(grammar.gbnf, call(value)), value
        with pytest.raises(InvalidArgument):
            tools.parse(call(value))


@pytest.mark.parametrize("name", ["sql", "json", "lisp", "toml", "csv"])
def test_what_may_be_generated_is_valid(name: str) -> None:
    tools = tool_set(lark((CORPUS / f"{name}.lark").read_text()))
    grammar = compiled(tools)
    assert grammar.report == []
    sampler = Sampler(grammar.ir, seed=1)
    texts = [sampler.draw(100) for _ in range(25)]
    rng = random.Random(1)
    for text in texts:
        tools.parse(text)
    for text in [*texts, *(mutate(rng.choice(texts), rng) for _ in range(25))]:
        verdict = grammar.matches(text)
        assert llama(grammar.gbnf, text) == verdict, text
        if verdict:
            tools.parse(text)


def test_texts_of_several_lines_are_blocks_as_well() -> None:
    tools = tool_set(lark(LINES))
    grammar = compiled(tools)
    assert grammar.matches(block("ab\nc"))
    assert grammar.matches(call("ab\nc"))
    assert tools.parse(block("ab\nc")).calls[0].arguments == {"x": "ab\nc"}
    assert not grammar.matches(block("ab\nc", "````"))  # no text needs a longer fence
    assert not compiled(tool_set(lark(SUM))).matches(block("1+1"))  # no text has a second line


@pytest.mark.parametrize("value", ["`a\nb", "``", "", "a\n```b", "```\n", "`````\nx", "a\n``", "\n"])
def test_fences_are_as_long_as_a_text_needs(value: str) -> None:
    tools = tool_set(lark(FENCED))
    grammar = compiled(tools)
    assert grammar.matches(tools.render([sg.Call("f", {"x": value})]))
    assert grammar.matches(call(value))
    sampler = Sampler(grammar.ir, seed=3)
    for text in sampler.draw_all(60):
        tools.parse(text)
    assert not sampler.missing(60)


def test_control_characters_are_escapes_and_never_in_a_block() -> None:
    grammar = compiled(tool_set(regex("[\x01-\n]*")))
    assert grammar.matches('/f\nx="\\u0001\\n"')
    assert grammar.matches(block("\t\n\t"))
    assert not grammar.matches(block("\x01\n"))


def test_keys_in_a_language_of_their_own() -> None:
    parameters = {"type": "object", "propertyNames": lark(SUM), "additionalProperties": {"type": "integer"}}
    tools = sg.ToolSet([sg.Tool("f", parameters)])
    grammar = compiled(tools)
    assert grammar.matches('/f\n"1+1"=2')
    assert not grammar.matches('/f\n"1+"=2')


@pytest.mark.parametrize(
    ("schema", "keywords"),
    [
        (lark(SUM, maxLength=500), ["maxLength"]),
        (lark(SUM, minLength=100, pattern="^1"), ["minLength", "pattern"]),
        ({"allOf": [lark(SUM), lark(LINES)]}, [KEYWORD]),
        ({"type": "string", "not": lark(SUM)}, [KEYWORD]),
    ],
)
def test_what_cannot_be_kept_beside_a_grammar_is_reported(schema: dict[str, Any], keywords: list[str]) -> None:
    tools = tool_set(schema)
    assert [widening.keyword for widening in compiled(tools).report] == keywords
    value = "x" if "not" in schema else "1"
    assert compiled(tools).matches(call(value))


def test_the_opposite_of_a_regular_expression() -> None:
    tools = tool_set({"type": "string", "not": regex("[a-z]*")})
    grammar = compiled(tools)
    assert grammar.report == []
    for text in ("A", "a"):
        assert grammar.matches(call(text)) is (tools.check(call(text)) == []) is (text == "A")


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        (lark(SUM), "1+*", "'*' does not fit at column 3 of \"1+*\"; expected '(', '0' to '9' (in term)"),
        (lark(SUM), "1+", "\"1+\" ends too early; expected '(', '0' to '9' (in term)"),
        (lark(LINES), "a\nbc\nD", "'D' does not fit at line 3, column 1 of the text; expected 'a' to 'z' (in line)"),
        (regex("[ab]+c"), "abd", "'d' does not fit at column 3 of \"abd\"; expected 'a' to 'c' (to match [ab]+c)"),
        (regex("a*"), "b" * 50, "'b' does not fit at column 1 of the text; expected 'a' or the end of the text (to"),
        (regex("ab"), "abc", "'c' does not fit at column 3 of \"abc\"; expected the end of the text (to match ab)"),
        (
            regex("[^\n]+,"),
            "\n",
            "'\\n' does not fit at line 1, column 1 of the text; expected any character but '\\n' (",
        ),
        ({"anyOf": [lark(SUM), {"type": "integer"}]}, "", "expected '(', '0' to '9' (in term) or a whole number"),
    ],
)
def test_errors_say_where_a_text_leaves_its_grammar(schema: dict[str, Any], value: str, message: str) -> None:
    (error,) = tool_set(schema).check(call(value))
    assert str(error).startswith("line 2, column 3, /f, argument x: ")
    assert message in str(error)
    assert message in error.feedback()


DEFECTS = [
    ("a", "expected an object of strings with `syntax` and `definition`"),
    ({"syntax": "lark", "definition": 1}, "expected an object of strings with `syntax` and `definition`"),
    ({"syntax": "lark"}, "`definition` is missing: the grammar or regular expression"),
    ({"definition": "x"}, "`syntax` is 'lark' or 'regex', not None"),
    ({"syntax": "gbnf", "definition": "x"}, "`syntax` is 'lark' or 'regex', not 'gbnf'"),
    ({"syntax": "lark", "definition": "x", "rule": "a"}, "there is no 'rule' in it; expected `syntax`"),
    ({"syntax": "regex", "definition": "x", "start": "a"}, "a regular expression has no start rule"),
    ({"syntax": "regex", "definition": "("}, "missing )"),
    ({"syntax": "regex", "definition": r"(a)\1"}, "reference"),
    ({"syntax": "lark", "definition": "start: a"}, "the grammar, line 1, rule start: a is used and not defined"),
    ({"syntax": "lark", "definition": 'a: "x"'}, "there is no rule 'start' to start from; there are: a"),
    ({"syntax": "lark", "definition": "start: X\n%declare X"}, "X is only declared"),
    ({"syntax": "lark", "definition": 'start: start "a"'}, "no text matches it"),
    ({"syntax": "regex", "definition": "[^\\s\\S]"}, "no text matches it"),
]


@pytest.mark.parametrize(("value", "message"), DEFECTS)
def test_defects(value: Any, message: str) -> None:
    with pytest.raises(GrammarError) as refused:
        ArgumentGrammar.of(value)
    assert message in str(refused.value)
    tools = tool_set({"type": "string", KEYWORD: value})
    with pytest.raises(ToolError) as error:
        compiled(tools)
    assert message in str(error.value)
    assert "f" in str(error.value)
    assert f"/properties/x/{KEYWORD}" in str(error.value)


def test_it_is_known_by_its_text() -> None:
    language = ArgumentGrammar("lark", SUM, "term")
    assert ArgumentGrammar.read(str(language)) == language == ArgumentGrammar.of(language.keyword)
    assert ArgumentGrammar.of({"syntax": "lark", "definition": SUM, "start": "start"}).keyword == {
        "syntax": "lark",
        "definition": SUM,
    }
