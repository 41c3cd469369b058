"""Lines that are prose as they stand, and almost calls or arguments."""

from __future__ import annotations

import json
import re
from typing import Any

from slashgrammar.calls.lenient.names import Names
from slashgrammar.calls.lenient.unit import Unit
from slashgrammar.calls.lenient.values import object_at, value_at
from slashgrammar.calls.opencall import OpenCall
from slashgrammar.calls.values import FlawedValue, decode_at
from slashgrammar.grammar.keys import write_key

_KEY = r'(?:[A-Za-z_][A-Za-z0-9_.\-]*|"[^"\n]*")'
_HEAD = re.compile(r"([ \t]*)/([^\s({]+)")
_ENDS = re.compile(r"[ \t]*\r?\n")
_ARGUMENTS = re.compile(rf"[ \t]*[({{]|[ \t]+{_KEY}[ \t]*[=:]")
_ARGUMENT_LINE = re.compile(rf"[ \t]*(?:{_KEY}[ \t]*[=:]|{{)")
_LOOSE_ARGUMENT = re.compile(rf"([ \t]*)({_KEY})([ \t]*[=:][ \t]*)")
_IN_PARENTHESES = re.compile(rf"[\s,]*({_KEY})[ \t]*[=:][ \t]*")
_OPENING = re.compile(r"[ \t]*\(")
_CLOSING = re.compile(r"[\s,]*\)[ \t;]*(?=\r?\n)")
_JSON = re.compile(r'["\'“‘\[{0-9-]|[Tt]rue\b|[Ff]alse\b|[Nn]one\b|null\b')


def mend_head(unit: Unit, names: Names) -> None:
    """A head that is indented or has a slip in its name, and arguments that are not written as such behind it."""
    head = _HEAD.match(unit.text)
    meant = names.tool(head[2]) if head is not None else None
    if head is None or meant is None or not _is_call(unit, head.end(), needs_arguments=names.needs_arguments(meant)):
        return
    if head[2] != meant:
        unit.replace("name", head.start(2), head.end(), meant)
    if head[1]:
        unit.replace("indentation", 0, head.start(2) - 1, "")
    end = len("/") + len(meant)
    if _OPENING.match(unit.text, end):
        _mend_parentheses(unit, end)
    elif unit.text[end:].lstrip(" \t").startswith("{"):
        _mend_object(unit, end, len(unit.text) - len(unit.text[end:].lstrip(" \t")), " ")


def mend_argument(unit: Unit, names: Names, call: OpenCall) -> None:
    """A line below a head that is almost an argument, or an object of all arguments."""
    if unit.text.lstrip(" \t").startswith("{") and not call.arguments:
        _mend_object(unit, 0, len(unit.text) - len(unit.text.lstrip(" \t")), "\n")
        return
    loose = _LOOSE_ARGUMENT.match(unit.text)
    if loose is None or loose[3] == "=":
        return
    key = loose[2].strip('"')
    declared = names.arguments(call.name)
    if declared is None:
        if not _JSON.match(unit.text, loose.end()):
            return
    elif names.argument(call.name, key) not in declared or names.argument(call.name, key) in call.arguments:
        return
    unit.replace("colon" if ":" in loose[3] else "blanks", loose.start(3), loose.end(), "=")


def _is_call(unit: Unit, end: int, *, needs_arguments: bool) -> bool:
    """Whether what stands behind a head, or below it, makes it a call."""
    if not _ENDS.match(unit.text, end):
        return _ARGUMENTS.match(unit.text, end) is not None
    if not needs_arguments:
        return True
    return _ARGUMENT_LINE.match(next((line for line in unit.ahead() if line.strip()), "")) is not None


def _mend_parentheses(unit: Unit, end: int) -> None:
    """`/read(path="x", from=1)`."""
    opening = _OPENING.match(unit.text, end)
    assert opening is not None
    place = opening.end()
    arguments: list[str] = []
    while True:
        closing = _CLOSING.match(unit.text, place)
        if closing is not None:
            unit.trim(closing.end())
            unit.replace("parentheses", end, closing.end(), "".join(f" {argument}" for argument in arguments))
            return
        if not unit.text[place:].strip(" \t\r\n,") and unit.extend():
            continue
        key = _IN_PARENTHESES.match(unit.text, place)
        value = _value(unit, key.end()) if key is not None else None
        if key is None or value is None:
            unit.trim(0)
            return
        arguments.append(f"{key[1]}={value[0]}")
        place = value[1]


def _value(unit: Unit, start: int) -> tuple[str, int] | None:
    """A value in parentheses as JSON, and its end."""
    try:
        found = decode_at(unit.text, start)
    except FlawedValue:
        return None
    if found is not None:
        return _json(found[0]), found[1]
    meant = value_at(unit, start, stops=",)")
    return (meant.json, meant.end) if meant is not None else None


def _mend_object(unit: Unit, start: int, brace: int, separator: str) -> None:
    """`/read {"path": "x"}`, or the object below the head."""
    found = object_at(unit, brace)
    if found is None or unit.text[found[1] :].strip():
        unit.trim(0)
        return
    arguments = [f"{write_key(key)}={_json(value)}" for key, value in found[0].items()]
    before = separator if start else ""
    unit.replace("object", start, found[1], before + separator.join(arguments) if arguments else "")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
