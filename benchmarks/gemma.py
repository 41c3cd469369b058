"""The time per token with a large vocabulary: Gemma 3 270M, 262,144 tokens.

    python -m benchmarks.gemma QUESTIONS.jsonl.gz [--count 10] [--threads 2] [--json FILE]

The model is a base model without a chat template, so that it gets a text with examples to go on with. Else as in
`benchmarks.overhead`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.decoding import CHAINS
from benchmarks.models import gemma
from benchmarks.overhead import measure
from benchmarks.questions import Question, many_tools, questions
from benchmarks.report import Report, arguments, within
from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.llama.binding import vocabulary

_SHOWN = 3


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--count", type=int, default=10, help="questions for each grammar and chain")
    parser.add_argument("--tokens", type=int, default=48, help="the most tokens of an answer")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    llm = gemma(options.threads)
    report = Report("Gemma 3 270M: time per token, nothing forced", options)
    for tools in (3, 263):
        for chain in CHAINS:
            measure(report, options, llm, chain, tools, within(options, _cases(llm, options, tools), 0.25))
    report.finish()


def _cases(llm: Any, options: argparse.Namespace, size: int) -> Iterator[tuple[list[int], CompiledGrammar]]:
    asked = questions(options.questions, options.count + _SHOWN, most_tools=1)
    examples, asked = asked[:_SHOWN], asked[_SHOWN:]
    others = questions(options.questions, 1000)
    for question in asked:
        tools = many_tools([question, *examples], [] if size == 3 else others, size)
        grammar = tools.compile(tool_choice="required", parallel=False, prose=False)
        signatures = "\n".join(tool.signature() for tool in many_tools([question, *examples], [], 4))
        parts = [f"Commands:\n{signatures}\n", *map(_solved, examples), f"Request: {question.text}\n"]
        yield vocabulary(llm).tokenize("\n".join(parts), start=True), grammar


def _solved(question: Question) -> str:
    return f"Request: {question.text}\n{question.tools.render(question.calls)}\n"


if __name__ == "__main__":
    main()
