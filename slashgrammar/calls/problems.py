"""Where a text leaves the grammar, in words: what is wrong there, and what could have stood instead."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from slashgrammar.calls.driver import Fault
from slashgrammar.calls.reader import FENCES, Misuse, Reader
from slashgrammar.errors import (
    DuplicateArgument,
    IncompleteCall,
    InvalidArgument,
    SlashSyntaxError,
    TextError,
    UnknownTool,
)
from slashgrammar.tools.nearest import nearest

_VALUES = frozenset({"STRING", "NUMBER", "TRUE", "FALSE", "NULL", "_BEGIN_ARRAY", "_BEGIN_OBJECT"})
_PHRASES = {
    "KEY": "key=value",
    "EOL": "the end of the line",
    "WS": "a blank",
    "STRING": "a JSON string",
    "_COMMA": "','",
    "_COLON": "':'",
    "_END_ARRAY": "']'",
    "_END_OBJECT": "'}'",
}
_LITERALS = {"True": "true", "False": "false", "None": "null"}


class Places:
    """Lines and columns of a text, counted from 1; only a line feed ends a line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        place = text.find("\n")
        while place >= 0:
            self._starts.append(place + 1)
            place = text.find("\n", place + 1)

    def line_start(self, offset: int) -> int:
        return self._starts[bisect_right(self._starts, offset) - 1]

    def next_line(self, offset: int) -> int:
        """Where the line behind the one of `offset` begins; the length of the text where there is none."""
        following = bisect_right(self._starts, offset)
        return self._starts[following] if following < len(self._starts) else len(self.text)

    def fields(self, offset: int) -> tuple[int, int, int, str]:
        """Offset, line, column and the text of the line."""
        offset = min(offset, len(self.text))
        start = self.line_start(offset)
        end = self.text.find("\n", offset)
        source = self.text[start : end if end >= 0 else len(self.text)]
        return offset, bisect_right(self._starts, offset), offset - start + 1, source

    def error(self, kind: type[TextError], problem: str, offset: int, **fields: str | None) -> TextError:
        """An error of this kind at a place."""
        offset, line, column, source = self.fields(offset)
        return kind(problem, offset=offset, line=line, column=column, source=source, **fields)  # type: ignore[arg-type]


def unknown_tool(places: Places, name: str, offset: int, known: Iterable[str]) -> TextError:
    """The error for a call of a tool that is not there."""
    names = list(known)
    some = ", ".join(f"/{other}" for other in names[:5]) + (", …" if len(names) > 5 else "")
    closest = nearest(name, names)
    return places.error(
        UnknownTool,
        f"there is no tool /{name}",
        offset,
        tool=name,
        expected=f"one of {some}" if names else "no call, as no tools are known",
        nearest=f"/{closest}" if closest else None,
    )


def misuse(places: Places, error: Misuse, reader: Reader) -> TextError:
    """The error for a key that is given twice, or a value with a flaw."""
    tool = reader.call.name if reader.call is not None else None
    path = (reader.argument.name if reader.argument is not None else "") + error.flaw.path
    kind = DuplicateArgument if error.flaw.duplicate else InvalidArgument
    expected = "each key once" if error.flaw.duplicate else ""
    return places.error(kind, error.flaw.problem, error.offset, tool=tool, path=path, expected=expected)


def early_close(places: Places, offset: int) -> TextError:
    """The diagnosis of a value block that ends where text follows, when a fence stays open later."""
    return places.error(
        SlashSyntaxError,
        "text follows this fence directly, and a later fence has no partner: "
        "probably a bare fence inside the value closed it too early",
        offset,
        expected="a longer fence around a value that holds fences",
    )


def syntax_error(places: Places, fault: Fault, reader: Reader) -> TextError:
    """The error for a text that leaves the grammar."""
    tool = reader.call.name if reader.call is not None else None
    path = reader.argument.name if reader.argument is not None else ""
    problem, expected = _describe(places.text, fault, reader)
    kind = SlashSyntaxError
    if fault.offset >= len(places.text) and tool is not None:
        kind = IncompleteCall
        problem = f"the text ends inside {'the value of ' + path if path else 'a call'}"
    return places.error(kind, problem, fault.offset, tool=tool, path=path, expected=expected)


def _describe(text: str, fault: Fault, reader: Reader) -> tuple[str, str]:
    found = _found(text, fault.offset)
    if fault.partial == {"STRING"}:
        return _in_string(text, fault)
    if reader.in_block_value:
        return "a code block is not closed", "a line that is exactly its fence"
    if reader.argument is not None and (_VALUES <= fault.acceptable or fault.offset >= len(text)):
        return _no_value(text, fault)
    if "KEY" in fault.acceptable and "WS" not in fault.acceptable:
        rest = text[fault.offset : text.find("\n", fault.offset) if "\n" in text[fault.offset :] else len(text)]
        hint = "; no blanks stand around '='" if rest.lstrip().startswith("=") else ""
        return f"{_found(text, fault.token)} is no argument", f"key=value{hint}"
    if {"WS", "EOL"} <= fault.acceptable:
        if text[fault.offset : fault.offset + 1] == ",":
            return "a comma behind a value", "a blank, or the end of the line, between arguments"
        if text[fault.offset - 1 : fault.offset] in (" ", "\t"):
            return f"{found} is no argument", "key=value or the end of the line"
        return f"{found} behind {'a value' if reader.call and reader.call.arguments else 'a name'}", "a blank or the end of the line"
    return f"{found} cannot stand here", _phrase(fault.acceptable | fault.partial)


def _in_string(text: str, fault: Fault) -> tuple[str, str]:
    char = text[fault.offset : fault.offset + 1]
    if not char:
        return "the text ends inside a JSON string", "a closing quote"
    if "\ud800" <= char <= "\udfff":
        return f"the lone surrogate U+{ord(char):04X}", "characters"
    if text[fault.offset - 1 : fault.offset] == "\\" or "\\u" in text[max(fault.token, fault.offset - 6) : fault.offset]:
        return f"an escape that JSON does not know, {_quote(text[text.rfind(chr(92), 0, fault.offset) : fault.offset + 1])}", (
            'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX; a backslash itself is written \\\\'
        )
    if char == "\n":
        return "a line break inside a JSON string", "a closing quote; write text of several lines as a code block"
    return f"the control character U+{ord(char):04X} inside a JSON string", f"the escape \\u{ord(char):04x}"


def _no_value(text: str, fault: Fault) -> tuple[str, str]:
    word = text[fault.token :].split("\n", 1)[0].split(" ", 1)[0][:40]
    expected = 'a JSON value such as "text", 12, true, [1, 2] or {"k": 1}'
    if FENCES & fault.acceptable:
        expected += ", or a code block whose fence begins a line"
    if word in _LITERALS:
        return f"{word} is Python, not JSON", _LITERALS[word]
    if word.startswith("'"):
        return "a string in single quotes", 'a JSON string in double quotes, "…"'
    if "NUMBER" in fault.partial or fault.acceptable <= FENCES:
        return f"{_quote(word)} is no JSON value", expected
    if not word:
        return "there is no value behind the '='", expected
    return f"{_quote(word)} is no JSON value", f'{expected}; a string is written in quotes, "{word}"' if word.isalnum() else expected


def _found(text: str, offset: int) -> str:
    if offset >= len(text):
        return "the end of the text"
    if text[offset] == "\n":
        return "the end of the line"
    return _quote(text[offset:].split("\n", 1)[0].split(" ", 1)[0][:30] or text[offset])


def _quote(text: str) -> str:
    return f"'{text}'"


def _phrase(terminals: frozenset[str]) -> str:
    words = ["a JSON value"] if _VALUES <= terminals else []
    rest = terminals - _VALUES if words else terminals
    words += [phrase for name, phrase in _PHRASES.items() if name in rest]
    words += ["a code block"] if FENCES & rest else []
    return " or ".join(dict.fromkeys(words)) or "another line"
