"""`slashgrammar check`: whether texts are valid, and what is wrong where they are not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from slashgrammar.cli.choices import Dialect, DialectOption, belong_to
from slashgrammar.cli.excerpt import show_line
from slashgrammar.cli.output import INVALID, VALID, console, counted, note, show_calls, to_json, visible, write
from slashgrammar.cli.source import argument_or_stdin, load_grammar, tools_of

if TYPE_CHECKING:
    from slashgrammar.cli.judge import Judge, Verdict

_MOST_NOTES = 3


def check(
    context: typer.Context,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", show_default=False, help="The text; - reads standard input.")
    ] = None,
    tools: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="The tools: any list in JSON, or signatures."),
    ] = None,
    grammar: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="Instead of tools: any Lark grammar, from its `start`."),
    ] = None,
    jsonl: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help="A file with a text a line: a JSON string, or an object with the text as its `text`, `content` or "
            "`output`; - reads standard input.",
        ),
    ] = None,
    dialect: DialectOption = Dialect.SLASH,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object for each text.")] = False,
) -> None:
    """Check what a model wrote, and show what is wrong with it.

    Exit code 0: valid; 1: invalid; 2: there was nothing to judge.

    [bold]Examples:[/bold]

        slashgrammar check --tools tools.json '/read path="notes.md"'
        cat answer.txt | slashgrammar check --tools tools.json -
        slashgrammar check --tools tools.json --jsonl log.jsonl --json > verdicts.jsonl
        slashgrammar check --grammar arithmetic.lark "1+2*3"
    """
    if (text is None) == (jsonl is None):
        raise typer.BadParameter("give either a text, - for standard input, or --jsonl FILE")
    if grammar is not None:
        belong_to("--tools FILE", context, "dialect")
    with _judge(tools, grammar, dialect) as judge:
        if jsonl is not None:
            from slashgrammar.cli.jsonl import check_lines

            code = check_lines(judge, jsonl, as_json=json)
        else:
            code = _check_text(judge, text or "", as_json=json)
    if code:
        raise typer.Exit(code)


@contextmanager
def _judge(tools: Path | None, grammar: Path | None, dialect: Dialect) -> Iterator[Judge]:
    from slashgrammar.cli.judge import by_grammar, by_tools

    if tools is not None and grammar is None:
        with tools_of(tools) as loaded:
            yield by_tools(loaded, dialect.value)
    elif grammar is not None and tools is None:
        yield by_grammar(load_grammar(grammar))
    else:
        raise typer.BadParameter("give either --tools FILE or --grammar FILE")


def _check_text(judge: Judge, argument: str, *, as_json: bool) -> int:
    verdict = judge(argument_or_stdin(argument))
    if as_json:
        write(to_json(verdict.to_dict()))
    else:
        _show(verdict)
        for remark in verdict.notes[:_MOST_NOTES]:
            note(visible(remark, breaks=False))
        if _names_file(argument):
            note(f"this checked the words {argument!r}; to check the file: slashgrammar check … - < {argument}")
    return INVALID if verdict.problems else VALID


def _show(verdict: Verdict) -> None:
    out = console()
    if verdict.problems:
        for problem in verdict.problems:
            out.print(Text(visible(problem.message, breaks=False), "bold"))
            show_line(problem.line, problem.source, problem.column, out)
        out.print(f"invalid: {counted(len(verdict.problems), 'problem')}", style="bold red")
    elif verdict.calls is None:
        out.print("valid", style="bold green")
    else:
        show_calls(verdict.calls, out)
        found = counted(len(verdict.calls), "call") if verdict.calls else "no calls in it"
        out.print(f"valid: {found}", style="bold green")


def _names_file(argument: str) -> bool:
    try:
        return argument != "-" and Path(argument).is_file()
    except OSError:  # longer than a name may be
        return False
