"""Where a text leaves the grammar, in words: what is wrong there, and what could have stood instead."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from slashgrammar.calls.driver import Fault
from slashgrammar.calls.modes import FENCES
from slashgrammar.calls.reader import Reader
from slashgrammar.calls.values import SURROGATE

_VALUES = frozenset({"STRING", "NUMBER", "TRUE", "FALSE", "NULL", "_BEGIN_ARRAY", "_BEGIN_OBJECT"})
_VALUE = 'a JSON value such as "text", 12, true, [1, 2] or {"k": 1}'
_BLOCK = "a code block whose fence begins a line"
_LITERALS = {"True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false", "NULL": "null"}
_ESCAPES = r"\" \\ \/ \b \f \n \r \t or \uXXXX; a backslash itself is written \\"
_SHORT_ESCAPES = {"\b": r"\b", "\f": r"\f", "\r": r"\r", "\t": r"\t"}

_WORD = re.compile(r"[^ \t\r\n]{0,41}")
_ITEM = re.compile(r"[^ \t\r\n,:\]}]{0,41}")
_BARE = re.compile(r"(?=.*[^\W\d])[^\s\"'`,;()<>\[\]{}]+")
_NEW_LINE = re.compile(r'/[A-Za-z_]|[A-Za-z_][\w.\-]*=|"[^"\n]*"=')
_NUMBER = re.compile(r"[+-]?\.?[0-9]")
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity", "undefined")
_ODD_KEY = re.compile(r'([^\s="]{1,200})=')
_SPACED_KEY = re.compile(r'([\w.\-]{1,200}|"[^"\n]{0,200}")?[ \t]*=')
_COLON_KEY = re.compile(r"[\w.\-]{1,200}[ \t]*:")
_LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What stands at a place and is wrong, what could stand there, and where that is."""

    problem: str
    expected: str
    offset: int


def diagnose(fault: Fault, text: str, reader: Reader) -> Diagnosis:
    """What a fault means that the parser met when the reader had read so much of the text."""
    if found := SURROGATE.match(text, fault.offset):
        return Diagnosis(
            f"the lone surrogate U+{ord(found[0]):04X}, which is no character", "a character", fault.offset
        )
    if fault.partial & {"STRING", "KEY"} and text[fault.token] == '"' and not _is_closed(text, fault):
        return _in_string(fault, text, reader)
    if reader.open_block is not None:
        return _in_block(fault, text, *reader.open_block)
    if fault.acceptable <= FENCES:
        return _no_block(fault, text)
    if reader.in_brackets and text[fault.offset - 1] == "\n" and _NEW_LINE.match(text, fault.offset):
        problem = f"{_found(text, fault.offset)} inside brackets that are not closed"
        return Diagnosis(problem, "']' or '}' before it", fault.offset)
    if fault.acceptable >= _VALUES:
        return _no_value(fault, text, reader)
    if reader.in_brackets:
        return _in_brackets(fault, text)
    if "KEY" in fault.acceptable:
        return _no_argument(fault, text)
    return _behind_value(fault, text)


def _is_closed(text: str, fault: Fault) -> bool:
    """Whether the key in quotes that a fault breaks off is whole but for its '='."""
    return fault.partial == {"KEY"} and fault.offset - fault.token > 1 and text[fault.offset - 1] == '"'


def _in_string(fault: Fault, text: str, reader: Reader) -> Diagnosis:
    what = "a key in quotes" if fault.partial == {"KEY"} else "a JSON string"
    char = text[fault.offset : fault.offset + 1]
    escape = text.rfind("\\", max(fault.token, fault.offset - len(r"\uXXX")), fault.offset)
    if not char:
        return Diagnosis(f"the text ends inside {what}", "its closing quote", fault.offset)
    if char == "\n":
        is_argument = fault.partial == {"STRING"} and not reader.in_brackets
        hint = "; text of several lines is written as a code block" if is_argument else ""
        return Diagnosis(f"the line ends inside {what}", f"its closing quote{hint}", fault.offset)
    if escape >= 0:
        shown = r"\u" if text[escape + 1] == "u" else text[escape : fault.offset + 1]
        return Diagnosis(f"{shown} is no escape of JSON here", f"one of {_ESCAPES}", escape)
    escaped = _SHORT_ESCAPES.get(char, f"\\u{ord(char):04x}")
    return Diagnosis(f"the control character U+{ord(char):04X} inside {what}", escaped, fault.offset)


def _in_block(fault: Fault, text: str, fence: str, fence_at: int) -> Diagnosis:
    if fault.offset >= len(text):
        line = text.count("\n", 0, fence_at) + 1
        problem = f"the text ends inside the code block that opens in line {line}"
        return Diagnosis(problem, f"a line that is exactly {fence}", fault.offset)
    if text.startswith("`", fence_at + len(fence)):
        return Diagnosis("a fence of more than 8 backticks", "a fence of 3 to 8 backticks", fence_at)
    problem = "a backtick on the line of the fence that opens a code block"
    return Diagnosis(problem, "a line with no other backtick behind the fence", fault.offset)


def _no_block(fault: Fault, text: str) -> Diagnosis:
    place = fault.token
    if place >= len(text):
        return Diagnosis("the text ends where a value should stand", f"{_VALUE}, or {_BLOCK}", place)
    if text[place] in " \t":
        return Diagnosis("an indented line below '='", _BLOCK, place)
    expected = _BLOCK if text[place] in "\r\n`" else f"{_BLOCK}; any other value stands right behind the '='"
    return Diagnosis(f"{_found(text, place)} below '='", expected, place)


def _no_value(fault: Fault, text: str, reader: Reader) -> Diagnosis:
    place = fault.token if fault.partial <= _VALUES | FENCES else fault.offset
    word = _shown((_ITEM if reader.in_brackets else _WORD).match(text, place))
    expected = _VALUE + (f", or {_BLOCK}" if FENCES & fault.acceptable else "")
    if fault.offset >= len(text):
        problem = f"the text ends behind {_quote(word)}" if word else "the text ends where a value should stand"
        return Diagnosis(problem, expected, fault.offset)
    if place and text[place - 1] in " \t" and not reader.in_brackets:
        return Diagnosis("a blank behind '='", "the value right behind the '='", place - 1)
    if word:
        return _no_word(word, place, expected)
    if text[place] in "]}" and text[:place].rstrip(" \t\r\n").endswith(","):
        return Diagnosis(f"a comma before {_found(text, place)}", "no comma there", place)
    return Diagnosis(f"{_found(text, place)} where a value should stand", expected, place)


def _no_word(word: str, place: int, expected: str) -> Diagnosis:
    problem = f"{_quote(word)} is no JSON value"
    if word in _LITERALS:
        return Diagnosis(problem, _LITERALS[word], place)
    if word[0] in "'‘’“”«»":
        return Diagnosis(problem, 'text in double quotes, "…"', place)
    if _NUMBER.match(word):
        return Diagnosis(problem, "a number such as 12, -1.5 or 2e9", place)
    if _BARE.fullmatch(word) and word not in _NO_NUMBERS:
        return Diagnosis(problem, f"text in double quotes, {_in_quotes(word)}", place)
    return Diagnosis(problem, expected, place)


def _in_brackets(fault: Fault, text: str) -> Diagnosis:
    place = fault.offset
    closing = "']'" if "_END_ARRAY" in fault.acceptable else "'}'"
    if place >= len(text):
        return Diagnosis("the text ends inside brackets", f"{closing} in the end", place)
    found = _found(text, place)
    if "_COLON" in fault.acceptable:
        return Diagnosis(f"{found} behind a key", "':' and a value", place)
    if "STRING" not in fault.acceptable:
        return Diagnosis(f"{found} behind a value", f"',' or {closing}", place)
    if text[place] == "}":
        return Diagnosis("a comma before '}'", "no comma there", place)
    word = _shown(_ITEM.match(text, place))
    example = f", {_in_quotes(word)}" if _BARE.fullmatch(word) else ""
    return Diagnosis(f"{found} where a key should stand", f"a key in double quotes{example}", place)


def _no_argument(fault: Fault, text: str) -> Diagnosis:
    place = fault.token
    found = _found(text, place)
    if fault.offset >= len(text):
        return Diagnosis(f"the text ends behind {found}", "key=value", fault.offset)
    expected = "key=value"
    if key := _ODD_KEY.match(text, place):
        expected = f"a key that is no plain word in quotes, {_in_quotes(key[1])}="
    elif _SPACED_KEY.match(text, place):
        expected = "key=value, without blanks around the '='"
    elif _COLON_KEY.match(text, place):
        expected = "'=' between key and value"
    return Diagnosis(f"{found} is no argument", expected, place)


def _behind_value(fault: Fault, text: str) -> Diagnosis:
    place = fault.offset
    if text.startswith(",", place):
        return Diagnosis("a comma behind a value", "a blank, or the end of the line, between arguments", place)
    if text[max(place - 2, 0) : place + 1] == '"""':
        expected = "one quote on either side; text of several lines is written as a code block"
        return Diagnosis("three quotes in a row", expected, place - 2)
    start = max(text.rfind(char, 0, place) for char in "= \t\n") + 1
    word = _shown(_WORD.match(text, start))
    if "=" not in word and (_NUMBER.match(word) or _BARE.fullmatch(word)):
        return _no_word(word, start, _VALUE)
    return Diagnosis(f"{_found(text, place)} directly behind a value", "a blank, or the end of the line", place)


def _found(text: str, offset: int) -> str:
    if offset >= len(text):
        return "the end of the text"
    if text[offset] == "\n":
        return "the end of the line"
    if text[offset] < " ":
        return f"the control character U+{ord(text[offset]):04X}"
    return _quote(_shown(_WORD.match(text, offset)) or text[offset])


def _quote(word: str) -> str:
    return word if "'" in word else f"'{word}'"


def _shown(found: re.Match[str] | None) -> str:
    word = found[0] if found else ""
    return word if len(word) <= _LONGEST_SHOWN else word[:_LONGEST_SHOWN] + "…"


def _in_quotes(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)
