from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from slashgrammar import Tool, ToolSet
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


@pytest.mark.parametrize(
    "chain", [{"temperature": 0.8}, {"temperature": 1.5}, {"temperature": 1.5, "mirostat_mode": 2}]
)
def test_forcing_changes_nothing_that_is_drawn(llm: Any, chain: dict[str, Any]) -> None:
    respelled = False
    for seed in range(12):
        limits = Limits(max_tokens=80, logprobs=0)
        free, forced = (_loop(llm, limits, force=force, seed=seed, **chain) for force in (False, True))
        texts = ["".join(loop.write(_prompt(llm))) for loop in (free, forced)]
        assert texts[0] == texts[1]
        assert forced._stats.evaluations < free._stats.evaluations
        written = [one.token for one in forced.probabilities]
        respelled |= written != vocabulary(llm).tokenize(texts[1])
    assert respelled  # the model has written some of them in tokens of its own


@pytest.mark.parametrize("dialect", ["slash", "hermes"])
def test_forced_text_that_a_bias_spells_letter_by_letter(llm: Any, dialect: Any) -> None:
    known = vocabulary(llm)
    letters = {token: 60.0 for token, piece in enumerate(known.pieces) if len(piece) == 1 and not known.unfit[token]}
    tool = Tool("wähle", {"properties": {"größe": {"enum": ["é😀-long", "é😀-longer"]}}, "required": ["größe"]})
    grammar = ToolSet([tool]).compile(tool_choice="required", parallel=False, prose=False, dialect=dialect)
    texts = []
    for force in (False, True):
        sampler = ConstrainedSampler(llm, grammar, temperature=0.0, logit_bias=letters)
        forcing = Forcing(known, grammar.matcher(), force=force, control_tokens=grammar.control_tokens)
        loop = TokenLoop(known, Context(llm), sampler, forcing, Limits(max_tokens=200), Stats())
        texts.append("".join(loop.write(_prompt(llm))))
        assert grammar.matches(texts[-1])
    assert texts[0] == texts[1]


def test_processors_see_the_text_before_each_token(llm: Any) -> None:
    seen: dict[bool, dict[tuple[int, ...], int]] = {}
    for force in (False, True):
        rows = seen[force] = {}

        def look(ids: Any, logits: Any, rows: dict[tuple[int, ...], int] = rows) -> Any:
            rows[tuple(ids.tolist())] = int(logits.argmax())
            return logits

        "".join(_loop(llm, force=force, logits_processor=[look]).write(_prompt(llm)))
    assert len(seen[True]) >= 10
    assert seen[True].items() <= seen[False].items()


def test_a_draft_has_the_numbers_of_one_token_after_the_other(llm: Any) -> None:
    context, prompt = Context(llm), _prompt(llm)
    ids = np.array([*prompt, *vocabulary(llm).tokenize('/weather\ncity="')], np.int32)
    size = len(ids) - len(prompt)
    context.empty()
    context.evaluate(ids[: len(prompt) - 1])
    alone = [context.evaluate(ids[: len(prompt) + place]).copy() for place in range(size)]
    for held in (len(prompt) - 1, len(prompt), len(ids)):
        context.hold(ids[:held])
        calls = context.calls
        together = [row.copy() for row in context.evaluate_draft(ids, size)]
        assert context.calls == calls + 1
        assert np.abs(np.array(together) - np.array(alone)).max() < 1e-2
        assert llm.n_tokens == len(ids)
    context.evaluate(ids)
    assert context.calls == calls + 1  # the numbers behind the draft are there already


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
    assert len(asked) >= loop._stats.sampled + 4  # forced tokens, too, but for those that end everything
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
