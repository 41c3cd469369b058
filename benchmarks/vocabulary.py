"""What the constraint costs at each token of a large vocabulary, without a model: the logits are made up.

    python -m benchmarks.vocabulary QUESTIONS.jsonl.gz VOCABULARY.gguf [--count 5] [--json FILE]

The text is a sentence and a call, under the grammar of all messages. Logits are peaked on the token that the text goes
on with, peaked on fifty others, or flat. Beside each other: the constrained sampler, llama.cpp's chain without a
constraint, and masking the whole vocabulary with llama.cpp's engine before that chain.
"""

from __future__ import annotations

import argparse
import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from llama_cpp import Llama
from llama_cpp import llama_cpp as lib

from benchmarks.questions import Question, many_tools, questions
from benchmarks.report import Report, arguments, clock, within
from benchmarks.tables import Plot
from slashgrammar.llama import ConstrainedSampler
from slashgrammar.llama.binding import GrammarEngine, vocabulary

_KINDS = ("peaked on valid", "peaked on invalid", "flat")
_CHAINS: dict[str, dict[str, Any]] = {
    "default": {},
    "greedy": {"temperature": 0.0},
    "temperature only": {"top_k": 0, "top_p": 1.0, "min_p": 0.0},
}
_PLOT = Plot(
    "bar",
    ("slash median", "masked median"),
    "milliseconds a token",
    logarithmic=True,
    only={"logits": "peaked on valid", "chain": "default"},
)
_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)], align=True)


def main() -> None:
    parser = arguments(__doc__, count=5, timed=True)
    parser.add_argument("vocabulary", type=Path)
    parser.add_argument("--masked", type=int, default=4, help="mask at each so many-th token only")
    options = parser.parse_args()
    llm = Llama(str(options.vocabulary), vocab_only=True, verbose=False)
    report = Report(f"{vocabulary(llm).size} tokens, made-up logits: milliseconds per token", _PLOT)
    asked = questions(options.questions, options.count, most_tools=3)
    others = questions(options.questions, 1000)
    for tools in (3, 30, 263):
        times = _Times()
        for number, question in enumerate(within(options, asked, 1 / 3)):
            _measure(llm, question, [*asked[:number], *others], tools, options, times)
        for (kind, chain), columns in times.items():
            report.add(tools=tools, logits=kind, chain=chain, **_row(columns))
    report.finish(options)


class _Times(dict[tuple[str, str], dict[str, list[float]]]):
    """Seconds by kind of logits and chain, then by side."""

    def __missing__(self, key: tuple[str, str]) -> dict[str, list[float]]:
        self[key] = {"slash": [], "slash_at_masked": [], "free": [], "masked": []}
        return self[key]


def _measure(
    llm: Any, question: Question, others: list[Question], tools: int, options: argparse.Namespace, times: _Times
) -> None:
    now = clock(options)
    known = vocabulary(llm)
    shown = many_tools([question], others, tools)
    grammar = shown.compile()
    tokens = known.tokenize(f"Let me see.\n\n{shown.render(question.calls[:1])}\n")
    engine, random = GrammarEngine(llm, grammar.gbnf), np.random.default_rng(1)
    samplers = {name: ConstrainedSampler(llm, grammar, **chain, seed=1) for name, chain in _CHAINS.items()}
    every = np.arange(known.size, dtype=np.int32)
    for place, token in enumerate(tokens):
        for kind in _KINDS:
            logits = _logits(kind, known.size, token, random)
            mask, mask_seconds = None, 0.0
            if place % options.masked == 0:
                mask, mask_seconds = _timed(now, lambda: engine.allowed(every))
            for name, chain in _CHAINS.items():
                columns = times[kind, name]
                slash = _timed(now, lambda sampler=samplers[name], logits=logits: sampler.sample(logits))[1]
                columns["slash"].append(slash)
                columns["free"].append(_chain_seconds(now, chain, logits, every))
                if mask is not None:
                    columns["slash_at_masked"].append(slash)
                    valid = np.flatnonzero(mask).astype(np.int32)
                    columns["masked"].append(mask_seconds + _chain_seconds(now, chain, logits, valid))
        for name, sampler in samplers.items():
            seconds = _timed(now, lambda sampler=sampler, token=token: sampler.accept(token))[1]
            for kind in _KINDS:
                times[kind, name]["slash"][-1] += seconds
        engine.accept(token)


def _logits(kind: str, size: int, token: int, random: np.random.Generator) -> np.ndarray:
    logits = random.normal(0, 0.3 if kind == "flat" else 2.0, size).astype(np.float32)
    if kind == "peaked on valid":
        logits[token] = logits.max() + random.normal(3, 2)
    elif kind == "peaked on invalid":
        logits[random.integers(0, size, 50)] += 15
    return logits


def _timed(now: Callable[[], float], work: Callable[[], Any]) -> tuple[Any, float]:
    begin = now()
    result = work()
    return result, now() - begin


def _chain_seconds(now: Callable[[], float], chain: dict[str, Any], logits: np.ndarray, ids: np.ndarray) -> float:
    """Seconds of llama.cpp's chain over these tokens, its table of candidates included."""
    samplers = _samplers(chain)
    begin = now()
    data = np.empty(len(ids), _CANDIDATE)
    data["id"], data["logit"] = ids, logits[ids]
    array = lib.llama_token_data_array(data.ctypes.data_as(lib.llama_token_data_p), len(ids), -1, False)
    for sampler in samplers:
        lib.llama_sampler_apply(sampler, ctypes.byref(array))
    seconds = now() - begin
    for sampler in samplers:
        lib.llama_sampler_free(sampler)
    return seconds


def _samplers(chain: dict[str, Any]) -> list[Any]:
    if chain.get("temperature") == 0:
        return [lib.llama_sampler_init_greedy()]
    return [
        lib.llama_sampler_init_top_k(chain.get("top_k", 40)),
        lib.llama_sampler_init_top_p(chain.get("top_p", 0.95), 1),
        lib.llama_sampler_init_min_p(chain.get("min_p", 0.05), 1),
        lib.llama_sampler_init_temp(0.8),
        lib.llama_sampler_init_dist(1),
    ]


def _row(columns: dict[str, list[float]]) -> dict[str, float]:
    slash, free, masked = (1000 * np.array(columns[side]) for side in ("slash", "free", "masked"))
    ours = 1000 * np.array(columns["slash_at_masked"])
    return {
        "slash_median": float(np.median(slash)),
        "slash_p99": float(np.percentile(slash, 99)),
        "free_median": float(np.median(free)),
        "beyond_median": float(np.median(slash - free)),
        "beyond_p99": float(np.percentile(slash - free, 99)),
        "masked_median": float(np.median(masked)),
        "masked_p99": float(np.percentile(masked, 99)),
        "ratio_of_sums": float(ours.sum() / masked.sum()),
        "slower_than_masked": int((ours > masked).sum()),
        "of": len(ours),
        "tokens": len(slash),
    }


if __name__ == "__main__":
    main()
