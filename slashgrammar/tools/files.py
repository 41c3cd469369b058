"""Tools from files and texts: lists in JSON, and signatures."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from slashgrammar.errors import SignatureError, ToolError
from slashgrammar.tools.lists import from_list
from slashgrammar.tools.signature_reader import read_signatures
from slashgrammar.tools.tool import Tool

# Strings are found to be passed over: in them these words are text.
_REFUSED = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<constant>-?Infinity|NaN)|(?P<digits>\d{4301,})', re.DOTALL)


@contextmanager
def naming_file(source: object) -> Iterator[None]:
    """Put the name of the file into each ToolError raised meanwhile, where the source of the tools is the path of one.

    Tools do not know where they come from, and many of their faults are found later than they are read.
    """
    try:
        yield
    except ToolError as error:
        raise in_file(error, source) from error.__cause__


def in_file(error: ToolError, source: object) -> ToolError:
    """The error with the name of the file, where the source of the tools is the path of one."""
    return error.of_file(str(source)) if isinstance(source, str | os.PathLike) and not _is_json(source) else error


def _is_json(source: object) -> bool:
    return isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:1] in ("[", "{")


def load_tools(source: object, skip: Callable[[ToolError], None] | None = None) -> list[Tool]:
    """The tools of a file, of a text in JSON, or of a list that has been parsed already.

    Args:
        source: a path; a text that begins with `[` or `{`; or what `from_list` takes. A file holds such a text, or
            signatures.
        skip: as `from_list` has it; a text of signatures is read as a whole.

    Raises:
        ToolError: it cannot be read, or one of its tools cannot be used.
    """
    if _is_json(source):
        return list(from_list(_parse(str(source), ""), skip=skip))
    if isinstance(source, str | os.PathLike):
        return _load_file(Path(source), skip)
    return list(from_list(source, skip=skip))


def _load_file(path: Path, skip: Callable[[ToolError], None] | None) -> list[Tool]:
    text = _read(path)
    if path.suffix.lower() == ".json" or text.lstrip()[:1] in ("[", "{"):
        return list(from_list(_parse(text, str(path)), where=f"{path}: ", skip=skip))
    try:
        return read_signatures(text)
    except SignatureError as error:
        message, place = f"neither JSON nor signatures: {error}", str(path)
        raise ToolError(message, path=place, line=error.line, column=error.column, source=error.source) from error


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ToolError(f"line {line} is not UTF-8; save the file in that encoding", path=str(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise ToolError(f"cannot read the file ({reason}); expected a list of tools", path=str(path)) from error


def _parse(text: str, where: str) -> Any:
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise _broken(error.msg, text, error.pos, where) from None
    except RecursionError:
        raise ToolError("nested too deeply; expected a list of tools", path=where) from None
    except ValueError as error:
        found = next((found for found in _REFUSED.finditer(text) if found.lastgroup), None)
        too_long = found is not None and found.lastgroup == "digits"
        problem = "a number with too many digits" if too_long else str(error)
        raise _broken(problem, text, found.start() if found else 0, where) from None


def _broken(problem: str, text: str, offset: int, where: str) -> ToolError:
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    message = f"line {line}, column {column}: broken JSON ({problem}); correct it there"
    return ToolError(message, path=where, line=line, column=column, source=text.split("\n")[line - 1])


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
