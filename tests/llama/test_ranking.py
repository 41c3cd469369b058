from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.llama.ranking import Ranking


@given(st.integers(0, 2**32), st.integers(1, 3000), st.integers(1, 40), st.data())
def test_the_order_is_that_of_a_stable_sort(seed: int, size: int, levels: int, data: st.DataObject) -> None:
    random = np.random.default_rng(seed)
    logits = random.integers(-levels, levels, size).astype(np.float32)
    logits[random.random(size) < 0.1] = -np.inf
    expected = [token for token in np.argsort(-logits, kind="stable").tolist() if logits[token] > -np.inf]
    ranking, result = Ranking(logits), []
    while not ranking.exhausted:
        count = data.draw(st.integers(1, 200))
        portion = ranking.take(count).tolist()
        assert len(portion) >= min(count, len(expected) - len(result))
        result += portion
        assert all(logits[token] < ranking.floor for token in expected[len(result) :])
        rest = np.exp(logits[expected[len(result) :]].astype(np.float64)).sum()
        np.testing.assert_allclose(ranking.rest(0.0), rest, rtol=1e-9)
    assert result == expected


@given(st.integers(0, 2**32), st.integers(1, 2000), st.integers(1, 300))
def test_what_is_left_out_does_not_come(seed: int, size: int, first: int) -> None:
    random = np.random.default_rng(seed)
    logits = random.normal(0, 1, size).astype(np.float32)
    wanted = random.random(size) < 0.5
    ranking = Ranking(logits)
    result = ranking.take(first).tolist()
    expected = [token for token in np.argsort(-logits, kind="stable").tolist() if wanted[token] or token in result]
    while not ranking.exhausted:
        ranking.keep(wanted)
        result += ranking.take(first).tolist()
    assert result == expected


def test_no_number_is_no_token() -> None:
    logits = np.array([1.0, np.nan, -np.inf, 2.0], np.float32)
    assert Ranking(logits).take(10).tolist() == [3, 0]


@given(st.integers(0, 2**32), st.integers(1, 2000), st.sampled_from([0.0, 1e-9, 0.1, 2.0]), st.integers(0, 300))
def test_tokens_down_to_a_logit(seed: int, size: int, distance: float, most: int) -> None:
    random = np.random.default_rng(seed)
    logits = random.normal(0, 1, size).astype(np.float32)
    expected = np.argsort(-logits, kind="stable").tolist()
    bound = float(logits.max()) - distance
    reaching = [token for token in expected if float(logits[token]) >= bound]
    ranking = Ranking(logits)
    near = ranking.take_down_to(bound, most)
    if near is None:
        near = np.empty(0, np.int32)
        assert len(reaching) >= most
    else:
        assert near[: len(reaching)].tolist() == reaching
        assert ranking.ceiling < bound
        assert all(logits[token] <= ranking.ceiling for token in expected[len(near) :])
    assert [*near.tolist(), *ranking.take(size).tolist()] == expected
