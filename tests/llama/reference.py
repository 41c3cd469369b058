"""Masking first, as the sampler must agree with it: every token meets the grammar, then llama.cpp's own chain runs."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np
from llama_cpp import llama_cpp as lib
from numpy.typing import NDArray

from slashgrammar.llama.binding import GrammarEngine, vocabulary
from slashgrammar.llama.utf8 import unfinished

CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)], align=True)


def valid_tokens(llm: Any, engine: GrammarEngine, pending: bytes = b"") -> NDArray[np.int32]:
    """Every token that may come next."""
    known = vocabulary(llm)
    every = np.arange(known.size, dtype=np.int32)
    valid = every[engine.allowed(every) & ~known.unfit]
    if pending:
        valid = valid[~known.ends[valid]]
    keep = [not known.ragged[token] or unfinished(pending + known.pieces[token]) is not None for token in valid]
    return valid[np.array(keep, bool)]


def run_chain(samplers: list[Any], ids: NDArray[np.int32], logits: NDArray[np.float32]) -> dict[int, float]:
    """The tokens that llama.cpp's samplers leave, with their probabilities."""
    data = np.zeros(len(ids), CANDIDATE)
    data["id"], data["logit"] = ids, logits[ids]
    array = lib.llama_token_data_array(data.ctypes.data_as(lib.llama_token_data_p), len(ids), -1, False)
    for sampler in samplers:
        lib.llama_sampler_apply(sampler, ctypes.byref(array))
        lib.llama_sampler_free(sampler)
    # A sampler may have put its own buffer in place of ours.
    buffer = (lib.llama_token_data * array.size).from_address(ctypes.addressof(array.data.contents))
    left = np.frombuffer(buffer, CANDIDATE)
    masses = np.exp(left["logit"].astype(np.float64) - left["logit"].max())
    return dict(zip(left["id"].tolist(), (masses / masses.sum()).tolist(), strict=True))


def llama_chain(chain: dict[str, Any], n_vocab: int) -> list[Any]:
    """llama-cpp-python's chain behind the grammar, without the final draw where that can be left out."""
    if chain.get("mirostat_mode") == 1:
        return [lib.llama_sampler_init_mirostat(n_vocab, 1, chain["mirostat_tau"], chain["mirostat_eta"], 100)]
    if chain.get("mirostat_mode") == 2:
        return [lib.llama_sampler_init_mirostat_v2(1, chain["mirostat_tau"], chain["mirostat_eta"])]
    return [
        lib.llama_sampler_init_top_k(chain.get("top_k", 40)),
        lib.llama_sampler_init_typical(chain.get("typical_p", 1.0), 1),
        lib.llama_sampler_init_top_p(chain.get("top_p", 0.95), 1),
        lib.llama_sampler_init_min_p(chain.get("min_p", 0.05), 1),
        lib.llama_sampler_init_temp(chain.get("temperature", 0.8)),
    ]


def exact_chain(chain: dict[str, Any], ids: NDArray[np.int32], logits: NDArray[np.float32]) -> dict[int, float]:
    """The same chain written down plainly, in double precision; mirostat at its start, with mu at twice tau."""
    left = ids[np.lexsort((ids, -logits[ids]))]
    if chain.get("mirostat_mode"):
        left = left[: _mirostat(chain["mirostat_mode"], 2 * chain["mirostat_tau"], _softmax(logits[left]), len(logits))]
        masses = _softmax(logits[left])
        return dict(zip(left.tolist(), masses.tolist(), strict=True))
    if chain.get("top_k", 40) > 0:
        left = left[: chain.get("top_k", 40)]
    if chain.get("typical_p", 1.0) < 1:
        masses = _softmax(logits[left])
        entropy = -math.fsum(masses * np.log(masses))
        order = np.argsort(np.abs(-np.log(masses) - entropy), kind="stable")
        left = left[sorted(order[: _reach(masses[order], chain["typical_p"], beyond=True)])]
    if chain.get("top_p", 0.95) < 1:
        left = left[: _reach(_softmax(logits[left]), chain.get("top_p", 0.95))]
    if chain.get("min_p", 0.05) > 0:
        left = left[logits[left] >= float(logits[left[0]]) + math.log(chain.get("min_p", 0.05))]
    masses = _softmax(logits[left].astype(np.float64) / chain.get("temperature", 0.8))
    return dict(zip(left.tolist(), masses.tolist(), strict=True))


def _mirostat(mode: int, mu: float, masses: NDArray[np.float64], n_vocab: int) -> int:
    """How many tokens stay below the surprise of mu bits; mode 1 estimates that from the slope of the first hundred."""
    if mode == 2:
        return max(1, int((-np.log2(masses) <= mu).sum()))
    if len(masses) < 2:
        return 1
    ratios = np.log(masses[:-1][:99] / masses[1:100])
    steps = np.log(np.arange(2, len(ratios) + 2) / np.arange(1, len(ratios) + 1))
    slope = float(ratios @ steps / (steps @ steps))
    size = ((slope - 1) * 2**mu / (1 - float(n_vocab) ** -(slope - 1))) ** (1 / slope)
    return min(len(masses), max(1, int(size)))


def _softmax(logits: NDArray[Any]) -> NDArray[np.float64]:
    masses = np.exp(logits.astype(np.float64) - float(logits.max()))
    result: NDArray[np.float64] = masses / math.fsum(masses)
    return result


def _reach(masses: NDArray[np.float64], goal: float, beyond: bool = False) -> int:
    """How many masses it takes to reach the goal, or to get beyond it."""
    total = 0.0
    for place, mass in enumerate(masses.tolist()):
        total += mass
        if total > goal or (total == goal and not beyond):
            return place + 1
    return len(masses)
