"""What a finished valid call costs, the prompt included, here and by llama-cpp-python's own means.

    python -m benchmarks.calls QUESTIONS.jsonl.gz [--count 200] [--threads 2] [--json FILE]

SmolLM2-135M answers each question twice from an empty cache, greedily: by `generate`, and by `create_chat_completion`
with the tools as JSON in a system message as Hermes 2 Pro and Qwen 2.5 have it, under `LlamaGrammar` from the same
schemas. A call counts when it ends within the budget and fits its tool. Questions whose schemas llama-cpp-python does
not convert are left out on both sides.
"""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass, field
from typing import Any

from llama_cpp import LlamaGrammar

from benchmarks import hermes_way
from benchmarks.models import smollm2
from benchmarks.questions import Question, questions
from benchmarks.report import Report, arguments, clock, within
from benchmarks.tables import Plot
from slashgrammar import Call, SlashError, ToolSet
from slashgrammar.llama import generate
from slashgrammar.llama.binding import vocabulary


@dataclass
class _Side:
    """What one way took, and what came of it."""

    seconds: list[float] = field(default_factory=list)
    valid: list[bool] = field(default_factory=list)
    prompt_tokens: int = 0
    tokens: int = 0

    @property
    def per_call(self) -> float:
        return sum(self.seconds) / max(1, sum(self.valid))


def main() -> None:
    options = arguments(__doc__, count=200, tokens=128, timed=True).parse_args()
    llm, now = smollm2(options.threads), clock(options)
    _ = vocabulary(llm).sorted_pieces  # once for each model, and so not a part of a call
    sides = {"slashgrammar": _Side(), "llama-cpp-python": _Side()}
    for question in within(options, questions(options.questions, options.count)):
        if hermes_way.gbnf(question.tools) is None:
            continue
        for side, answer in zip(sides.values(), (_slash, _hermes), strict=True):
            llm.reset()
            begin = now()
            valid, prompt_tokens, tokens = answer(llm, question, options.tokens)
            side.seconds.append(now() - begin)
            side.valid.append(valid)
            side.prompt_tokens += prompt_tokens
            side.tokens += tokens
    report = Report(
        "SmolLM2-135M: seconds per finished valid call, prompt included",
        Plot("bar", ("seconds per valid call",), "seconds a valid call"),
    )
    base = sides["llama-cpp-python"].per_call
    for name, side in sides.items():
        asked = len(side.seconds)
        report.add(
            way=name,
            questions=asked,
            valid_calls=sum(side.valid),
            seconds=sum(side.seconds),
            seconds_per_valid_call=side.per_call,
            ratio=side.per_call / base,
            median_seconds=statistics.median(side.seconds),
            prompt_tokens=side.prompt_tokens / asked,
            tokens=side.tokens / asked,
        )
    report.finish(options)


def _slash(llm: Any, question: Question, most: int) -> tuple[bool, int, int]:
    generation = generate(
        llm,
        question.messages,
        question.tools,
        tool_choice="required",
        parallel=False,
        prose=False,
        temperature=0.0,
        max_tokens=most,
    )
    try:
        valid = bool(generation.message.calls) and generation.finish_reason == "tool_calls"
    except SlashError:
        valid = False
    return valid, generation.stats.prompt_tokens, generation.stats.sampled + generation.stats.forced


def _hermes(llm: Any, question: Question, most: int) -> tuple[bool, int, int]:
    text = hermes_way.gbnf(question.tools)
    assert text is not None
    answer = llm.create_chat_completion(
        [{"role": "system", "content": hermes_way.system(question.tools)}, *question.messages],
        grammar=LlamaGrammar.from_string(text, verbose=False),
        temperature=0.0,
        repeat_penalty=1.0,
        max_tokens=most,
    )
    usage = answer["usage"]
    valid = _fits(answer["choices"][0]["message"]["content"], question.tools)
    return valid, usage["prompt_tokens"], usage["completion_tokens"]


def _fits(text: str, tools: ToolSet) -> bool:
    """Whether the text is one whole call that fits its tool."""
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return not tools.check(tools.render([Call(value["name"], value["arguments"])]))


if __name__ == "__main__":
    main()
