"""What a docstring says of a function and its parameters."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Documentation:
    """Attributes: description, the text before all sections; parameters, their texts by name; returns, or ""."""

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    returns: str = ""


def read_docstring(docstring: str | None) -> Documentation:
    """The parts of a docstring in the style of Google, NumPy or Sphinx; unreadable ones are description as a whole."""
    from docstring_parser import ParseError, parse

    if not docstring:
        return Documentation()
    text = inspect.cleandoc(docstring)
    try:
        parsed = parse(text)
    except ParseError:
        return Documentation(text)
    parts = (parsed.short_description, parsed.long_description)
    return Documentation(
        description="\n\n".join(part.strip() for part in parts if part),
        parameters={entry.arg_name: entry.description for entry in parsed.params if entry.description},
        returns=(parsed.returns and parsed.returns.description) or "",
    )
