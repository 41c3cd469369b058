"""Compiled grammars for generation loops that exist already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slashgrammar.errors import GrammarError
from slashgrammar.llama.binding import Ids, Logits, wrapped_grammar
from slashgrammar.llama.constraint import Compiled, Constraint, checked_gbnf

if TYPE_CHECKING:
    from llama_cpp.llama_grammar import LlamaGrammar


def llama_grammar(grammar: Compiled) -> LlamaGrammar:
    """The grammar for `grammar=` of llama-cpp-python's own functions.

    Their sampling masks the whole vocabulary at each token, and takes the names of control tokens for text.

    Raises:
        GrammarError: llama.cpp would not load the grammar, or could not bear it.
    """
    return wrapped_grammar(checked_gbnf(grammar))


class GrammarProcessor:
    """A logits processor that leaves what the grammar allows; good for one generation.

    The first call sees the prompt, each later one the tokens written since. Where the grammar and the tokens part, or
    no token may come next, only the end of generation is left: llama-cpp-python would ignore an exception.

    Attributes:
        error: why generation had to end, or None.
    """

    def __init__(self, llm: Any, grammar: Compiled) -> None:
        self._constraint = Constraint(llm, grammar)
        self._seen: int | None = None
        self.error: GrammarError | None = None

    def __call__(self, input_ids: Ids, scores: Logits) -> Logits:
        if self._seen is None:
            self._seen = len(input_ids)
        allowed = self._constraint.vocabulary.ends
        if self.error is None:
            try:
                for token in input_ids[self._seen :]:
                    self._constraint.accept(int(token))
                mask = self._constraint.mask()
                if not mask.any():
                    raise GrammarError("no token of the vocabulary may come next")
                allowed = mask
            except GrammarError as error:
                self.error = error
        self._seen = len(input_ids)
        return np.where(allowed, scores, np.float32(-np.inf))


def logits_processor(llm: Any, grammar: Compiled) -> GrammarProcessor:
    """A processor for the list that `logits_processor=` of llama-cpp-python takes, to be used for one generation."""
    return GrammarProcessor(llm, grammar)
