"""What is wrong with a text, as errors that say where, what was expected, and which name was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

from slashgrammar.calls.driver import Fault
from slashgrammar.calls.faults import diagnose
from slashgrammar.calls.opencall import Misuse
from slashgrammar.calls.places import Places
from slashgrammar.calls.reader import Reader
from slashgrammar.calls.rules import some
from slashgrammar.errors import (
    DuplicateArgument,
    IncompleteCall,
    InvalidArgument,
    SlashSyntaxError,
    TextError,
    UnknownTool,
)
from slashgrammar.tools.nearest import nearest


def unknown_tool(places: Places, name: str, offset: int, known: Iterable[str]) -> TextError:
    """The error for a call of a tool that is not there."""
    names = list(known)
    listed = some([f"/{other}" for other in names])
    closest = nearest(name, names)
    return places.error(
        UnknownTool,
        f"there is no tool /{name}",
        offset,
        tool=name,
        expected=f"one of {listed}" if names else "no call, as no tools are known",
        nearest=f"/{closest}" if closest else None,
    )


def misuse(places: Places, error: Misuse, reader: Reader) -> TextError:
    """The error for a key that is given twice, or a value with a flaw."""
    tool, argument = _where(reader)
    kind = DuplicateArgument if error.flaw.duplicate else InvalidArgument
    path = argument + error.flaw.path
    return places.error(kind, error.flaw.problem, error.offset, tool=tool, path=path, expected=error.flaw.expected)


def syntax_error(places: Places, fault: Fault, reader: Reader) -> TextError:
    """The error for a text that leaves the grammar, or ends inside a call."""
    tool, argument = _where(reader)
    kind = IncompleteCall if tool is not None and fault.offset >= len(places.text) else SlashSyntaxError
    found = diagnose(fault, places.text, reader)
    path = argument or _argument_at(found.offset, reader)
    return places.error(kind, found.problem, found.offset, tool=tool, path=path, expected=found.expected)


def early_close(places: Places, offset: int) -> TextError:
    """The diagnosis of a value block that text follows directly, when a fence stays open later."""
    problem = (
        "this fence ends the code block, text follows directly, and a later fence has no partner: "
        "probably it was meant as content"
    )
    return places.error(SlashSyntaxError, problem, offset, expected="a longer fence around content that holds fences")


def _where(reader: Reader) -> tuple[str | None, str]:
    return (
        reader.call.name if reader.call is not None else None,
        reader.argument.name if reader.argument is not None else "",
    )


def _argument_at(offset: int, reader: Reader) -> str:
    """The argument of the open call whose value stands at a place, or ""."""
    arguments = reader.call.arguments.values() if reader.call is not None else ()
    return next((argument.name for argument in reversed(arguments) if argument.value_at == offset), "")
