"""The options for what an answer may hold, and how it is written."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class Dialect(str, Enum):
    """The formats that calls can be written in."""

    SLASH = "slash"
    HERMES = "hermes"


DialectOption = Annotated[Dialect, typer.Option(help="How calls are written: as slash commands, or as JSON in tags.")]
ToolChoiceOption = Annotated[
    str, typer.Option(metavar="CHOICE", help="auto, required, none, or the name of the tool to call.")
]
NoParallelOption = Annotated[bool, typer.Option("--no-parallel", help="Allow at most one call.")]
NoProseOption = Annotated[bool, typer.Option("--no-prose", help="Allow calls only, and no text beside them.")]


def belong_to(option: str, context: typer.Context, *names: str) -> None:
    """Refuses options that were given, but say nothing without another one."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            given = next(one for one in context.command.params if one.name == name).opts[0]
            raise typer.BadParameter(f"{given} says nothing without {option}; leave it out")
