"""Joins the grammar of a dialect with tools: the grammar of all messages that a model may write."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.compiled import Bounds, CompiledGrammar
from slashgrammar.grammar.delimiters import DEFAULT
from slashgrammar.grammar.dialects import DIALECTS, Dialect, WrittenCall
from slashgrammar.grammar.generation import generation_rules, settled_rules
from slashgrammar.grammar.ir import EMPTY, Grammar, Node, Reference, alt, opt, seq
from slashgrammar.grammar.recent import Recent, digest
from slashgrammar.grammar.rewrite import Settled
from slashgrammar.grammar.schema import Widening
from slashgrammar.grammar.schema.document import compile_document
from slashgrammar.grammar.schema.texts import texts_among
from slashgrammar.grammar.store import Store
from slashgrammar.grammar.uncollected import uncollected

if TYPE_CHECKING:
    from slashgrammar.tools.tool import Tool
    from slashgrammar.tools.toolset import ToolSet

# By the number of their rules: some sets of a hundred tools, and the calls of some hundred tools.
_grammars: Recent[str, CompiledGrammar] = Recent(5_000, lambda grammar: len(grammar.source.rules))
_calls: Recent[str, WrittenCall] = Recent(5_000, lambda call: 1 + len(call[1]))


def compile_tools(
    tools: ToolSet,
    *,
    tool_choice: str = "auto",
    parallel: bool = True,
    prose: bool = True,
    reasoning: bool | tuple[str, str] = False,
    style: str = "lines",
    dialect: str = "slash",
    cache: str | PathLike[str] | None = None,
) -> CompiledGrammar:
    """The grammar of the messages that a model may write; `ToolSet.compile` says what the options mean.

    Grammars are kept in memory by what they are made from, and in the folder `cache` where one is given.

    Raises:
        GrammarError: options that contradict each other.
        ToolError: a schema that nothing satisfies, or that is none.
        SetupError: the folder cannot be written to.
    """
    if dialect not in DIALECTS:
        raise GrammarError(f"there is no dialect {dialect!r}; choose one of {', '.join(DIALECTS)}")
    form = DIALECTS[dialect]
    if style not in form.styles:
        known = ", ".join(form.styles)
        raise GrammarError(f"there is no style {style!r} in the dialect {dialect}; choose one of {known}")
    if tool_choice not in ("auto", "required", "none"):
        tools, tool_choice = tools.select([tool_choice]), "required"
    if tool_choice == "required" and not len(tools):
        raise GrammarError("a call is required, but there are no tools; add tools or choose tool_choice='auto'")
    if tool_choice == "none" and not prose and not reasoning:
        raise GrammarError("with neither calls nor prose nor reasoning there is nothing to write")
    parts = [[tool.name, tool.parameters] for tool in tools if tool_choice != "none"]
    key = digest(parts, tools.open_objects, tool_choice, parallel, prose, reasoning, style, dialect)

    def join() -> CompiledGrammar:
        return _join(tools, tool_choice, parallel, prose, reasoning, style, dialect)

    if cache is None:
        return _grammars.get(key, join)
    store = Store(cache)
    grammar = _grammars.get(key, lambda: store.read(key) or join())
    if key not in store:
        store.write(key, grammar)
    return grammar


def write_call(tool: Tool, *, open_objects: bool, style: str = "lines", dialect: str = "slash") -> WrittenCall:
    """The calls of one tool, as any set that has it is joined from them; kept in memory.

    Raises ToolError where the tool's schema cannot be used.
    """
    key = digest(tool.name, tool.parameters, open_objects, style, dialect)
    with uncollected():
        return _calls.get(key, lambda: DIALECTS[dialect].write_call(tool, open_objects, style))


def _join(
    tools: ToolSet,
    tool_choice: str,
    parallel: bool,
    prose: bool,
    reasoning: bool | tuple[str, str],
    style: str,
    dialect: str,
) -> CompiledGrammar:
    form = DIALECTS[dialect]
    delimiters = reasoning if isinstance(reasoning, tuple) else DEFAULT
    rules = dict(generation_rules(form, delimiters))
    report: list[Widening] = []
    calls: list[Node] = []
    for tool in tools if tool_choice != "none" else ():
        call, call_rules, widenings = write_call(tool, open_objects=tools.open_objects, style=style, dialect=dialect)
        calls.append(call)
        rules |= call_rules
        report += widenings
    rules["call"] = alt(*calls)
    if not parallel:
        rules["calls"] = Reference("call")
    rules["message"] = _message(tool_choice if calls else "none", prose=prose, reasoning=reasoning)
    settled = partial(_settled, form, delimiters, rules)
    return CompiledGrammar(Grammar(rules, "message"), report, Bounds(), form.control_tokens, dialect, settled)


def _settled(dialect: Dialect, delimiters: tuple[str, str], rules: Mapping[str, Node]) -> Settled:
    """What of the rules is prepared already."""
    return settled_rules(dialect, delimiters).extended(texts_among(rules))


def any_call_grammar() -> CompiledGrammar:
    """The grammar of messages with calls of any name and any arguments, as `grammars/slash.gbnf` has it."""
    grammar = Grammar(generation_rules(DIALECTS["slash"], DEFAULT), "auto")
    return CompiledGrammar(grammar, [], Bounds(), dialect="slash")


def compile_schema(schema: Any, *, name: str = "schema", open_objects: bool = True) -> CompiledGrammar:
    """The grammar of the JSON documents that meet a JSON Schema, for messages that are nothing else.

    Args:
        schema: the schema; `True` or `{}` for any document.
        name: what errors and the report call it.
        open_objects: as in `ToolSet`.

    Raises:
        ToolError: the schema is none, or no document meets it.
    """
    document = compile_document(schema, name=name, open_objects=open_objects)
    rules = {**generation_rules(DIALECTS["slash"], DEFAULT), **document.rules, "document": document.node}
    settled = partial(_settled, DIALECTS["slash"], DEFAULT, rules)
    return CompiledGrammar(Grammar(rules, "document"), list(document.report), Bounds(), settled=settled)


def _message(choice: str, *, prose: bool, reasoning: bool | tuple[str, str]) -> Node:
    if choice == "none":
        message = opt(Reference("prose")) if prose else EMPTY
    elif prose:
        message = Reference(choice)
    else:
        message = Reference("calls") if choice == "required" else opt(Reference("calls"))
    if not reasoning:
        return message
    is_open = isinstance(reasoning, tuple) and not reasoning[0]
    return seq(Reference("thoughts") if is_open else opt(Reference("thoughts")), message)
