"""Fences that are out of place: around calls, indented, or meant as content of a block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from slashgrammar.calls.lenient.unit import Unit

OPENING = re.compile(r"(`{3,8})[ \t]*[^`\n]*\n")
_BARE = re.compile(r"(`{3,8})[ \t]*\r?\n")
_INDENTED = re.compile(r"([ \t]+)(`{3,8})[ \t]*[^`\n]*\n")
_ARGUMENT = re.compile(r'[ \t]*(?:[A-Za-z_][A-Za-z0-9_.\-]*|"[^"\n]*")=')


def wraps_calls(unit: Unit) -> bool:
    """Whether a fence opens here that was put around calls, and the text below calls nothing outside of fences."""
    opening = OPENING.fullmatch(unit.text)
    if opening is None:
        return False
    lines = unit.ahead()
    if not unit.is_head(next((line for line in lines if line.strip()), "")):
        return False
    fence = opening[1]
    for line in lines:
        found = OPENING.fullmatch(line)
        if fence:
            if found and found[1] == fence and _BARE.fullmatch(line):
                fence = ""
        elif found:
            fence = found[1]
        elif unit.is_head(line):
            return False
    return True


def is_closing(unit: Unit, fence: str) -> bool:
    """Whether a line is the bare fence."""
    bare = _BARE.fullmatch(unit.text)
    return bare is not None and bare[1] == fence


def is_content(unit: Unit, fence: str) -> bool:
    """Whether a fence that would close a block is content of it.

    It is where text follows directly, and below it the bare fences of its length up to the next call, but for those
    that close an inner block, are odd in number: then the last of them has no partner.
    """
    lines = unit.ahead()
    following = next(lines, "")
    if not following.strip() or _ARGUMENT.match(following) or unit.is_head(following) or OPENING.fullmatch(following):
        return False
    return sum(1 for _ in _bare_fences(lines, fence, unit)) % 2 == 1


def _bare_fences(lines: Iterator[str], fence: str, unit: Unit) -> Iterator[str]:
    inner = False
    for line in lines:
        if unit.is_head(line):
            return
        found = OPENING.fullmatch(line)
        if found is None or found[1] != fence:
            continue
        if _BARE.fullmatch(line) is None:
            inner = True
        elif inner:
            inner = False
        else:
            yield line


def mend_below_key(unit: Unit) -> bool:
    """Repair what stands below a line that ends with `key=`; False where nothing has to be, or can be."""
    start = len(unit.text)
    blank = 0
    for line in unit.ahead():
        if line.strip():
            break
        blank += len(line)
    begin = start + blank
    while len(unit.text) <= begin:
        if not unit.extend():
            unit.trim(start - 1)
            return False
    if _INDENTED.match(unit.text, begin):
        _dedent(unit, start, begin)
        return True
    unit.trim(begin)
    is_block = OPENING.match(unit.text, begin) is not None
    if (is_block and not blank) or _ARGUMENT.match(unit.text, begin):
        unit.trim(start - 1)
        return False
    if is_block:
        unit.replace("blank-line", start, begin, "")
        return True
    value = begin + len(unit.text[begin:]) - len(unit.text[begin:].lstrip(" \t"))
    unit.replace("line-break", len(unit.text[:start].rstrip()), value, "")
    return True


def _dedent(unit: Unit, start: int, begin: int) -> None:
    """Move a block that begins at `begin`, and what else stands below its key, to the beginning of the line."""
    opening = _INDENTED.match(unit.text, begin)
    assert opening is not None
    indent = len(opening[1])
    closing = re.compile(rf"^[ \t]*{opening[2]}[ \t]*\r?\n", re.MULTILINE)
    while (found := closing.search(unit.text, opening.end())) is None and unit.extend():
        continue
    unit.trim(found.start() if found is not None else len(unit.text) - 1)
    lines = unit.text[begin:].split("\n")
    moved = [line[min(indent, len(line) - len(line.lstrip(" \t"))) :] for line in lines]
    unit.replace("indentation", start, len(unit.text), "\n".join(moved))
