"""The option for how calls are written."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class Dialect(str, Enum):
    """The formats that calls can be written in."""

    SLASH = "slash"
    HERMES = "hermes"


DialectOption = Annotated[Dialect, typer.Option(help="How calls are written: as slash commands, or as JSON in tags.")]
