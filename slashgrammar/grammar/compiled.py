"""A grammar that is ready for use: to constrain a model with, and to check texts against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from slashgrammar.grammar.explain import Departure, explain
from slashgrammar.grammar.gbnf import to_gbnf
from slashgrammar.grammar.ir import Grammar
from slashgrammar.grammar.matcher import Automaton, Matcher
from slashgrammar.grammar.rewrite import Settled, prepare
from slashgrammar.grammar.schema import Widening
from slashgrammar.grammar.uncollected import uncollected

if TYPE_CHECKING:
    from llama_cpp.llama import Llama
    from llama_cpp.llama_grammar import LlamaGrammar


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where the grammars of tools are narrower than JSON, so that no number runs on and on.

    Attributes:
        integer_digits: digits of a whole number, and before a decimal point.
        fraction_digits: digits behind a decimal point.
        exponent: the range of exponents.
        indentation: blanks at the beginning of a line inside brackets.
    """

    integer_digits: int = 20
    fraction_digits: int = 20
    exponent: tuple[int, int] = (-999, 307)
    indentation: int = 24


class CompiledGrammar:
    """A language that a model can be held to: all messages with calls of some tools, or a grammar of one's own.

    Whoever compiles the same tools with the same options gets the same object; it is not to be changed.

    Attributes:
        source: the rules as they were written, under the names that `explain` uses.
        report: where the grammar is wider than the tools' schemas; validation after generation checks these.
        bounds: where it is narrower than JSON; None for a grammar without tools.
        control_tokens: names of control tokens that are text in this language, where a vocabulary has them.
        dialect: how calls are written in it; None for a grammar without tools.
    """

    def __init__(
        self,
        grammar: Grammar,
        report: list[Widening],
        bounds: Bounds | None = None,
        control_tokens: frozenset[str] = frozenset(),
        dialect: str | None = None,
        settled: Callable[[], Settled] | None = None,
    ) -> None:
        self.source = grammar
        self.report = report
        self.bounds = bounds
        self.control_tokens = control_tokens
        self.dialect = dialect
        self._settled = settled

    @cached_property
    def ir(self) -> Grammar:
        """The rules, in the form that the printers and the matcher take."""
        with uncollected():
            return prepare(self.source, self._settled() if self._settled else None)

    @cached_property
    def gbnf(self) -> str:
        """GBNF text, for llama.cpp and what reads its notation; starts from `root`."""
        with uncollected():
            return to_gbnf(self.ir)

    @cached_property
    def lark(self) -> str:
        """Lark text, one character or class a terminal, for Lark's Earley parser with its dynamic lexer."""
        from slashgrammar.grammar.lark import to_lark

        return to_lark(self.ir)

    @cached_property
    def _automaton(self) -> Automaton:
        return Automaton(self.ir)

    def matcher(self) -> Matcher:
        """A matcher at the beginning of a text; all matchers of a grammar share what they learn."""
        return Matcher(self._automaton)

    def matches(self, text: str) -> bool:
        """Whether the text is a member of the language, exactly."""
        matcher = self.matcher()
        return matcher.feed(text) and matcher.is_member

    def explain(self, text: str) -> Departure | None:
        """Where a text leaves the language, what was allowed there, and in which rule; None if it is a member."""
        return None if self.matches(text) else explain(self.source, text)

    def llama_grammar(self) -> LlamaGrammar:
        """The grammar for `Llama.generate(grammar=…)` and what builds on it; needs the extra "llama"."""
        from slashgrammar.llama import llama_grammar

        return llama_grammar(self)

    def logits_processor(self, llm: Llama) -> Any:
        """A logits processor for loops that exist already, to be used for one generation; needs the extra "llama"."""
        from slashgrammar.llama import logits_processor

        return logits_processor(llm, self)
