"""What the constraint costs at each token, against the same chain without it, and against llama-cpp-python's grammar.

    python -m benchmarks.overhead QUESTIONS.jsonl.gz [--count 20] [--threads 2] [--json FILE]

SmolLM2-135M writes calls under the grammar, which forces nothing here; then the same tokens are decoded in each way,
turn by turn. The prompt shows the model 3 tools; the grammar has these, or 263 with these among them. The grammar of
llama-cpp-python goes its own way when it draws, and so is timed where there is nothing to draw, in the greedy chain.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.decoding import CHAINS, Free, Masked, Slash, Way, time_tokens, write
from benchmarks.models import smollm2
from benchmarks.questions import many_tools, questions
from benchmarks.report import Report, arguments, clock, within
from slashgrammar import ToolSet
from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.llama import generate

Cases = Iterable[tuple[list[int], CompiledGrammar]]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--count", type=int, default=20, help="questions for each grammar and chain")
    parser.add_argument("--tokens", type=int, default=64, help="the most tokens of an answer")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    llm = smollm2(options.threads)
    report = Report("SmolLM2-135M: time per token, nothing forced", options)
    for tools in (3, 263):
        for chain in CHAINS:
            measure(report, options, llm, chain, tools, within(options, _cases(llm, options, tools), 0.25))
    report.finish()


def measure(report: Report, options: argparse.Namespace, llm: Any, chain: str, tools: int, cases: Cases) -> None:
    """Adds a row of the medians over all tokens of all cases, each a prompt and its grammar."""
    times: list[list[float]] = [[], [], []]
    strayed = tokens = 0
    for prompt, grammar in cases:
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
        "tools": tools,
        "chain": chain,
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
    report.add(**row)


def _cases(llm: Any, options: argparse.Namespace, size: int) -> Iterator[tuple[list[int], CompiledGrammar]]:
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
