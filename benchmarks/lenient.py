"""What a small model writes when nothing constrains it, read strictly and leniently.

    python -m benchmarks.lenient [--quick] [--json FILE] [--output answers.jsonl]

The model is the one of `slashgrammar demo`; it gets the system prompt of `ToolSet.prompt`, at temperature 0. The output
has a line for each answer, with its calls and its repairs, to be read by eye: whether a repair changed what was meant,
no program can say.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from llama_cpp import Llama

from benchmarks import data, tables
from benchmarks.models import smollm2
from benchmarks.tables import Table
from slashgrammar import Message, TextError, ToolError, ToolSet

_TOKENS = 128


def main() -> None:
    parser = tables.arguments(__doc__)
    parser.add_argument("--output", type=Path, metavar="FILE", help="write each answer here, as a line of JSON")
    options = parser.parse_args()
    llm = smollm2(threads=2)
    counts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    lines = []
    for question in tables.track(_questions(4 if options.quick else 200), "answers"):
        answer = _answer(llm, question)
        if answer is None:
            continue
        tools, text = answer
        outcome = {
            "text": text,
            "strict": _read(tools, text, lenient=False),
            "lenient": _read(tools, text, lenient=True),
        }
        lines.append(json.dumps(outcome, ensure_ascii=False))
        counts["answers"] += 1
        for reading in ("strict", "lenient"):
            counts[f"{reading}, right"] += "error" not in outcome[reading]
            counts[f"{reading}, calls"] += bool(outcome[reading].get("calls"))
        kinds.update({one["kind"] for one in outcome["lenient"].get("repairs", ())})
    tables.finish(_tables(counts, kinds), options.json)
    if options.output is not None:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _tables(counts: Counter[str], kinds: Counter[str]) -> list[Table]:
    about = (
        f"SmolLM2-135M answers {counts['answers']} questions of the leaderboard, greedily, in at most {_TOKENS} tokens."
    )
    rows = tuple(
        (reading, counts[f"{reading}, right"], counts[f"{reading}, calls"]) for reading in ("strict", "lenient")
    )
    return [
        Table("Answers", ("read", "valid", "with valid calls"), rows, about),
        Table("Repairs", ("repair", "answers"), tuple(kinds.most_common())),
    ]


def _questions(count: int) -> list[dict[str, Any]]:
    """So many questions, spread over the file."""
    questions = data.lines("bfcl-half.jsonl.gz")
    return questions[:: max(1, len(questions) // count)][:count]


def _answer(llm: Llama, question: dict[str, Any]) -> tuple[ToolSet, str] | None:
    """The tools and the answer; None where the tools are no use, or too many for the context."""
    try:
        tools = ToolSet.load(question["tools"])
    except ToolError:
        return None
    asked = question["question"]
    turns = [{"role": "user", "content": asked}] if isinstance(asked, str) else asked
    messages = [{"role": "system", "content": tools.prompt()}, *(turn for turn in turns if turn["role"] == "user")]
    try:
        result = llm.create_chat_completion(messages, max_tokens=_TOKENS, temperature=0.0)
    except ValueError:
        return None
    return tools, result["choices"][0]["message"]["content"]


def _read(tools: ToolSet, text: str, *, lenient: bool) -> dict[str, Any]:
    try:
        message: Message = tools.parse(text, lenient=lenient)
    except TextError as error:
        return {"error": str(error)}
    return {
        "calls": [[call.name, call.arguments] for call in message.calls],
        "repairs": [
            {"kind": repair.kind, "line": repair.line, "before": repair.before, "after": repair.after}
            for repair in message.repairs
        ],
    }


if __name__ == "__main__":
    main()
