"""What was meant by values that are no JSON."""

from __future__ import annotations

import ast
import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import json_repair

from slashgrammar.calls.lenient.unit import Unit
from slashgrammar.calls.values import MAX_DIGITS, decode_at, is_deep

_QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "„": "”", "‘": "’", "’": "’", "«": "»", "`": "`"}
_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})
_BRACKETS = {"[": list, "{": dict, "(": list}
_LITERALS = {"true": "true", "false": "false", "none": "null", "null": "null"}

_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_KNOWN_ESCAPE = re.compile(r"""\\(?:["'\\/bfnrt]|u[0-9a-fA-F]{4})""")
_UNFIT = re.compile(r"""\\(?:u[0-9a-fA-F]{4}|[\s\S]|\Z)|["\x00-\x1f]""")
_NUMBER = re.compile(r"[+-]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|0[xob][0-9a-fA-F_]+")
_BEHIND_QUOTE = re.compile(r"[ \t,;)]|\r?\n")
_BEHIND_LAST_QUOTE = re.compile(r"[ \t,;)]*(?:\r?\n|[A-Za-z_][A-Za-z0-9_.\-]*=)")
_NEXT_KEY = re.compile(r'[ \t,;]+(?:[A-Za-z_][A-Za-z0-9_.\-]*|"[^"\n]*")[ \t]*=')
_ARGUMENT_LINE = re.compile(r'[ \t]*(?:[A-Za-z_][A-Za-z0-9_.\-]*|"[^"\n]*")=')
_GLUED = re.compile(r"[0-9.]+[A-Za-z_]\w*=")
_PYTHON = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\b(?:True|False|None)\b|,(?=\s*[\]}])""")
_STRUCTURE = re.compile(r"""[\[\](){}"'\\\n]""")

_LONGEST_JSON = 20_000


@dataclass(frozen=True, slots=True)
class Meant:
    """A value as JSON, where what it was read from ends, and the kind of the repair."""

    json: str
    end: int
    kind: str


def value_at(unit: Unit, start: int, *, stops: str = "") -> Meant | None:
    """The value that was meant by what stands at a place, or None where that is anyone's guess.

    Args:
        unit: the text; lines are added to it where the value goes over several.
        start: where the value begins.
        stops: characters that end a bare word, beside the end of the line and the next key.
    """
    opening = unit.text[start : start + 3]
    if opening in ('"""', "'''"):
        return _quoted(unit, start, opening, opening)
    if opening[:1] in _QUOTES and not opening.startswith("``"):
        return _quoted(unit, start, opening[0], _QUOTES[opening[0]])
    if opening[:1] in _BRACKETS:
        return _bracketed(unit, start)
    return _bare(unit.text, start, stops)


def object_at(unit: Unit, start: int) -> tuple[dict[str, Any], int] | None:
    """The object that begins at a place, and its end."""
    end = _end_of_brackets(unit, start)
    value = _json_value(unit.text[start:end])
    return (value, end) if isinstance(value, dict) else None


def _quoted(unit: Unit, start: int, opening: str, closing: str) -> Meant | None:
    begin = start + len(opening)
    line_end = unit.text.index("\n", start)
    end = _closing_quote(unit.text, begin, line_end, closing, _BEHIND_QUOTE)
    if end is not None:
        return Meant(_string(unit.text[begin:end]), end + len(closing), "escape" if opening == '"' else "quotes")
    while True:
        begin_of_line = line_end + 1
        if begin_of_line == len(unit.text) and not unit.extend():
            break
        line_end = unit.text.index("\n", begin_of_line)
        end = _closing_quote(unit.text, begin_of_line, line_end, closing, _BEHIND_LAST_QUOTE)
        if end is not None:
            unit.trim(end)
            return Meant(_string(unit.text[begin:end]), end + len(closing), "line-break")
    unit.trim(start)
    if len(closing) > 1:
        return None
    content = unit.text[begin : unit.text.index("\n", start)].rstrip(" \t\r")
    end = begin + len(content)
    if content.endswith(f"\\{closing}"):
        return Meant(_string(content.removesuffix(closing)), end, "escape")
    return Meant(_string(content), end, "closing-quote") if closing not in _ESCAPE.sub("", content) else None


def _closing_quote(text: str, start: int, end: int, closing: str, behind: re.Pattern[str]) -> int | None:
    """Where the quote is closed: at the first one that is not escaped and has nothing of the value behind it."""
    place = text.find(closing, start, end)
    while place >= 0:
        backslashes = place - len(text[start:place].rstrip("\\")) - start
        if backslashes % 2 == 0 and behind.match(text, place + len(closing)):
            return place
        place = text.find(closing, place + 1, end)
    return None


def _string(content: str) -> str:
    """The content of a string as JSON.

    Its escapes stay, if JSON knows all of them. Else its backslashes stand for themselves, as in `C:\\new\\users`, but
    before a quote or another backslash.
    """
    known = all(_KNOWN_ESCAPE.fullmatch(escape) for escape in _ESCAPE.findall(content))

    def fit(found: re.Match[str]) -> str:
        text = found[0]
        if text == "\\'":
            return "'"
        if text[0] == "\\" and (known or text[1:] in ('"', "\\")):
            return text
        return json.dumps(text)[1:-1]

    return f'"{_UNFIT.sub(fit, content)}"'


def _bracketed(unit: Unit, start: int) -> Meant | None:
    end = _end_of_brackets(unit, start)
    value = _json_value(unit.text[start:end])
    return None if value is None else Meant(json.dumps(value, ensure_ascii=False), end, "json")


def _end_of_brackets(unit: Unit, start: int) -> int:
    """Where the brackets are closed; where they never are, the end of the line before the next argument or call."""
    depth, quote = 0, ""
    place = start
    while True:
        found = _STRUCTURE.search(unit.text, place)
        if found is None:
            if not unit.extend():
                break
            continue
        char, place = found[0], found.end()
        if char == "\\":
            place += 1
        elif char == "\n":
            if place == len(unit.text) and not unit.extend():
                break
            if not quote and _ARGUMENT_LINE.match(unit.text, place):
                unit.trim(place - 1)
                break
        elif quote:
            quote = "" if char == quote else quote
        elif char == '"' or (char == "'" and unit.text[place - 2] in "[{(,: \t\n"):
            quote = char
        elif char != "'":
            depth += 1 if char in _BRACKETS else -1
            if not depth:
                unit.trim(place)
                return place
    return len(unit.text.rstrip("\r\n"))


def _json_value(source: str) -> Any:
    """The list or object that was meant, or None."""
    if len(source) > _LONGEST_JSON:
        return None
    kind = _BRACKETS[source[0]]
    if source[0] == "(":
        source = f"[{source[1:].removesuffix(')')}]"
    if '"' not in source:
        source = source.translate(_STRAIGHT)
    try:
        value = _python_value(source)
        if value is None:
            value = json_repair.loads(source)
            if _words(source) != _words(json.dumps(value)):
                return None
        checked = decode_at(json.dumps(value, ensure_ascii=False), 0)
    except (ValueError, RecursionError):
        return None
    return None if not value or not isinstance(value, kind) or checked is None or is_deep(value) else value


def _python_value(source: str) -> Any:
    """The value of what is JSON but for Python's quotes and names and for commas at the end, or None.

    Raises FlawedValue as `decode_at` does.
    """

    def fit(found: re.Match[str]) -> str:
        token = found[0]
        if token[0] in "'\"":
            return _string(token[1:-1])
        return "" if token == "," else _LITERALS[token.casefold()]

    text = _PYTHON.sub(fit, source)
    found = decode_at(text, 0)
    return found[0] if found is not None and found[1] == len(text) else None


def _words(source: str) -> Counter[str]:
    """The words of a text in JSON or something like it, by which to tell whether a repair has lost any."""
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), source)
    words = Counter(word for word in re.findall(r"\w+", text) if not word[0].isdecimal())
    for literal in ("True", "False", "None", "true", "false", "null"):
        del words[literal]
    return words


def _bare(text: str, start: int, stops: str) -> Meant | None:
    end = text.index("\n", start)
    following = _NEXT_KEY.search(text, start, end)
    if following is not None:
        end = following.start()
    places = [text.find(stop, start, end) for stop in stops]
    end = min([place for place in places if place >= 0], default=end)
    word = text[start:end].rstrip(" \t\r,;")
    if not word or _GLUED.match(word):
        return None
    end = start + len(word)
    if word.casefold() in _LITERALS:
        return Meant(_LITERALS[word.casefold()], end, "literal")
    number = _number(word)
    if number is not None:
        return Meant(number, end, "literal")
    return Meant(json.dumps(word, ensure_ascii=False), end, "bare-word")


def _number(word: str) -> str | None:
    """A number of Python in JSON."""
    if len(word) > MAX_DIGITS or not _NUMBER.fullmatch(word):
        return None
    try:
        value = ast.literal_eval(word)
    except (SyntaxError, ValueError):
        return None
    return json.dumps(value) if math.isfinite(value) else None
