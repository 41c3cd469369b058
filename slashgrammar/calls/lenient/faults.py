"""Repairs where a line of a call leaves the grammar."""

from __future__ import annotations

import re

from slashgrammar.calls.driver import Fault
from slashgrammar.calls.lenient.reader import LenientReader
from slashgrammar.calls.lenient.trial import Trial
from slashgrammar.calls.lenient.unit import Unit
from slashgrammar.calls.lenient.values import value_at

_KEY = r'(?:[A-Za-z_][A-Za-z0-9_.\-]*|"[^"\n]*")'
_BLANKS = re.compile(r"[ \t]+(?=[^ \t\r\n])")
_SPACED = re.compile(rf"({_KEY})[ \t]*=[ \t]*")
_COLON = re.compile(rf"({_KEY})[ \t]*:[ \t]*(?=[^\s/])")
_COMMA = re.compile(r"[,;]+[ \t]*")


def mend_fault(unit: Unit, trial: Trial, fault: Fault, reader: LenientReader, base: int) -> bool:
    """Rewrite what stands where the trial of a unit failed; False where nothing applies.

    Args:
        base: the offset of the unit.
    """
    if trial.in_value:
        return mend_value(unit, trial, base)
    if "KEY" in fault.acceptable and "WS" not in fault.acceptable:
        return _mend_argument(unit, trial, fault.token - base, reader, base)
    if {"WS", "EOL"} <= fault.acceptable:
        place = fault.offset - base
        comma = _COMMA.match(unit.text, place)
        if comma is not None:
            unit.replace("comma", place, comma.end(), "" if unit.text[comma.end()] in "\r\n" else " ")
            return True
        return mend_value(unit, trial, base)
    return False


def mend_value(unit: Unit, trial: Trial, base: int) -> bool:
    """Rewrite the value of the last key as what was meant by it."""
    place = -1 if trial.value_at is None else trial.value_at - base
    if place < 0:
        return False
    blanks = _BLANKS.match(unit.text, place)
    if blanks is not None:
        if _SPACED.match(unit.text, blanks.end()):
            return False
        unit.replace("blanks", place, blanks.end(), "")
        return True
    meant = value_at(unit, place)
    if meant is None or unit.text[place : meant.end] == meant.json:
        return False
    unit.replace(meant.kind, place, meant.end, meant.json)
    return True


def _mend_argument(unit: Unit, trial: Trial, place: int, reader: LenientReader, base: int) -> bool:
    """What stands where an argument should, behind a head or another argument."""
    spaced = _SPACED.match(unit.text, place)
    if spaced is not None:
        unit.replace("blanks", place, spaced.end(), f"{spaced[1]}=")
        return True
    comma = _COMMA.match(unit.text, place)
    if comma is not None and trial.ends:
        unit.replace("comma", place, comma.end(), "")
        return True
    head = -1 if trial.head_at is None else trial.head_at - base
    tool = unit.text[head + 1 :].split(None, 1)[0] if head >= 0 else None
    colon = _COLON.match(unit.text, place)
    if colon is not None and _is_declared(colon[1].strip('"'), tool, reader):
        unit.replace("colon", place, colon.end(), f"{colon[1]}=")
        return True
    if head < 0 or trial.end_behind(base + head) is not None:
        return False
    reader.prose_heads.add(base + head)
    end = unit.text.index("\n", head)
    unit.replace("prose", head, end, unit.text[head:end])
    return True


def _is_declared(key: str, tool: str | None, reader: LenientReader) -> bool:
    call = tool if tool is not None or reader.call is None else reader.call.name
    declared = reader.names.arguments(call)
    return declared is None or call is None or reader.names.argument(call, key) in declared
