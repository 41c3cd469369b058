"""What it saves to write forced text without asking the model, and whether the answers stay the same.

    python -m benchmarks.forcing QUESTIONS.jsonl.gz [--count 200] [--threads 2] [--json FILE]

SmolLM2-135M answers each question three times behind the same prompt, which the cache holds: with forcing, without, and
free of any grammar, for as many tokens as with forcing. Answers that forcing changes are listed, with the place where
they part, and why: because the text before had been spelled in other tokens, or because evaluating several tokens at
once gave other numbers.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.decoding import Free
from benchmarks.models import smollm2
from benchmarks.questions import Question, questions
from benchmarks.report import Report, arguments, clock, within
from slashgrammar.llama import Generation, generate
from slashgrammar.llama.binding import Context, vocabulary


def main() -> None:
    options = arguments(__doc__, count=200, tokens=96, timed=True).parse_args()
    llm = smollm2(options.threads, exact=True)
    _ = vocabulary(llm).sorted_pieces  # once for each model, and so not a part of an answer
    report = Report("SmolLM2-135M: greedy calls with forced text, and without")
    evaluations = tokens = 0
    seconds: list[tuple[float, float, float]] = []
    parted: Counter[str] = Counter()
    for question in within(options, questions(options.questions, options.count)):
        forced, forced_seconds = _answer(llm, question, options, force=True)
        written = forced.stats.sampled + forced.stats.forced
        alone, alone_seconds = _answer(llm, question, options, force=False)
        seconds.append((forced_seconds, alone_seconds, _free(llm, forced.prompt, written, clock(options))))
        evaluations += forced.stats.evaluations
        tokens += written
        if alone.text != forced.text:
            why, where = _parting(forced, alone)
            parted[why] += 1
            print(f"{question.name}: {why}\n  {where}")
    sums = [sum(column) for column in zip(*seconds, strict=True)]
    report.add(
        questions=len(seconds),
        tokens=tokens,
        evaluations_per_token=evaluations / tokens,
        forced_seconds=sums[0],
        free_seconds=sums[2],
        ratio_to_free=sums[0] / sums[2],
        median_ratio_to_free=statistics.median(forced / free for forced, _, free in seconds),
        ratio_to_unforced=sums[0] / sums[1],
        equal=len(seconds) - parted.total(),
        equal_share=1 - parted.total() / len(seconds),
        **parted,
    )
    report.finish(options)


def _answer(llm: Any, question: Question, options: argparse.Namespace, *, force: bool) -> tuple[Generation, float]:
    """An answer, and the seconds it took behind the prompt."""
    generation = generate(
        llm,
        question.messages,
        question.tools,
        tool_choice="required",
        parallel=False,
        prose=False,
        temperature=0.0,
        max_tokens=options.tokens,
        force=force,
        logprobs=0,
    )
    _hold(llm, generation.prompt)
    now = clock(options)
    begin = now()
    for _ in generation:
        pass
    return generation, now() - begin


def _hold(llm: Any, prompt: list[int]) -> None:
    """Has the cache hold the prompt but for its last token; what it holds already is left as it is.

    A token that is evaluated alone gives other numbers than in the batch of a prompt.
    """
    context, ids = Context(llm), np.array(prompt[:-1], np.int32)
    if context.reusable(ids) < len(ids):
        context.evaluate(ids)


def _free(llm: Any, prompt: list[int], count: int, now: Callable[[], float]) -> float:
    """The seconds that so many tokens take without a grammar."""
    _hold(llm, prompt)
    llm.n_tokens = len(prompt) - 1
    way = Free(llm, {"temperature": 0.0})
    token = prompt[-1]
    begin = now()
    for _ in range(count):
        token = way.draw(token)
    return now() - begin


def _parting(forced: Generation, alone: Generation) -> tuple[str, str]:
    """Why two answers part, and where, with the tokens that the model alone had chosen otherwise before."""
    rows = [[one.piece for one in generation.probabilities] for generation in (forced, alone)]
    texts = [b"".join(row) for row in rows]
    place = _parted(*texts)
    same = _parted(*rows)
    size = len(b"".join(rows[0][:same]))
    where = " but ".join(repr(text[max(0, place - 20) : place + 20].decode("utf-8", "replace")) for text in texts)
    if all(size + len(row[same] if same < len(row) else b"") >= place for row in rows):
        return "other_numbers", where
    spellings = " / ".join(
        " ".join(repr(piece.decode("utf-8", "replace")) for piece in row[same:][:12]) for row in rows
    )
    return "other_spelling", f"{where}\n  from {spellings}"


def _parted(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Where two rows part."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


if __name__ == "__main__":
    main()
