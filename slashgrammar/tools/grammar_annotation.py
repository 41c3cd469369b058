"""Annotations for parameters whose text obeys a grammar of the user's own.

    def query(sql: Annotated[str, sg.Lark(SELECT_GRAMMAR)], code: Annotated[str, sg.Regex("[A-Z]{3}")]): ...

pydantic puts them into JSON Schemas as the keyword `x-grammar`, and checks values by them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slashgrammar.grammar.argument_grammar import KEYWORD, ArgumentGrammar

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema


class _Annotation(ABC):
    """What pydantic asks of the metadata of a type."""

    @property
    @abstractmethod
    def language(self) -> ArgumentGrammar:
        """The language of the text."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), KEYWORD: self.language.keyword}

    def _check(self, value: Any) -> Any:
        if isinstance(value, str) and not self.language.matches(value):
            found = self.language.mismatch(value)
            raise ValueError(f"{found.problem}; expected {found.expected}")
        return value


@dataclass(frozen=True)
class Lark(_Annotation):
    """The text is one of a Lark grammar.

    Attributes:
        definition: the grammar, in Lark's language.
        start: its start rule.

    Raises:
        GrammarError: it is no Lark grammar, or not context-free.
    """

    definition: str
    start: str = "start"

    def __post_init__(self) -> None:
        ArgumentGrammar.of(self.language.keyword)

    @property
    def language(self) -> ArgumentGrammar:
        return ArgumentGrammar("lark", self.definition, self.start)


@dataclass(frozen=True)
class Regex(_Annotation):
    """The whole text matches a regular expression of Python's `re`.

    Attributes:
        definition: the regular expression.

    Raises:
        GrammarError: it is none, or not regular (a back reference).
    """

    definition: str

    def __post_init__(self) -> None:
        ArgumentGrammar.of(self.language.keyword)

    @property
    def language(self) -> ArgumentGrammar:
        return ArgumentGrammar("regex", self.definition)
