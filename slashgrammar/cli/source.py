"""Texts as users hand them to the commands: as an argument, on standard input, in files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from slashgrammar.errors import SetupError, ToolError

if TYPE_CHECKING:
    from slashgrammar.grammar.compiled import CompiledGrammar
    from slashgrammar.tools import ToolSet

STDIN = Path("-")


def argument_or_stdin(argument: str) -> str:
    """The argument itself, or what stands on standard input where it is `-`.

    Raises:
        SetupError: the text is no UTF-8.
    """
    if argument == "-":
        return decode(sys.stdin.buffer.read(), name_of(STDIN))
    # Python turns each byte of an argument that is no UTF-8 into a lone surrogate.
    if any("\ud800" <= char <= "\udfff" for char in argument):
        raise SetupError("the text is not UTF-8; give it in that encoding")
    return argument


@contextmanager
def tools_of(path: Path) -> Iterator[ToolSet]:
    """The tools of a file. What turns out to be wrong with one of them while they are used names the file, too.

    Raises:
        ToolError: the file cannot be used, or holds no tools.
    """
    from slashgrammar.tools import ToolSet
    from slashgrammar.tools.files import naming_file

    with naming_file(path):
        tools = ToolSet.load(path)
        if not tools:
            raise ToolError("no tools in it; expected a list in JSON, or signatures", path=str(path))
        yield tools


def load_grammar(path: Path) -> CompiledGrammar:
    """The Lark grammar of a file, `-` for standard input; raises SetupError or GrammarError where there is none."""
    from slashgrammar.grammar.convert import compile_lark

    return compile_lark(read_file(path, "a Lark grammar"), name=name_of(path))


def read_file(path: Path, expected: str) -> str:
    """The text of a file, `-` for standard input.

    Raises:
        SetupError: it cannot be read, or it is no UTF-8; `expected` says what it should have been.
    """
    if path == STDIN:
        return decode(sys.stdin.buffer.read(), name_of(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error, expected) from error
    return decode(data, str(path))


def name_of(path: Path) -> str:
    """What messages call a file."""
    return "standard input" if path == STDIN else str(path)


def decode(data: bytes, where: str, line: int = 1) -> str:
    """UTF-8 as text; raises SetupError with the place where it is none. `line` is the number of the first line."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        raise SetupError(f"{where}, line {line}: not UTF-8; save it in that encoding") from None


def write_file(path: Path, text: str) -> None:
    """Write a whole file; raises SetupError where that cannot be."""
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
    except OSError as error:
        raise unwritable(path, error) from error


def unreadable(path: Path, error: OSError, expected: str) -> SetupError:
    """The error of a file that cannot be read."""
    return SetupError(f"{path}: cannot read the file ({error.strerror}); expected {expected}")


def unwritable(path: Path, error: OSError) -> SetupError:
    """The error of a file that cannot be written."""
    return SetupError(f"{path}: cannot write the file ({error.strerror}); choose another place")
