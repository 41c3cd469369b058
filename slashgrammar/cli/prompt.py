"""`slashgrammar prompt`: what to tell a model about its tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slashgrammar.cli.output import write
from slashgrammar.cli.source import load_tools


def prompt(
    tools: Annotated[Path, typer.Option(metavar="FILE", help="The tools: any list in JSON, or signatures.")],
) -> None:
    """Print the system prompt that tells a model of the tools and the format.

    [bold]Example:[/bold]  slashgrammar prompt --tools tools.json
    """
    write(load_tools(tools).prompt())
