from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from llama_cpp import LogitsProcessorList

from slashgrammar.errors import GrammarError
from slashgrammar.llama import ConstrainedSampler, GrammarProcessor, llama_grammar, logits_processor
from slashgrammar.llama.binding import Context, GrammarEngine, vocabulary
from slashgrammar.llama.prompt import template_of
from tests.llama.grammars import HandMade
from tests.llama.reference import valid_tokens

QUESTION = [{"role": "user", "content": "Call /time for Rome."}]


def test_all_ways_write_the_same_text_at_temperature_0(llm: Any) -> None:
    grammar = HandMade(prose=False)
    prompt = template_of(llm).tokens(QUESTION)
    texts = []
    for settings in (
        {"grammar": llama_grammar(grammar)},
        {"logits_processor": LogitsProcessorList([logits_processor(llm, grammar)])},
    ):
        llm.reset()
        completion = llm.create_completion(prompt, max_tokens=24, temperature=0.0, repeat_penalty=1.0, **settings)
        texts.append(completion["choices"][0]["text"])
    llm.reset()
    sampler, context, known = ConstrainedSampler(llm, grammar, temperature=0), Context(llm), vocabulary(llm)
    ids, pieces = list(prompt), []
    while len(pieces) < 24:
        token = sampler.sample(context.evaluate(np.array(ids, np.int32)))
        if known.ends[token]:
            break
        sampler.accept(token)
        ids.append(token)
        pieces.append(known.pieces[token])
    texts.append(b"".join(pieces).decode())
    assert texts[0] == texts[1] == texts[2]
    assert grammar.matcher().feed(texts[0])


def test_the_processor_leaves_exactly_what_is_valid(llm: Any, write_gbnf: str) -> None:
    grammar, known = HandMade(prose=True), vocabulary(llm)
    process, engine = GrammarProcessor(llm, grammar), GrammarEngine(llm, grammar.gbnf)
    written = known.tokenize('Sure\n/time\nzone="Ro')
    scores = np.random.default_rng(0).normal(0, 1, known.size).astype(np.float32)
    for size in range(len(written) + 1):
        masked = process(np.array([5, 6, 7, *written[:size]], np.int32), scores)
        left = np.flatnonzero(masked > -np.inf)
        assert left.tolist() == valid_tokens(llm, engine).tolist()
        assert (masked[left] == scores[left]).all()
        if size < len(written):
            engine.accept(written[size])


def test_a_loop_that_ignores_the_grammar_gets_the_end(llm: Any) -> None:
    known = vocabulary(llm)
    process = GrammarProcessor(llm, HandMade(prose=False))
    scores = np.zeros(known.size, np.float32)
    process(np.array([1], np.int32), scores)
    masked = process(np.array([1, *known.tokenize("nonsense")], np.int32), scores)
    assert np.flatnonzero(masked > -np.inf).tolist() == np.flatnonzero(known.ends).tolist()
    assert isinstance(process.error, GrammarError)
    with pytest.raises(GrammarError, match="not what the grammar allows"):
        raise process.error
