"""Values as people would write them, made up from the names of parameters, their descriptions and schemas."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar
from slashgrammar.prompts.mentioned import mentioned
from slashgrammar.tools.bounds import end
from slashgrammar.tools.views import Viewer, alternatives, types

_CODE = {"code", "script", "snippet"}
_LONG = {"body", "content", "contents", "css", "diff", "html", "letter", "markdown", "patch", "text", *_CODE}
_OFFERS = ("const", "default", "enum", "examples", "format")
_FILE = {"file", "filename", "filepath", "path"}
_SHORTEST_LONG = 200
_MOST_ITEMS = 5
_BY_FORMAT = {
    "date": "2026-05-17",
    "date-time": "2026-05-17T09:30:00Z",
    "duration": "PT1H",
    "email": "maria@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "json-pointer": "/a",
    "time": "09:30:00Z",
    "uri": "https://example.com",
    "uri-reference": "https://example.com",
    "uuid": "6f1c2f0e-4a53-4c55-9d0b-2f6f4f3b8a01",
}
_BY_WORD = {
    "/home/maria/file.txt": "path filepath",
    "/home/maria": "dir directory folder cwd",
    "file.txt": "file filename",
    "https://example.com": "url uri link website",
    "example.com": "host hostname domain",
    "maria@example.com": "email mail",
    "maria": "user username owner author login",
    "Maria": "name person recipient receiver artist",
    "website": "repo repository project",
    "main": "branch ref base head",
    "Paris": "city location place destination loc town",
    "Lyon": "origin",
    "France": "country",
    "2026-05-17": "date day",
    "09:30": "time",
    "slash commands": "query q keyword keywords search topic",
    "Hello": "title subject",
    "hello there": "message comment description prompt question",
    "en": "language lang",
    "EUR": "currency",
    "blue": "color colour",
    "ls -l": "command cmd",
    "a1b2c3": "id identifier key token sha uuid",
}
_TEXTS = {word: text for text, words in _BY_WORD.items() for word in words.split()}
_NUMBERS = {"year": 2026, "port": 8080, "limit": 10, "to": 100, "end": 100, "from": 0, "start": 0, "offset": 0}


def is_long_text(name: str, schema: Any) -> bool:
    """Whether a parameter reads like one whose texts have several lines, and its schema leaves them free."""
    if not isinstance(schema, dict) or schema.get("type") != "string" or _LONG.isdisjoint(_words(name)[-1:]):
        return False
    longest = schema.get("maxLength", math.inf)
    return longest >= _SHORTEST_LONG and schema.keys().isdisjoint(("enum", "const", "pattern", "format", KEYWORD))


def is_file_name(name: str) -> bool:
    """Whether a parameter reads like one that names a file."""
    return not _FILE.isdisjoint(_words(name)[-1:])


def is_made_up(schema: Any) -> bool:
    """Whether the values of a schema come from nothing that it says."""
    if not isinstance(schema, dict):
        return True
    return schema.keys().isdisjoint(_OFFERS) and mentioned(schema.get("description")) is None


class Values:
    """Makes values for the schemas of one document."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer

    def long(self, name: str) -> str:
        """A text of two lines."""
        words = _words(name)
        return 'print("hello")\nprint("there")' if _CODE & set(words) else f"{' '.join(words)}\nhere"

    def of(self, name: str, schema: Any) -> Any:
        """A value: what the schema itself offers, else one of its type, in its bounds where that is simple."""
        with self._viewer.view(schema) as viewed:
            if "const" in viewed:
                return viewed["const"]
            if offered := viewed.get("examples") or viewed.get("enum"):
                return offered[0]
            if viewed.get("default") is not None:
                return viewed["default"]
            if others := alternatives(viewed):
                return self.of(name, next((each for each in others if each != {"type": "null"}), others[0]))
            declared = sorted(types(viewed) or ["string"], key="null".__eq__)[0]
            make: Callable[[str, dict[str, Any]], Any] = getattr(self, f"_{declared}")
            return make(name, viewed)

    def _string(self, name: str, schema: dict[str, Any]) -> str:
        words = _words(name)
        usual = next((_TEXTS[word] for word in reversed(words) if word in _TEXTS), " ".join(words) or "text")
        text = _BY_FORMAT.get(schema.get("format", "")) or mentioned(schema.get("description")) or usual
        if KEYWORD in schema:
            return _of_language(schema[KEYWORD], text)
        while len(text) < min(schema.get("minLength", 0), _SHORTEST_LONG):
            text += f" {text}"
        return text[: schema.get("maxLength")]

    def _integer(self, name: str, schema: dict[str, Any]) -> float:
        return self._number(name, {**schema, "multipleOf": schema.get("multipleOf", 1)})

    def _number(self, name: str, schema: dict[str, Any]) -> float:
        (low, low_open), (high, high_open) = end(schema, "minimum"), end(schema, "maximum")
        step = schema.get("multipleOf")
        usual = next((_NUMBERS[word] for word in reversed(_words(name)) if word in _NUMBERS), 1)
        ends = [bound for bound in (low, high) if bound is not None]
        for candidate in (usual, *ends, *(bound + 1 for bound in ends), *(bound - 1 for bound in ends), sum(ends) / 2):
            value = math.ceil(candidate / step) * step if step else candidate
            above = low is None or low < value or (low == value and not low_open)
            below = high is None or value < high or (high == value and not high_open)
            if above and below:
                return value
        return usual

    def _boolean(self, name: str, schema: dict[str, Any]) -> bool:
        return True

    def _null(self, name: str, schema: dict[str, Any]) -> None:
        return None

    def _array(self, name: str, schema: dict[str, Any]) -> list[Any]:
        items = schema.get("items", {})
        prefix = items if isinstance(items, list) else schema.get("prefixItems", [])
        values = [self.of(name, each) for each in prefix]
        while not isinstance(items, list) and len(values) < min(
            schema.get("minItems", 0 if prefix else 1), _MOST_ITEMS
        ):
            values.append(self.of(name, items))
        return values

    def _object(self, name: str, schema: dict[str, Any]) -> dict[str, Any]:
        table, required = self._viewer.properties(schema)
        return {inner: self.of(inner, table[inner]) for inner in table if inner in required}


def _of_language(value: Any, usual: str) -> str:
    """The usual text if the language has it, or else a short one of a regular expression.

    The shortest text of a grammar is a bad example, such as `select*froma`, which small models copy.
    """
    try:
        language = ArgumentGrammar.of(value)
    except GrammarError:  # such a tool is shown all the same: whether it can be used, compiling says
        return usual
    return usual if not language.is_regular or language.matches(usual) else language.example or usual


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|[A-Z][^\W\d_A-Z]*", name)]
