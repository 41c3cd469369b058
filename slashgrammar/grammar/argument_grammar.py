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
from slashgrammar.grammar.automaton import Automaton as RegularAutomaton
from slashgrammar.grammar.automaton.intersect import intersect
from slashgrammar.grammar.explain import explain
from slashgrammar.grammar.ir import ANY_CHAR, NOTHING, Grammar, repeat
from slashgrammar.grammar.load import load_lark
from slashgrammar.grammar.matcher import Automaton, Matcher
from slashgrammar.grammar.regex import parse_regex, regex_to_ir
from slashgrammar.grammar.regex.pattern import Pattern
from slashgrammar.grammar.rewrite import prepare
from slashgrammar.grammar.rewrite.useless import drop_unproductive
from slashgrammar.grammar.short_text import short_text

KEYWORD = "x-grammar"
_NAME = "text"
_LONGEST_SHOWN = 40
_SOMETHING = RegularAutomaton.of(repeat(ANY_CHAR, 1))


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a text is none of a language.

    Attributes:
        problem: where it leaves the language, and with what.
        expected: what might have stood there.
    """

    problem: str
    expected: str


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
                of a language that is not context-free or has no texts.
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
        if found.ir.rules[found.ir.start] == NOTHING:
            raise GrammarError("no text matches it, so no value could be right; correct it")
        return found

    @classmethod
    def read(cls, text: str) -> ArgumentGrammar:
        """The language that `str` of one gives."""
        return _read(text)

    def __str__(self) -> str:
        return json.dumps(self.keyword)

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

    @property
    def example(self) -> str | None:
        """A short text of the language, with something in it if there is such a text; None where none is found."""
        return _example(self)

    def matches(self, text: str) -> bool:
        """Whether a text is one of the language."""
        matcher = Matcher(_automaton(self))
        return matcher.feed(text) and matcher.is_member

    def mismatch(self, text: str) -> Mismatch:
        """Why a text is none of the language."""
        found = explain(self.ir, text)
        shown = f'"{text}"' if len(text) <= _LONGEST_SHOWN and text.isprintable() else "the text"
        if found.found:
            line = f"line {found.line}, " if "\n" in text else ""
            problem = f"{found.found!r} does not fit at {line}column {found.column} of {shown}"
        else:
            problem = f"{shown} ends too early"
        expected = found.expected
        if self.is_regular:
            expected += f" (to match {self.definition})"
        elif found.rules:
            expected += f" (in {' or '.join(found.rules)})"
        return Mismatch(problem, expected)


@lru_cache(maxsize=256)
def _ir(language: ArgumentGrammar) -> Grammar:
    if language.is_regular:
        return drop_unproductive(Grammar({_NAME: regex_to_ir(language.definition)}, _NAME))
    return drop_unproductive(load_lark(language.definition, name="the grammar", start=language.start))


@lru_cache(maxsize=64)
def _automaton(language: ArgumentGrammar) -> Automaton:
    return Automaton(prepare(language.ir))


@lru_cache(maxsize=256)
def _read(text: str) -> ArgumentGrammar:
    return ArgumentGrammar(**json.loads(text))


@lru_cache(maxsize=256)
def _example(language: ArgumentGrammar) -> str | None:
    try:
        return short_text(intersect(language.ir, _SOMETHING)) or short_text(language.ir)
    except GrammarError:  # too large for that
        return short_text(language.ir)
