from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.llama.ranking import Ranking, near_the_best


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


@given(
    st.integers(0, 2**32),
    st.integers(1, 2000),
    st.sampled_from([0.0, 1e-9, 0.1, 2.0]),
    st.integers(0, 300),
    st.booleans(),
)
def test_tokens_near_the_best(seed: int, size: int, gap: float, most: int, coarse: bool) -> None:
    random = np.random.default_rng(seed)
    logits = random.normal(0, 1, size).astype(np.float32)
    if coarse:
        logits = np.round(logits, 1)
    expected = np.argsort(-logits, kind="stable").tolist()
    reaching = [token for token in expected if float(logits[token]) >= float(logits.max()) - gap]
    found = near_the_best(logits, gap, most)
    if found is None:
        assert len(reaching) >= most
        return
    near, ceiling = found
    assert near[: len(reaching)].tolist() == reaching
    assert near.tolist() == expected[: len(near)]
    assert ceiling < float(logits.max()) - gap
    assert all(logits[token] <= ceiling for token in expected[len(near) :])


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("size", [1, 63, 64, 130])
def test_nothing_is_near_what_is_no_finite_number(wrong: float, size: int) -> None:
    logits = np.full(size, -np.inf, np.float32)
    logits[-1] = wrong
    assert near_the_best(logits, 1.0, 10) is None
