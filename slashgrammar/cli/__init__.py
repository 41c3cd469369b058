"""The command `slashgrammar`: one module a command.

Commands import what they need when they run, so that help comes at once. What goes wrong on purpose, a `SlashError`,
becomes one line on standard error, with the place in the file below it where there is one, and the exit code 2.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from slashgrammar.cli.check import check
from slashgrammar.cli.compile import compile_grammar
from slashgrammar.cli.demo import demo
from slashgrammar.cli.excerpt import show_line
from slashgrammar.cli.output import INTERRUPTED, UNUSABLE, console, fail
from slashgrammar.cli.prompt import prompt
from slashgrammar.cli.run import run
from slashgrammar.cli.serve import serve
from slashgrammar.errors import SlashError


class Commands(TyperGroup):
    """The commands, in the order of a first acquaintance; none ends with a traceback for what is not its fault."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()  # what cannot be written is an error of the command's, not of the interpreter's end
        except SlashError as error:
            fail(str(error))
            if error.line is not None and error.source:
                show_line(error.line, error.source, error.column, console(stderr=True))
            raise typer.Exit(UNUSABLE) from error
        except KeyboardInterrupt:
            fail("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except OSError as error:
            if error.filename is not None:  # not of the output: commands tell of files themselves
                raise
            _give_up_output()
            if not isinstance(error, BrokenPipeError):  # whoever reads has enough
                fail(f"the output cannot be written: {error.strerror or error}; write it somewhere else")
            raise typer.Exit(UNUSABLE) from None


def _give_up_output() -> None:
    """Nothing more is written to standard output, not even what is held back for it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from slashgrammar import __version__

        typer.echo(f"slashgrammar {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Tool calls as slash commands: constrain local models to valid calls, and check any text for them.

    [bold]Exit codes:[/bold]

        0    valid, or done
        1    invalid
        2    nothing could be judged or done; standard error says why
        130  interrupted

    Colours are for terminals; NO_COLOR=1 turns them off.
    """


app.command()(demo)
app.command()(run)
app.command("compile")(compile_grammar)
app.command()(check)
app.command()(prompt)
app.command()(serve)


def main() -> None:
    """The command's entry point. It writes UTF-8 wherever it runs, and what is no Unicode as an escape."""
    if sys.stdout is None:  # closed by whoever called
        fail("standard output is closed; there is nowhere to write to")
        raise SystemExit(UNUSABLE)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    app(prog_name="slashgrammar")
