"""`slashgrammar compile`: tools, or any Lark grammar, as a grammar for an engine."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slashgrammar.cli.choices import (
    Dialect,
    DialectOption,
    NoParallelOption,
    NoProseOption,
    ToolChoiceOption,
    belong_to,
)
from slashgrammar.cli.output import console, counted, note, to_json, visible, write
from slashgrammar.cli.source import STDIN, load_grammar, tools_of, write_file

if TYPE_CHECKING:
    from slashgrammar.grammar.compiled import CompiledGrammar
    from slashgrammar.grammar.schema import Widening


class Target(str, Enum):
    """The languages that a grammar can be written in."""

    GBNF = "gbnf"
    LARK = "lark"
    LLGUIDANCE = "llguidance"


def compile_grammar(
    context: typer.Context,
    grammar: Annotated[
        Path | None,
        typer.Argument(metavar="GRAMMAR", show_default=False, help="A Lark grammar; - reads standard input."),
    ] = None,
    tools: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="The tools: any list in JSON, or signatures."),
    ] = None,
    tool_choice: ToolChoiceOption = "auto",
    no_parallel: NoParallelOption = False,
    no_prose: NoProseOption = False,
    dialect: DialectOption = Dialect.SLASH,
    to: Annotated[
        Target, typer.Option(metavar="TARGET", help="gbnf for llama.cpp, lark, or llguidance.")
    ] = Target.GBNF,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", show_default=False, help="Where to write it.")
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="List what the tools' schemas ask for beyond what the grammar says.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Write grammar and report as one JSON object.")] = False,
) -> None:
    """Write the grammar of all messages with valid calls of some tools, or translate any Lark grammar.

    [bold]Examples:[/bold]

        slashgrammar compile --tools tools.json -o tools.gbnf
        slashgrammar compile --tools tools.json --json | jq .report
        slashgrammar compile arithmetic.lark --to llguidance
    """
    if (grammar is None) == (tools is None):
        raise typer.BadParameter("give either a Lark grammar or --tools FILE")
    if tools is not None:
        with tools_of(tools) as loaded:
            compiled = loaded.compile(
                tool_choice=tool_choice, parallel=not no_parallel, prose=not no_prose, dialect=dialect.value
            )
    else:
        belong_to("--tools FILE", context, "tool_choice", "no_parallel", "no_prose", "dialect")
        compiled = load_grammar(grammar or STDIN)
    text = _written(compiled, to)
    if json:
        text = to_json({to.value: text, "report": list(map(asdict, compiled.report))}) + "\n"
    if output is None:
        write(text)
    else:
        write_file(output, text)
    if report:
        _show_report(compiled.report)
    elif compiled.report and not json:
        note(f"the grammar is wider than the schemas in {counted(len(compiled.report), 'place')}; --report lists them")


def _written(compiled: CompiledGrammar, to: Target) -> str:
    if to is Target.GBNF:
        return compiled.gbnf
    if to is Target.LARK:
        return compiled.lark
    from slashgrammar.grammar.lark import to_llguidance

    return to_llguidance(compiled.ir)


def _show_report(report: list[Widening]) -> None:
    err = console(stderr=True)
    for widening in report:
        err.print(visible(str(widening), breaks=False))
    err.print(f"{counted(len(report), 'place')} where validation after generation checks what the grammar does not say")
