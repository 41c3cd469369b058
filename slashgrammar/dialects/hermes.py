"""Calls as JSON between `<tool_call>` tags, as Hermes 2 Pro, Qwen and others write them; `grammars/hermes.lark`.

<tool_call>
{"name": "read", "arguments": {"path": "notes.txt"}}
</tool_call>
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from slashgrammar.calls.locate import locate, members
from slashgrammar.calls.opencall import Argument, OpenCall
from slashgrammar.calls.order import declared_order
from slashgrammar.calls.places import Places
from slashgrammar.calls.render import check_json
from slashgrammar.calls.validate import call_errors
from slashgrammar.calls.values import MAX_DEPTH, SURROGATE, FlawedValue, decode, is_deep, lone_surrogate
from slashgrammar.errors import (
    DuplicateArgument,
    IncompleteCall,
    InvalidArgument,
    SlashSyntaxError,
    TextError,
)
from slashgrammar.grammar.delimiters import DEFAULT
from slashgrammar.grammar.numerals import canonical

if TYPE_CHECKING:
    from slashgrammar.calls.message import Call, Message
    from slashgrammar.tools.toolset import ToolSet

OPENING, CLOSING = "<tool_call>", "</tool_call>"
KEYS = ("arguments", "parameters")
_TAG = re.compile("<(?=/?tool_call>)")
_SPACE = re.compile(r"[ \t\r\n]*")
_SCANNER = json.JSONDecoder(parse_int=str, parse_float=str)  # finds the end; what is wrong with a number comes later
_FORM = '{"name": …, "arguments": {…}}'


def parse(text: str, tools: ToolSet | None = None, *, reasoning: tuple[str, str] | None = DEFAULT) -> Message:
    """What a text holds.

    Args:
        text: the text; a last `</tool_call>` may be missing at its end, for it often is the token that ends generation.
        tools: the tools that may be called, or None to take calls of any name with any arguments.
        reasoning: the delimiters of reasoning, which stands first in the text; an empty opening one where the text
            begins inside it, None for none.

    Raises:
        TextError: the first thing that is wrong.
    """
    from slashgrammar.dialects.hermes_stream import HermesParser

    parser = HermesParser(tools, reasoning=reasoning)
    parser.feed(text)
    return parser.finish()


def check(text: str, tools: ToolSet | None = None, *, reasoning: tuple[str, str] | None = DEFAULT) -> list[TextError]:
    """All that is wrong with a text, in its order; empty where `parse` takes it."""
    return list(_Reader(text, tools, reasoning).read())


def render(
    calls: Iterable[Call], tools: ToolSet | None = None, *, key: str = "arguments", escape_tags: bool = False
) -> str:
    """The calls as text.

    Args:
        calls: the calls.
        tools: where given, keys are written in the order that their schemas declare.
        key: what the arguments stand under, "arguments" or "parameters".
        escape_tags: see `escaped`.

    Raises:
        ToolError: a value is no JSON.
    """
    written = []
    for call in calls:
        arguments = call.arguments
        check_json(arguments, call.name)
        if tools is not None and call.name in tools:
            arguments = declared_order(tools, call.name).arrange(arguments)
        body = json.dumps({"name": call.name, key: canonical(arguments)}, ensure_ascii=False)
        if escape_tags:
            body = escaped(body)
        written.append(f"{OPENING}\n{body}\n{CLOSING}")
    return "\n".join(written)


def escaped(body: str) -> str:
    """JSON with the first character of each tag in it as an escape, for prompts in which tags are control tokens."""
    return _TAG.sub(r"\\u003c", body)


class _Reader:
    """Finds all that is wrong in a text; goes on behind it at the next tag."""

    def __init__(self, text: str, tools: ToolSet | None, reasoning: tuple[str, str] | None) -> None:
        self._text = text
        self._tools = tools
        self._reasoning = reasoning
        self._places = Places(text)

    def read(self) -> Iterator[TextError]:
        """What is wrong."""
        place = self._reasoning_end()
        yield from self._surrogate(0, place)
        while True:
            start = self._text.find(OPENING, place)
            yield from self._surrogate(place, start if start >= 0 else len(self._text))
            if start < 0:
                return
            try:
                place = yield from self._call(start, self._skip(start + len(OPENING)))
            except TextError as error:
                yield error
                closing = self._text.find(CLOSING, start)
                place = closing + len(CLOSING) if closing >= 0 else start + len(OPENING)

    def _reasoning_end(self) -> int:
        if self._reasoning is None:
            return 0
        opening, closing = self._reasoning
        start = self._skip(0) if opening else 0
        if not self._text.startswith(opening, start):
            return 0
        end = self._text.find(closing, start + len(opening))
        return end + len(closing) if end >= 0 else len(self._text)

    def _surrogate(self, start: int, end: int) -> Iterator[TextError]:
        if found := SURROGATE.search(self._text, start, end):
            flaw = lone_surrogate(found[0])
            yield self._error(SlashSyntaxError, flaw.problem, found.start(), flaw.expected)

    def _call(self, start: int, place: int) -> Generator[TextError, None, int]:
        """Reads a call; gives where it ends."""
        value, end = self._json(start, place)
        name, key = self._names(value, place)
        given = value[key] if key else {}
        if any(is_deep(inner) for inner in given.values() if isinstance(inner, dict | list)):
            problem, expected = "brackets nested too deeply", f"at most {MAX_DEPTH} levels"
            raise self._error(InvalidArgument, problem, place, expected)
        base = locate(self._text, place, [key]) if key else place
        places = members(self._text, base)
        arguments = {
            argument: Argument(argument, base, places.get(argument, base), inner) for argument, inner in given.items()
        }
        yield from call_errors(OpenCall(name, start, end, arguments), self._tools, self._places)
        behind = self._skip(end)
        if self._text.startswith(CLOSING, behind):
            end = behind + len(CLOSING)
        elif CLOSING.startswith(self._text[behind:]) and behind < len(self._text):
            raise self._cut()
        elif behind < len(self._text):
            raise self._error(SlashSyntaxError, "something stands behind the call", behind, CLOSING)
        return end

    def _json(self, start: int, place: int) -> tuple[Any, int]:
        try:
            _, end = _SCANNER.raw_decode(self._text, place)
            return decode(self._text[place:end]), end
        except FlawedValue as error:
            kind = DuplicateArgument if error.flaw.duplicate else InvalidArgument
            raise self._error(kind, error.flaw.problem, place, error.flaw.expected) from None
        except RecursionError:
            raise self._error(SlashSyntaxError, "this JSON is nested too deeply", place, _FORM) from None
        except json.JSONDecodeError as error:
            if error.pos < len(self._text.rstrip()) and not error.msg.startswith("Unterminated"):
                raise self._error(SlashSyntaxError, f"this is no JSON: {error.msg}", error.pos, _FORM) from None
            raise self._cut() from None
        except ValueError as error:
            raise self._error(SlashSyntaxError, str(error), place, _FORM) from None

    def _names(self, value: Any, place: int) -> tuple[str, str | None]:
        """The tool's name, and the key of the arguments."""
        if not isinstance(value, dict) or not isinstance(value.get("name"), str) or not value["name"]:
            raise self._error(SlashSyntaxError, "this is no call", place, _FORM)
        keys = [key for key in KEYS if key in value]
        others = [key for key in value if key not in ("name", *KEYS)]
        if others or len(keys) > 1:
            problem = f"a call has no {' and '.join(others)}" if others else "a call has either arguments or parameters"
            raise self._error(SlashSyntaxError, problem, place, _FORM)
        if keys and not isinstance(value[keys[0]], dict):
            raise self._error(SlashSyntaxError, f"the {keys[0]} are no object", place, _FORM)
        return value["name"], keys[0] if keys else None

    def _skip(self, place: int) -> int:
        space = _SPACE.match(self._text, place)
        return space.end() if space else place

    def _cut(self) -> TextError:
        return self._error(IncompleteCall, "the text ends inside a call; give it more tokens", len(self._text), "")

    def _error(self, kind: type[TextError], problem: str, offset: int, expected: str) -> TextError:
        return self._places.error(kind, problem, offset, expected=expected)
