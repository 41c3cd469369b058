"""Thousands of tokens at temperature 5 without any truncation, over many sets of tools: is all of it valid?

    python -m benchmarks.hot QUESTIONS.jsonl.gz [--tokens 10000] [--sets 20] [--threads 2] [--json FILE]

After each piece the text must be the beginning of a member of the grammar; a message that ends by itself must be a
member, and right for its tools. For each set a reader gives up in the middle of a stream, and the model must still
write the same greedy answer as before.
"""

from __future__ import annotations

import time
from typing import Any

from benchmarks.models import smollm2
from benchmarks.questions import Question, questions
from benchmarks.report import Report, arguments, within
from slashgrammar.llama import generate

_LONGEST = 400
_HOT: dict[str, float] = {"temperature": 5.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0}


class _GivenUp(Exception):
    """The reader of a stream has had enough."""


def main() -> None:
    parser = arguments(__doc__, tokens=10_000)
    parser.add_argument("--sets", type=int, default=20, help="so many sets of tools")
    options = parser.parse_args()
    llm = smollm2(options.threads)
    report = Report("Temperature 5, no truncation")
    asked = questions(options.questions, options.sets)
    for number, question in enumerate(within(options, asked)):
        begin = time.perf_counter()
        row = _write(llm, question, options.tokens // len(asked), number)
        usable = _give_up(llm, question)
        report.add(tools=question.name, **row, usable=usable, seconds=time.perf_counter() - begin)
    totals = {name: sum(row[name] for row in report.rows) for name in ("tokens", "messages", "ended", "invalid")}
    report.add(tools="all", **totals, usable=all(row["usable"] for row in report.rows))
    report.finish(options)


def _write(llm: Any, question: Question, tokens: int, seed: int) -> dict[str, int]:
    """Writes so many tokens, in as many messages as it takes."""
    row = {"tokens": 0, "messages": 0, "ended": 0, "invalid": 0}
    grammar = question.tools.compile()
    while row["tokens"] < tokens:
        budget = min(_LONGEST, tokens - row["tokens"])
        generation = generate(
            llm, question.messages, question.tools, grammar=grammar, max_tokens=budget, seed=seed, **_HOT
        )
        matcher, seen, valid = grammar.matcher(), 0, True
        for _ in generation:
            valid &= matcher.feed(generation.text[seen:])
            seen = len(generation.text)
        valid &= matcher.feed(generation.text[seen:])
        if generation.finish_reason in ("stop", "tool_calls"):
            row["ended"] += 1
            valid &= grammar.matches(generation.text) and not question.tools.check(generation.text)
        row["invalid"] += not valid
        row["messages"] += 1
        row["tokens"] += generation.stats.sampled + generation.stats.forced
        seed += 1000
    return row


def _give_up(llm: Any, question: Question) -> bool:
    """Whether the model answers as before when a reader has thrown an exception in the middle of a stream."""
    expected = _answer(llm, question)
    try:
        for count, _ in enumerate(generate(llm, question.messages, question.tools, seed=1, **_HOT)):
            if count == 5:
                raise _GivenUp
    except _GivenUp:
        pass
    return _answer(llm, question) == expected


def _answer(llm: Any, question: Question) -> str:
    generation = generate(llm, question.messages, question.tools, temperature=0.0, max_tokens=24)
    for _ in generation:
        pass
    return generation.text


if __name__ == "__main__":
    main()
