"""The time per token with a large vocabulary: Gemma 3 270M, 262,144 tokens.

    python -m benchmarks.gemma QUESTIONS.jsonl.gz [--count 10] [--threads 2] [--json FILE]

The model is a base model without a chat template, so that it gets a text with examples to go on with. Else as in
`benchmarks.overhead`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from benchmarks.models import gemma
from benchmarks.overhead import Case, measure
from benchmarks.questions import Question, many_tools, questions
from benchmarks.report import arguments
from slashgrammar.llama.binding import vocabulary

_SHOWN = 3


def main() -> None:
    options = arguments(__doc__, count=10, tokens=48, timed=True).parse_args()
    measure("Gemma 3 270M: time per token, nothing forced", gemma(options.threads), options, _cases)


def _cases(llm: Any, options: argparse.Namespace, size: int) -> Iterator[Case]:
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
