"""The keyword `x-grammar` for the library that validates: strings in a language of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar

if TYPE_CHECKING:
    from jsonschema_rs import KeywordValidator


class GrammarKeyword:
    """Checks strings by the grammar that the keyword gives; one object for each place in a schema."""

    def __init__(self, _parent: Any, value: Any, _path: Any) -> None:
        self._language = ArgumentGrammar.of(value)

    def validate(self, instance: Any) -> None:
        """Raises ValueError for a string that is none of the language; what it says is what was expected."""
        if isinstance(instance, str) and not self._language.matches(instance):
            raise ValueError(self._language.expectation(instance))


KEYWORDS: dict[str, type[KeywordValidator]] = {KEYWORD: GrammarKeyword}
"""For `keywords=` of a validator."""
