"""Many texts at once: a file of model outputs, one a line."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import DownloadColumn

from slashgrammar.cli.output import INVALID, UNUSABLE, VALID, console, counted, fail, to_json, visible, write
from slashgrammar.cli.progress import progress
from slashgrammar.cli.source import STDIN, decode, name_of, unreadable
from slashgrammar.errors import SetupError

if TYPE_CHECKING:
    from slashgrammar.cli.judge import Judge

_FIELDS = ("text", "content", "output")


def check_lines(judge: Judge, path: Path, *, as_json: bool) -> int:
    """Check each line of a file, tell of what is wrong, and sum up; the exit code."""
    seen: Counter[str] = Counter(valid=0, invalid=0)
    kinds: Counter[str] = Counter()
    out = console()
    for number, line in _lines(path):
        try:
            text = _text_of(line, path, number)
        except SetupError as error:
            seen["unusable"] += 1
            fail(str(error))
            continue
        verdict = judge(text)
        seen["invalid" if verdict.problems else "valid"] += 1
        kinds.update(problem.kind for problem in verdict.problems)
        if as_json:
            write(to_json({"line": number, **verdict.to_dict()}))
        else:
            for problem in verdict.problems:
                out.print(visible(f"{name_of(path)}:{number}: {problem.message}", breaks=False))
    if not seen.total():
        raise SetupError(f"{name_of(path)}: no texts in it; expected one a line, in JSON")
    _summarise(seen, kinds, as_json=as_json)
    if seen["unusable"]:
        return UNUSABLE
    return INVALID if seen["invalid"] else VALID


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, with their numbers, and a bar that shows how far along they are."""
    try:
        opened = nullcontext(sys.stdin.buffer) if path == STDIN else path.open("rb")
        size = None if path == STDIN else path.stat().st_size
    except OSError as error:
        raise unreadable(path, error, "texts in JSON, one a line") from error
    with opened as file, progress(DownloadColumn()) as bar:
        task = bar.add_task(name_of(path), total=size)
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, line
            bar.advance(task, len(line))


def _text_of(line: bytes, path: Path, number: int) -> str:
    where = f"{name_of(path)}, line {number}"
    try:
        value = json.loads(decode(line, name_of(path), number))
    except (ValueError, RecursionError) as error:  # ValueError: also a number with too many digits
        raise SetupError(f"{where}: not JSON ({error}); expected a string, or an object with a text") from None
    if isinstance(value, dict):
        value = next((value[field] for field in _FIELDS if isinstance(value.get(field), str)), None)
    if not isinstance(value, str):
        fields = ", ".join(_FIELDS)
        raise SetupError(f"{where}: no text; expected a string, or an object with one in one of {fields}")
    return value


def _summarise(seen: Counter[str], kinds: Counter[str], *, as_json: bool) -> None:
    """The numbers; beside JSON on standard error."""
    out = console(stderr=as_json)
    parts = ", ".join(f"{seen[kind]:,} {kind}" for kind in ("valid", "invalid", "unusable") if kind in seen)
    out.print(f"{counted(seen.total(), 'text')}: {parts}", style="bold")
    for kind, count in kinds.most_common():
        out.print(f"{count:>9,} {kind}")
