"""Is the distribution that of masking first? On SmolLM2-135M's own logits, over real questions.

    python -m benchmarks.equality QUESTIONS.jsonl.gz [greedy] [chains] [draws] [--count 200] [--json FILE]

greedy: at temperature 0, token for token what `Llama.generate` writes under `LlamaGrammar`. A control token that
llama.cpp takes for text ends the comparison, for the constrained sampler never draws one; such answers are counted.

chains: at each step of such answers, for every chain that truncates, the candidates and their probabilities, against
every token of the vocabulary held to the grammar, and the chain written down plainly in double precision.

draws: at the bare temperature, the probabilities against the same, and as many draws as `--draws` says, spread over 20
steps of which half are at each temperature, against the probabilities by a chi-square test at each step.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from benchmarks.models import smollm2
from benchmarks.questions import Question, questions
from benchmarks.report import Report, arguments, within
from slashgrammar.llama import ConstrainedSampler, generate
from slashgrammar.llama.binding import Context, GrammarEngine, vocabulary
from slashgrammar.llama.utf8 import unfinished
from tests.llama.reference import exact_chain, valid_tokens

TEMPERATURES = (0.8, 1.5)
CHAINS: list[dict[str, Any]] = [
    {},
    {"top_k": 5, "top_p": 1.0, "min_p": 0.0},
    {"top_k": 40, "top_p": 1.0, "min_p": 0.0},
    {"top_k": 40, "typical_p": 0.9, "top_p": 1.0, "min_p": 0.0},
    {"top_k": 40, "typical_p": 0.9},
    {"top_k": 0},
    {"top_k": 0, "top_p": 0.9, "min_p": 0.0},
    {"top_k": 0, "top_p": 0.5, "min_p": 0.0},
    {"top_k": 0, "top_p": 1.0, "min_p": 0.1},
    {"top_k": 0, "typical_p": 0.5, "top_p": 0.9, "min_p": 0.02},
    {"mirostat_mode": 1, "mirostat_tau": 5.0, "mirostat_eta": 0.1},
    {"mirostat_mode": 2, "mirostat_tau": 5.0, "mirostat_eta": 0.1},
    {"mirostat_mode": 2, "mirostat_tau": 2.0, "mirostat_eta": 0.1},
]
BARE: dict[str, Any] = {"top_k": 0, "top_p": 1.0, "min_p": 0.0}
_LIMIT = 1e-6
_DRAWN_STEPS = 20


def main() -> None:
    parser = arguments(__doc__, count=200, tokens=48)
    parser.add_argument("parts", nargs="*", help="greedy, chains, draws; all of them without")
    parser.add_argument("--steps", type=int, default=2000, help="of the chains")
    parser.add_argument("--draws", type=int, default=100_000, help="over all 20 steps")
    options = parser.parse_args()
    llm = smollm2(options.threads)
    report = Report("Equality with masking first")
    for name, part in {"greedy": _greedy, "chains": _chains, "draws": _draws}.items():
        if not options.parts or name in options.parts:
            part(llm, options, report)
    report.finish(options)


def _answer(llm: Any, question: Question, number: int, most: int) -> tuple[Any, list[int], list[int]]:
    """A grammar, the prompt, and the greedy answer without its end; every other question lets the model talk."""
    tools = question.tools
    grammar = tools.compile() if number % 2 else tools.compile(tool_choice="required", parallel=False, prose=False)
    generation = generate(
        llm,
        question.messages,
        tools,
        grammar=grammar,
        force=False,
        temperature=0.0,
        max_tokens=most,
        logprobs=0,
    )
    for _ in generation:
        pass
    ends = vocabulary(llm).ends
    return grammar, generation.prompt, [one.token for one in generation.probabilities if not ends[one.token]]


def _greedy(llm: Any, options: argparse.Namespace, report: Report) -> None:
    known = vocabulary(llm)
    outcomes: Counter[str] = Counter()
    for number, question in enumerate(within(options, questions(options.questions, options.count))):
        grammar, prompt, tokens = _answer(llm, question, number, options.tokens)
        theirs: list[int] = []
        for token in llm.generate(prompt, temp=0.0, repeat_penalty=1.0, grammar=grammar.llama_grammar()):
            if known.ends[token] or known.control[token] or len(theirs) == options.tokens:
                break
            theirs.append(token)
        strayed = bool(known.control[token] and not known.ends[token])
        outcomes["control tokens"] += strayed
        shared = len(theirs) if strayed else options.tokens
        outcomes["questions"] += 1
        outcomes["tokens"] += len(theirs)
        if tokens[:shared] == theirs:
            outcomes["equal"] += 1
        else:
            print(f"{question.name}: {llm.detokenize(tokens)!r} but {llm.detokenize(theirs)!r}")
    report.add(
        part="greedy",
        what="token for token what Llama.generate writes",
        cases=outcomes["questions"],
        equal=outcomes["equal"],
        tokens=outcomes["tokens"],
        control_tokens=outcomes["control tokens"],
    )


def _steps(
    llm: Any, options: argparse.Namespace, chains: list[dict[str, Any]], every: int = 1
) -> Iterator[tuple[list[ConstrainedSampler], np.ndarray, np.ndarray]]:
    """At each step of greedy answers: a sampler for each chain, the logits, and the valid tokens."""
    known, context = vocabulary(llm), Context(llm)
    for number, question in enumerate(questions(options.questions, options.count)):
        grammar, prompt, tokens = _answer(llm, question, number, options.tokens)
        engine, pending = GrammarEngine(llm, grammar.gbnf), b""
        samplers = [ConstrainedSampler(llm, grammar, **chain, seed=number) for chain in chains]
        ids = np.array([*prompt, *tokens], np.int32)
        for place, token in enumerate(tokens):
            if place % every == 0:
                logits = context.evaluate(ids[: len(prompt) + place]).copy()
                yield samplers, logits, valid_tokens(llm, engine, pending)
            for taker in (engine, *samplers):
                taker.accept(token)
            pending = unfinished(pending + known.pieces[token]) or b""


def _chains(llm: Any, options: argparse.Namespace, report: Report) -> None:
    chains = [{**chain, "temperature": temperature} for chain in CHAINS for temperature in TEMPERATURES]
    outcomes = [_Differences(chain) for chain in chains]
    for samplers, logits, valid in within(options, islice(_steps(llm, options, chains), options.steps)):
        for outcome, sampler in zip(outcomes, samplers, strict=True):
            outcome.add(sampler, logits, valid)
    for outcome in outcomes:
        report.add(part="chains", **outcome.row())


class _Differences:
    """How far one chain's candidates are from those of masking first, over all steps."""

    def __init__(self, chain: dict[str, Any]) -> None:
        self._chain = chain
        self._steps = self._equal = self._tokens = 0
        self._largest = 0.0

    def add(self, sampler: ConstrainedSampler, logits: np.ndarray, valid: np.ndarray) -> np.ndarray:
        ids, probabilities = sampler.candidates(logits)
        expected = exact_chain(self._chain, valid, logits)
        same = ids.tolist() == list(expected)
        difference = math.inf
        if same:
            difference = float(np.abs(probabilities - np.fromiter(expected.values(), float)).max())
        self._steps += 1
        self._tokens += len(ids)
        self._equal += int(difference <= _LIMIT)
        self._largest = max(self._largest, difference)
        return probabilities

    def row(self) -> dict[str, Any]:
        what = ", ".join(f"{name} {value}" for name, value in self._chain.items())
        tokens = self._tokens / max(1, self._steps)
        return {
            "what": what,
            "cases": self._steps,
            "equal": self._equal,
            "largest_difference": self._largest,
            "candidates_per_step": tokens,
        }


def _draws(llm: Any, options: argparse.Namespace, report: Report) -> None:
    draws = options.draws // _DRAWN_STEPS
    for temperature in TEMPERATURES:
        chain = {**BARE, "temperature": temperature}
        outcome, likelihoods = _Differences(chain), []
        steps = islice(_steps(llm, options, [chain], every=5), _DRAWN_STEPS // len(TEMPERATURES))
        for (sampler,), logits, valid in steps:
            probabilities = outcome.add(sampler, logits, valid)
            places = {token: place for place, token in enumerate(sampler.candidates(logits)[0].tolist())}
            drawn = np.bincount([places[sampler.sample(logits)] for _ in range(draws)], minlength=len(places))
            likelihoods.append(_likelihood(drawn, probabilities))
        report.add(
            part="draws",
            **outcome.row(),
            draws=draws * len(likelihoods),
            least_p=min(likelihoods),
            steps_below_p_5_percent=sum(bool(one < 0.05) for one in likelihoods),
        )


def _likelihood(drawn: np.ndarray, probabilities: np.ndarray) -> float:
    """How likely draws are at least so far from their probabilities: Pearson's test, rare tokens taken together."""
    expected = probabilities * drawn.sum()
    common = expected >= 5
    observed, wanted = drawn[common].astype(float), expected[common]
    if expected[~common].sum() >= 5:
        observed, wanted = np.append(observed, drawn[~common].sum()), np.append(wanted, expected[~common].sum())
    freedom = len(wanted) - 1
    if freedom < 1:
        return 1.0
    chi_square = float(((observed - wanted) ** 2 / wanted).sum())
    # Wilson and Hilferty (1931): the cube root of a chi-square is nearly normal.
    spread = 2 / (9 * freedom)
    return 0.5 * math.erfc(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(2 * spread))


if __name__ == "__main__":
    main()
