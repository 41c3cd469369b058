"""The keyword `x-grammar` for the library that validates: strings in a language of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar, Mismatch

if TYPE_CHECKING:
    from jsonschema_rs import KeywordValidator


class NotInLanguage(ValueError):
    """A string that is none of its language; the message is what was expected."""

    def __init__(self, mismatch: Mismatch) -> None:
        super().__init__(mismatch.expected)
        self.problem = mismatch.problem


class GrammarKeyword:
    """Checks strings by the grammar that the keyword gives; one object for each place in a schema."""

    def __init__(self, _parent: Any, value: Any, _path: Any) -> None:
        self._language = ArgumentGrammar.of(value)

    def validate(self, instance: Any) -> None:
        """Raises NotInLanguage for a string that is none of the language."""
        if isinstance(instance, str) and not self._language.matches(instance):
            raise NotInLanguage(self._language.mismatch(instance))


KEYWORDS: dict[str, type[KeywordValidator]] = {KEYWORD: GrammarKeyword}
"""For `keywords=` of a validator."""
