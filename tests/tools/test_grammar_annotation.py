"""`Annotated[str, sg.Lark(…)]` and `Annotated[str, sg.Regex(…)]`, and the custom tools that mean the same."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ValidationError

import slashgrammar as sg

SUM = 'start: term ("+" term)*\nterm: /[0-9]+/ | "(" start ")"\n'
LARK = {"type": "string", "x-grammar": {"syntax": "lark", "definition": SUM}}
REGEX = {"type": "string", "x-grammar": {"syntax": "regex", "definition": "[A-Z]{3}"}}


def reckon(
    sum: Annotated[str, sg.Lark(SUM)],
    currency: Annotated[str | None, sg.Regex("[A-Z]{3}")] = None,
    terms: list[Annotated[str, sg.Lark(SUM, start="term")]] = [],  # noqa: B006
) -> str:
    """Reckons."""
    return f"{sum} {currency} {terms}"


def test_in_functions() -> None:
    tools = sg.ToolSet([reckon])
    properties = tools["reckon"].parameters["properties"]
    assert properties["sum"].items() >= LARK.items()
    assert properties["terms"]["items"] == {**LARK, "x-grammar": {**LARK["x-grammar"], "start": "term"}}  # type: ignore[dict-item]
    text = '/reckon\nsum="1+(2)"\ncurrency="EUR"\nterms=["3", "(1+2)"]'
    (call,) = tools.parse(text).calls
    assert tools.call(call) == "1+(2) EUR ['3', '(1+2)']"
    grammar = tools.compile()
    assert grammar.matches(text)
    assert grammar.matches('/reckon\nsum="1"\ncurrency=null')
    for wrong in ('/reckon\nsum="1+"', '/reckon\nsum="1"\ncurrency="EURO"', '/reckon\nsum="1"\nterms=["1+2"]'):
        assert not tools.compile(prose=False).matches(wrong)
        with pytest.raises(sg.InvalidArgument):
            tools.parse(wrong)


def test_in_models() -> None:
    class Reckon(BaseModel):
        sum: Annotated[str, sg.Lark(SUM)]

    assert sg.ToolSet([Reckon])["Reckon"].parameters["properties"]["sum"].items() >= LARK.items()
    assert Reckon(sum="1+2").sum == "1+2"
    with pytest.raises(ValidationError, match=r"\"1\+\" ends too early; expected '\(', '0' to '9' \(in term\)"):
        Reckon(sum="1+")
    with pytest.raises(ValidationError, match="valid string"):
        Reckon(sum=1)  # type: ignore[arg-type]


def test_what_is_wrong_is_told_at_once() -> None:
    with pytest.raises(sg.GrammarError, match="rule start: a is used and not defined"):
        sg.Lark("start: a")
    with pytest.raises(sg.GrammarError, match="there is no rule 'b' to start from"):
        sg.Lark('a: "x"', start="b")
    with pytest.raises(sg.GrammarError, match="missing"):
        sg.Regex("(")


FORMAT = {"type": "grammar", "syntax": "lark", "definition": SUM}
CUSTOM: dict[str, dict[str, Any]] = {
    "responses": {"type": "custom", "name": "reckon", "description": "Reckons.", "format": FORMAT},
    "chat completions": {
        "type": "custom",
        "custom": {
            "name": "reckon",
            "description": "Reckons.",
            "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": SUM}},
        },
    },
}


@pytest.mark.parametrize("entry", CUSTOM.values(), ids=CUSTOM)
def test_custom_tools(entry: dict[str, Any]) -> None:
    tools = sg.ToolSet.load([entry])
    parameters = {"type": "object", "properties": {"input": LARK}, "required": ["input"]}
    assert list(tools) == [sg.Tool("reckon", parameters, "Reckons.")]
    assert tools.compile(prose=False).matches('/reckon\ninput="1+2"')
    assert not tools.compile(prose=False).matches('/reckon\ninput="1+"')


def test_custom_tools_of_any_text() -> None:
    expected = sg.Tool("say", {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]})
    assert list(sg.ToolSet.load([{"type": "custom", "name": "say"}])) == [expected]
    assert list(sg.ToolSet([{"type": "custom", "name": "say", "format": {"type": "text"}}])) == [expected]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"type": "gbnf"}, 'expected {"type": "text"} or {"type": "grammar", …}'),
        ("text", 'expected {"type": "text"} or {"type": "grammar", …}'),
        ({"type": "grammar", "syntax": "lark"}, "`definition` is missing"),
        ({"type": "grammar", "syntax": "regex", "definition": "["}, "unterminated"),
    ],
)
def test_custom_tools_with_a_defect(form: Any, message: str) -> None:
    with pytest.raises(sg.ToolError) as error:
        sg.ToolSet.load({"tools": [{"type": "custom", "name": "say", "format": form}]})
    assert message in str(error.value)
    assert "tools[0].format" in str(error.value)
    assert "say" in str(error.value)


def test_signatures_show_regular_expressions() -> None:
    text = "reckon(sum:str, currency:str(/^[A-Z]{3}$/)|null=null, terms:Array[str]=[])->str # Reckons."
    assert sg.ToolSet([reckon])["reckon"].signature() == text
    choice = {"type": "string", "x-grammar": {"syntax": "regex", "definition": "a|b/c"}}
    assert sg.Tool("f", {"properties": {"x": choice}}).signature() == r"f(x?:str(/^(?:a|b\/c)$/))"


def test_the_prompt_shows_texts_of_the_language() -> None:
    assert '/reckon\nsum="sum"\n' in sg.ToolSet([reckon]).prompt()
    code = {"type": "string", "x-grammar": {"syntax": "regex", "definition": "[A-Z]{2}-[0-9]"}}
    tool = sg.Tool("f", {"properties": {"code": code}, "required": ["code"]})
    assert '/f\ncode="AA-0"\n' in sg.ToolSet([tool]).prompt()
    email = {"type": "string", "x-grammar": {"syntax": "regex", "definition": "[a-z]+@example.com"}}
    tool = sg.Tool("f", {"properties": {"email": email}, "required": ["email"]})
    assert '/f\nemail="maria@example.com"\n' in sg.ToolSet([tool]).prompt()
    offered = {**email, "examples": ["bob@example.com"]}
    tool = sg.Tool("f", {"properties": {"email": offered}, "required": ["email"]})
    assert '/f\nemail="bob@example.com"\n' in sg.ToolSet([tool]).prompt()
    broken = {"type": "string", "x-grammar": {"syntax": "lark", "definition": "start: a"}}
    with pytest.raises(
        sg.ToolError, match="tool 'f' at /properties/x/x-grammar: the grammar, line 1, rule start: a is"
    ):
        sg.ToolSet([sg.Tool("f", {"properties": {"x": broken}, "required": ["x"]})]).prompt()
