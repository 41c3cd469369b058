"""`slashgrammar prompt`: what to tell a model about its tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slashgrammar.cli.choices import Dialect, DialectOption
from slashgrammar.cli.output import to_json, write
from slashgrammar.cli.source import tools_of


def prompt(
    tools: Annotated[Path, typer.Option(metavar="FILE", help="The tools: any list in JSON, or signatures.")],
    dialect: DialectOption = Dialect.SLASH,
    json: Annotated[bool, typer.Option("--json", help="Write it as a message of the OpenAI API.")] = False,
) -> None:
    """Print the system prompt that tells a model of the tools and the format.

    [bold]Examples:[/bold]

        slashgrammar prompt --tools tools.json
        slashgrammar prompt --tools tools.json --json
    """
    with tools_of(tools) as loaded:
        text = loaded.prompt(dialect=dialect.value)
    write(to_json({"role": "system", "content": text}) if json else text)
