from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from slashgrammar.errors import ModelError
from slashgrammar.llama import ConstrainedSampler, Stats
from slashgrammar.llama.binding import Context, vocabulary
from slashgrammar.llama.forcing import Forcing
from slashgrammar.llama.limits import Limits
from slashgrammar.llama.loop import TokenLoop
from slashgrammar.llama.prompt import template_of
from tests.llama.grammars import HandMade

CHAT = [
    {"role": "system", "content": 'Call /weather or /time, like this:\n/weather\ncity="Rome"\nunit="celsius"'},
    {"role": "user", "content": "How warm is it in Paris?"},
]


def _loop(
    llm: Any, limits: Limits | None = None, *, force: bool = True, prose: bool = False, **chain: Any
) -> TokenLoop:
    grammar = HandMade(prose=prose)
    sampler = ConstrainedSampler(llm, grammar, **({"temperature": 0.0} | chain))
    forcing = Forcing(vocabulary(llm), grammar.matcher(), force=force)
    return TokenLoop(vocabulary(llm), Context(llm), sampler, forcing, limits or Limits(max_tokens=80), Stats())


def _prompt(llm: Any) -> list[int]:
    return template_of(llm).tokens(CHAT)


def test_forced_text_costs_no_evaluations(llm: Any) -> None:
    free, forced = _loop(llm, force=False), _loop(llm)
    texts = ["".join(loop.write(_prompt(llm))) for loop in (free, forced)]
    assert texts[0] == texts[1]
    assert HandMade(prose=False).matcher().feed(texts[0])
    assert free.finish_reason == forced.finish_reason == "stop"
    assert free._stats.forced == 0
    assert forced._stats.forced >= 5
    assert forced._stats.evaluations == forced._stats.sampled <= free._stats.evaluations - 5


def test_the_cache_keeps_the_common_prefix(llm: Any) -> None:
    loop = _loop(llm)
    "".join(loop.write(_prompt(llm)))
    context = Context(llm)
    longer = template_of(llm).tokens([*CHAT, {"role": "assistant", "content": "x"}, {"role": "user", "content": "y"}])
    held = context.reusable(np.array(longer, np.int32))
    assert held >= len(_prompt(llm)) - 3
    context.evaluate(np.array(longer, np.int32))
    assert context.calls == 1
    context.evaluate(np.array(longer, np.int32))
    assert context.calls == 1  # what was asked for is still there


def test_interleaved_generations_do_not_mix(llm: Any) -> None:
    alone = "".join(_loop(llm, prose=True).write(_prompt(llm)))
    first, second = (_loop(llm, prose=True).write(_prompt(llm)) for _ in range(2))
    texts = ["", ""]
    for chunks in zip(first, second, strict=True):
        texts = [text + chunk for text, chunk in zip(texts, chunks, strict=True)]
    assert texts[0] == texts[1]
    assert texts[0][:20] == alone[:20]


def test_a_budget(llm: Any) -> None:
    for force in (False, True):
        loop = _loop(llm, Limits(max_tokens=6), force=force)
        "".join(loop.write(_prompt(llm)))
        assert loop.finish_reason == "length"
        assert loop._stats.sampled + loop._stats.forced == 6


def test_a_stop_string(llm: Any) -> None:
    loop = _loop(llm, Limits(max_tokens=60, stop=("\nunit",)))
    text = "".join(loop.write(_prompt(llm)))
    assert loop.finish_reason == "stop"
    assert text.startswith("/weather\ncity=")
    assert "unit" not in text


def test_cancelling(llm: Any) -> None:
    limits = Limits(max_tokens=60)
    loop = _loop(llm, limits, force=False)
    for count, _ in enumerate(loop.write(_prompt(llm))):
        if count == 2:
            limits.cancelled.set()
    assert loop.finish_reason == "cancelled"
    assert loop._stats.sampled == 3


def test_a_prompt_that_does_not_fit(llm: Any) -> None:
    context = Context(llm)
    with pytest.raises(ModelError, match=r"prompt has 2000 tokens and 100 may follow, but the context holds 2048"):
        Limits(max_tokens=100).check([1] * 2000, context)
    with pytest.raises(ModelError, match="context holds 2048"):
        Limits().check([1] * 2048, context)
    Limits().check([1] * 2047, context)


def test_probabilities(llm: Any) -> None:
    loop = _loop(llm, Limits(max_tokens=12, logprobs=3))
    text = "".join(loop.write(_prompt(llm)))
    assert b"".join(one.piece for one in loop.probabilities).decode() == text
    asked = [one for one in loop.probabilities if one.top]
    assert len(asked) == loop._stats.sampled
    for one in asked:
        assert one.logprob < 0
        scores = [other.logprob for other in one.top]
        assert scores == sorted(scores, reverse=True)
        assert one.logprob <= scores[0]
        assert sum(np.exp(scores)) <= 1 + 1e-9


def test_a_generation_left_halfway_leaves_the_model_usable(llm: Any) -> None:
    expected = "".join(_loop(llm).write(_prompt(llm)))
    halfway = _loop(llm).write(_prompt(llm))
    next(halfway)
    next(halfway)
    halfway.close()
    assert "".join(_loop(llm).write(_prompt(llm))) == expected
    assert llm.create_completion("Hello", max_tokens=2, temperature=0)["choices"][0]["text"]
    assert "".join(_loop(llm).write(_prompt(llm))) == expected
