from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.llama.chain import Chain, Found, kept

CHAINS: list[dict[str, Any]] = [
    {},
    {"top_k": 3},
    {"top_k": 0},
    {"top_k": 0, "min_p": 0.0},
    {"top_k": 0, "top_p": 1.0},
    {"top_k": 5, "top_p": 1.0, "min_p": 0.0},
    {"typical_p": 0.5},
    {"mirostat_mode": 1},
    {"mirostat_mode": 2, "mirostat_tau": 1.0},
    {"temperature": 0.0},
]


@given(st.sampled_from(CHAINS), st.lists(st.floats(-20, 20), min_size=1, max_size=150), st.data())
def test_bounds_hold_whatever_is_still_to_be_found(
    settings: dict[str, Any], numbers: list[float], data: st.DataObject
) -> None:
    chain = Chain(**settings)
    logits = np.array(sorted(numbers, reverse=True))
    mu = 2 * chain.mirostat_tau
    true, _ = kept(chain, Found(logits, -math.inf, 0.0), mu, 1000)
    size = data.draw(st.integers(1, len(logits)))
    ceiling = logits[size] if size < len(logits) else logits[-1]
    rest = float(np.exp(logits[size:] - logits[0]).sum()) if chain.weighs_rest else math.inf
    least, most = kept(chain, Found(logits[:size], float(ceiling), rest), mu, 1000)
    assert least <= true <= most


@pytest.mark.parametrize("settings", CHAINS, ids=str)
def test_bounds_meet_when_all_is_found(settings: dict[str, Any]) -> None:
    logits = np.linspace(3, -3, 120)
    least, most = kept(Chain(**settings), Found(logits, -math.inf, 0.0), 5.0, 1000)
    assert 1 <= least == most <= 120


def test_nothing_found() -> None:
    nothing = np.empty(0)
    assert kept(Chain(), Found(nothing, 3.0, math.inf), 5.0, 1000) == (0, math.inf)
    assert kept(Chain(), Found(nothing, -math.inf, 0.0), 5.0, 1000) == (0, 0)


@pytest.mark.parametrize(
    "settings", [{"mirostat_mode": 3}, {"temperature": math.nan}, {"top_p": math.inf}, {"min_p": -math.inf}]
)
def test_parameters_without_sense(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"mirostat_mode|finite"):
        Chain(**settings)


def test_negative_temperature_is_the_models_own_distribution() -> None:
    chain = Chain(temperature=-1.0)
    assert chain.temperature == 1
    assert not chain.truncates
