"""Strings in a language of their own: the keyword `x-grammar` of a JSON Schema.

    {"type": "string", "x-grammar": {"syntax": "lark", "definition": "start: \"a\"+"}}
    {"type": "string", "x-grammar": {"syntax": "regex", "definition": "[a-z]+"}}

With `syntax` "lark" the definition is a Lark grammar, and `start` names its start rule where that is not `start`. With
"regex" it is a regular expression of Python's `re`. The whole string has to match. The keyword says nothing of values
that are no strings.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.explain import explain
from slashgrammar.grammar.ir import Grammar
from slashgrammar.grammar.load import load_lark
from slashgrammar.grammar.matcher import Automaton, Matcher
from slashgrammar.grammar.pattern import Pattern
from slashgrammar.grammar.regex import parse_regex, regex_to_ir
from slashgrammar.grammar.rewrite import prepare

KEYWORD = "x-grammar"
_NAME = "text"


@dataclass(frozen=True, slots=True)
class ArgumentGrammar:
    """A language of strings.

    Attributes:
        syntax: "lark" or "regex".
        definition: the grammar, or the regular expression.
        start: the start rule of a grammar.
    """

    syntax: str
    definition: str
    start: str = "start"

    _KEYS: ClassVar = frozenset(("syntax", "definition", "start"))

    @classmethod
    def of(cls, value: Any) -> ArgumentGrammar:
        """The language that a value of the keyword describes.

        Raises:
            GrammarError: the value is malformed, or its definition is no grammar or regular expression, or it is one
                of a language that is not context-free.
        """
        if not isinstance(value, dict) or not all(isinstance(part, str) for part in value.values()):
            raise GrammarError("expected an object of strings with `syntax` and `definition`")
        if unknown := sorted(value.keys() - cls._KEYS):
            raise GrammarError(f"there is no {unknown[0]!r} in it; expected `syntax`, `definition` and perhaps `start`")
        if value.get("syntax") not in ("lark", "regex"):
            raise GrammarError(f"`syntax` is 'lark' or 'regex', not {value.get('syntax')!r}")
        if "definition" not in value:
            raise GrammarError("`definition` is missing: the grammar or regular expression")
        if value["syntax"] == "regex" and "start" in value:
            raise GrammarError("a regular expression has no start rule; leave `start` out")
        found = cls(**value)
        found.ir  # noqa: B018  # raises where the definition is wrong
        return found

    @classmethod
    def read(cls, text: str) -> ArgumentGrammar:
        """The language that `str` of one gives."""
        return _read(text)

    def __str__(self) -> str:
        return json.dumps(self.keyword, sort_keys=True)

    @property
    def keyword(self) -> dict[str, str]:
        """The value of the keyword."""
        value = {"syntax": self.syntax, "definition": self.definition}
        return value if self.start == "start" else {**value, "start": self.start}

    @property
    def ir(self) -> Grammar:
        """The texts as a grammar."""
        return _ir(self)

    @property
    def is_regular(self) -> bool:
        """Whether an automaton can say what the language is."""
        return self.syntax == "regex"

    @property
    def pattern(self) -> Pattern | None:
        """A regular expression with its conditions on the text around; None for a Lark grammar."""
        return parse_regex(self.definition) if self.is_regular else None

    def matches(self, text: str) -> bool:
        """Whether a text is one of the language."""
        matcher = Matcher(_automaton(self))
        return matcher.feed(text) and matcher.is_member

    def expectation(self, text: str) -> str:
        """What was expected of a text that is none of the language, and where it went wrong."""
        departure = explain(self.ir, text)
        if self.is_regular:
            return f"a text that matches {self.definition} (wrong from character {departure.offset + 1} on)"
        return f"a text of its grammar ({departure})"


@lru_cache(maxsize=256)
def _ir(language: ArgumentGrammar) -> Grammar:
    if language.is_regular:
        return Grammar({_NAME: regex_to_ir(language.definition)}, _NAME)
    return load_lark(language.definition, name="the grammar", start=language.start)


@lru_cache(maxsize=64)
def _automaton(language: ArgumentGrammar) -> Automaton:
    return Automaton(prepare(language.ir))


@lru_cache(maxsize=256)
def _read(text: str) -> ArgumentGrammar:
    return ArgumentGrammar(**json.loads(text))
