"""Tools from files and texts: lists in JSON, and signatures."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from slashgrammar.errors import SignatureError, ToolError
from slashgrammar.tools.lists import from_list
from slashgrammar.tools.signature_reader import read_signatures
from slashgrammar.tools.tool import Tool


def load_tools(source: object, skip: Callable[[ToolError], None] | None = None) -> list[Tool]:
    """The tools of a file, of a text in JSON, or of a list that has been parsed already.

    Args:
        source: a path; a text that begins with `[` or `{`; or what `from_list` takes. A file holds such a text, or
            signatures.
        skip: as `from_list` has it; a text of signatures is read as a whole.

    Raises:
        ToolError: it cannot be read, or one of its tools cannot be used.
    """
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:1] in ("[", "{"):
        return list(from_list(_parse(source, ""), skip=skip))
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
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        message = f"line {line}, column {column}: broken JSON ({error.msg}); correct it there"
        source = error.doc.split("\n")[line - 1]
        raise ToolError(message, path=where, line=line, column=column, source=source) from None
    except RecursionError:
        raise ToolError("nested too deeply; expected a list of tools", path=where) from None
    except ValueError as error:
        raise ToolError(f"broken JSON ({error})", path=where) from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
