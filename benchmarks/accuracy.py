"""What the format and the constraint do to a real model's answers.

    python -m benchmarks.accuracy QUESTIONS.jsonl.gz [--count 150] [--every-prompt] [--json FILE]

SmolLM2-135M answers questions that have one tool and one right call, greedily: as slash commands and as JSON in
`<tool_call>` tags, held to the grammar and free. Both prompts hold the same descriptions of tools and parameters. Each
format is tried with and without an example of a call before the question, where `generate` has it; the table has the
better one of each, unless every prompt is asked for. Free answers are read leniently, mended where a repair is known;
held ones count when they end within the budget.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import hermes_way
from benchmarks.matching import right
from benchmarks.models import smollm2
from benchmarks.questions import Question, questions
from benchmarks.report import Report, arguments, within
from slashgrammar import Call, SlashError
from slashgrammar.llama.limits import Limits
from slashgrammar.llama.writing import Writing
from slashgrammar.prompts.example import dotted, example_call, example_request
from slashgrammar.prompts.signature import prompt


@dataclass(frozen=True)
class Variant:
    """A way to ask for a call."""

    style: str
    held: bool
    example: bool


def main() -> None:
    parser = arguments(__doc__, count=150, tokens=128)
    parser.add_argument("--every-prompt", action="store_true")
    parser.add_argument("--answers", type=Path, help="where to write every answer, to be read by eye")
    options = parser.parse_args()
    llm = smollm2(options.threads)
    counts = {variant: Counter[str]() for variant in _variants()}
    lines = []
    for question in within(options, _single(options)):
        for variant, count in counts.items():
            text, calls, ended = _answer(llm, question, variant, options.tokens)
            good = ended and right(calls, question.calls[0], question.tools[question.calls[0].name])
            count["questions"] += 1
            count["ended"] += ended
            count["one_call"] += ended and len(calls) == 1
            count["right_tool"] += ended and len(calls) == 1 and calls[0].name == question.calls[0].name
            count["right_arguments"] += good
            lines.append(f"{question.name} {variant}\n{text}\n-> {good}, expected {question.calls[0].arguments}\n")
    if options.answers is not None:
        options.answers.write_text("\n".join(lines), encoding="utf-8")
    report = Report("SmolLM2-135M: right calls of one tool")
    for variant in counts if options.every_prompt else _best(counts):
        report.add(
            format=variant.style,
            held="to the grammar" if variant.held else "free",
            example="yes" if variant.example else "no",
            **{name: counts[variant][name] for name in ("questions", "one_call", "right_tool", "right_arguments")},
            right_share=counts[variant]["right_arguments"] / counts[variant]["questions"],
        )
    report.finish(options)


def _variants() -> list[Variant]:
    """Those with the same prompt stand together, so that the cache has it."""
    choices = itertools.product(("slash", "json"), (True, False), (True, False))
    return [Variant(style, held, example) for style, example, held in choices]


def _best(counts: dict[Variant, Counter[str]]) -> Iterator[Variant]:
    """The better prompt of each format, held and free."""
    for style, held in itertools.product(("slash", "json"), (True, False)):
        prompts = [Variant(style, held, example) for example in (True, False)]
        yield max(prompts, key=lambda variant: counts[variant]["right_arguments"])


def _single(options: argparse.Namespace) -> list[Question]:
    asked = [one for one in questions(options.questions, 10_000, most_tools=1) if len(one.calls) == 1]
    return asked[: options.count]


def _answer(llm: Any, question: Question, variant: Variant, most: int) -> tuple[str, list[Call], bool]:
    """The text, the calls in it, and whether it ended by itself."""
    slash, tools = variant.style == "slash", question.tools
    shown = dotted(example_call(tools), tools)
    told = prompt(tools, descriptions=True, parallel=False, example=not variant.example)
    messages: list[dict[str, Any]] = [{"role": "system", "content": told if slash else hermes_way.system(tools)}]
    if variant.example:
        messages.append({"role": "user", "content": example_request(tools[shown.name], shown)})
        messages.append({"role": "assistant", "content": tools.render([shown]) if slash else hermes_way.written(shown)})
    grammar: Any = None
    if variant.held:
        choices: dict[str, Any] = {"tool_choice": "required", "parallel": False, "prose": False}
        grammar = tools.compile(**choices) if slash else hermes_way.gbnf(tools, tagged=True)
    writing = Writing(llm, [*messages, *question.messages], grammar, Limits(most), temperature=0.0)
    text = writing.message
    return text, _read(text, question, slash), not variant.held or writing.finish_reason == "stop"


def _read(text: str, question: Question, slash: bool) -> list[Call]:
    if not slash:
        return hermes_way.read(text)
    try:
        return question.tools.parse(text, lenient=True).calls
    except SlashError:
        return []


if __name__ == "__main__":
    main()
