"""`slashgrammar check`: whether texts are valid, and what is wrong where they are not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slashgrammar.cli.output import INVALID, console, counted, note, show_calls, to_json, write
from slashgrammar.cli.problems import show_problems
from slashgrammar.cli.source import argument_or_stdin, load_tools
from slashgrammar.cli.verdict import verdict

if TYPE_CHECKING:
    from slashgrammar.errors import TextError
    from slashgrammar.tools import ToolSet


def check(
    tools: Annotated[Path, typer.Option(metavar="FILE", help="The tools: any list in JSON, or signatures.")],
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", show_default=False, help="The text; - reads standard input.")
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
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object for each text.")] = False,
) -> None:
    """Check what a model wrote, and show what is wrong with it.

    Exit code 0: valid; 1: invalid; 2: there was nothing to judge.

    [bold]Examples:[/bold]

        slashgrammar check --tools tools.json '/read path="notes.md"'
        cat answer.txt | slashgrammar check --tools tools.json -
        slashgrammar check --tools tools.json --jsonl log.jsonl --json > verdicts.jsonl
    """
    if (text is None) == (jsonl is None):
        raise typer.BadParameter("give either a text, - for standard input, or --jsonl FILE")
    loaded = load_tools(tools)
    if jsonl is not None:
        from slashgrammar.cli.jsonl import check_lines

        code = check_lines(loaded, jsonl, as_json=json)
    else:
        code = _check_text(loaded, text or "", as_json=json)
    if code:
        raise typer.Exit(code)


def _check_text(tools: ToolSet, argument: str, *, as_json: bool) -> int:
    text = argument_or_stdin(argument)
    problems = tools.check(text)
    if as_json:
        write(to_json(verdict(tools, text, problems)))
    else:
        _show(tools, text, problems)
        if _names_file(argument):
            note(f"this checked the words {argument!r}; to check the file: slashgrammar check … - < {argument}")
    return INVALID if problems else 0


def _show(tools: ToolSet, text: str, problems: list[TextError]) -> None:
    out = console()
    if problems:
        show_problems(problems, out)
        out.print(f"invalid: {counted(len(problems), 'problem')}", style="bold red")
        return
    calls = tools.parse(text).calls
    show_calls(calls, out)
    out.print(f"valid: {counted(len(calls), 'call') if calls else 'no calls in it'}", style="bold green")


def _names_file(argument: str) -> bool:
    try:
        return argument != "-" and Path(argument).is_file()
    except OSError:  # longer than a name may be
        return False
