"""What the constraint costs at each token, against the same chain without it, and against llama-cpp-python's grammar.

    python -m benchmarks.overhead QUESTIONS.jsonl.gz [--count 20] [--threads 2] [--json FILE]

SmolLM2-135M writes calls under the grammar, which forces nothing here; then the same tokens are decoded in each way,
turn by turn. The prompt shows the model 3 tools; the grammar has these, or 263 with these among them. The grammar of
llama-cpp-python goes its own way when it draws, and so is timed where there is nothing to draw, in the greedy chain.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from benchmarks.decoding import CHAINS, Free, Masked, Slash, Way, time_tokens, write
from benchmarks.models import smollm2
from benchmarks.questions import many_tools, questions
from benchmarks.report import Report, arguments, clock, within
from benchmarks.tables import Plot
from slashgrammar import ToolSet
from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.llama import generate

Case: TypeAlias = tuple[list[int], CompiledGrammar]
"""A prompt, and what its answer is held to."""

Cases: TypeAlias = Callable[[Any, argparse.Namespace, int], Iterable[Case]]
"""Makes the cases for a model, the options and a number of tools."""


def main() -> None:
    options = arguments(__doc__, count=20, tokens=64, timed=True).parse_args()
    measure("SmolLM2-135M: time per token, nothing forced", smollm2(options.threads), options, _cases)


def measure(title: str, llm: Any, options: argparse.Namespace, cases: Cases) -> None:
    """Measures all chains with 3 and with 263 tools, and prints the table."""
    report = Report(title, Plot("bar", ("free ms", "slash ms"), "milliseconds a token", names=2))
    for tools in (3, 263):
        for chain in CHAINS:
            report.add(tools=tools, chain=chain, **_row(llm, options, chain, cases(llm, options, tools)))
    report.finish(options)


def _row(llm: Any, options: argparse.Namespace, chain: str, cases: Iterable[Case]) -> dict[str, Any]:
    """The medians over all tokens of all cases."""
    times: list[list[float]] = [[], [], []]
    strayed = tokens = 0
    for prompt, grammar in within(options, cases, 0.25):
        text = write(llm, CHAINS[chain], grammar, prompt, options.tokens)
        ways: list[Way] = [Free(llm, CHAINS[chain]), Slash(llm, CHAINS[chain], grammar)]
        masked = Masked(llm, CHAINS[chain], grammar)
        if chain == "greedy":
            ways.append(masked)
        for known, fresh in zip(times, time_tokens(llm, prompt, text, ways, clock(options)), strict=False):
            known += fresh
        strayed += masked.strayed
        tokens += len(text)
    free, slash = statistics.median(times[0]), statistics.median(times[1])
    row: dict[str, Any] = {
        "tokens": tokens,
        "free_ms": 1000 * free,
        "slash_ms": 1000 * slash,
        "slash_ratio": slash / free,
        "slash_ratio_of_sums": sum(times[1]) / sum(times[0]),
        "beyond_ms": 1000 * statistics.median(b - a for a, b in zip(times[0], times[1], strict=True)),
    }
    if times[2]:
        masked_ms = statistics.median(times[2])
        row |= {"LlamaGrammar_ms": 1000 * masked_ms, "LlamaGrammar_ratio": masked_ms / free, "strayed": strayed}
    return row


def _cases(llm: Any, options: argparse.Namespace, size: int) -> Iterator[Case]:
    asked = questions(options.questions, options.count, fewest_tools=3)
    others = questions(options.questions, 1000)
    every = many_tools(asked, others, size).compile(**_CALL) if size > 3 else None
    for question in asked:
        right = question.calls[0].name
        names = [right, *(tool.name for tool in question.tools if tool.name != right)][:3]
        shown: ToolSet = question.tools.select(names)
        grammar = every or shown.compile(**_CALL)
        yield generate(llm, question.messages, shown, grammar=grammar, **_CALL).prompt, grammar


_CALL: dict[str, Any] = {"tool_choice": "required", "parallel": False, "prose": False}


if __name__ == "__main__":
    main()
