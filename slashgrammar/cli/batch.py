"""A file of prompts, each answered by one call; a run that was ended somehow goes on where it stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import MofNCompleteColumn

from slashgrammar.cli.journal import Journal, Row
from slashgrammar.cli.output import INVALID, VALID, console, counted, to_json
from slashgrammar.cli.progress import progress
from slashgrammar.cli.source import name_of, read_file, unwritable, write_file
from slashgrammar.errors import SetupError, SlashError

if TYPE_CHECKING:
    from llama_cpp import Llama

    from slashgrammar.llama import Generation
    from slashgrammar.tools import ToolSet


def read_prompts(path: Path) -> list[str]:
    """The prompts of a file: a JSON list, or JSON a line, of strings or of objects with a `prompt`.

    Raises:
        SetupError: it cannot be read, or it is something else.
    """
    text, name = read_file(path, "a JSON list of prompts"), name_of(path)
    if text.lstrip()[:1] == "[":
        entries = _parse(text, name)
        places = [f"{name}, entry {number}" for number in range(1, len(entries) + 1)]
    else:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        places = [f"{name}, line {number}" for number, _ in lines]
        entries = [_parse(line, place) for (_, line), place in zip(lines, places, strict=True)]
    if not entries:
        raise SetupError(f"{name}: no prompts in it; expected a JSON list, or one a line")
    return [_prompt_of(entry, place) for entry, place in zip(entries, places, strict=True)]


def _parse(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number with too many digits
        raise SetupError(f"{where}: not JSON ({error}); expected prompts") from None


def _prompt_of(entry: object, where: str) -> str:
    prompt = entry.get("prompt") if isinstance(entry, dict) else entry
    if not isinstance(prompt, str):
        raise SetupError(f'{where}: no prompt; expected a string, or an object with one as its "prompt"')
    return prompt


def answer_all(llm: Llama, tools: ToolSet, prompts: list[str], output: Path, **choices: Any) -> int:
    """Answer each prompt with one call, and write the rows as one JSON list.

    Until all is done the output stays as it was, and finished rows stand beside it in a journal. A prompt that no
    call came of has a row with an empty name and the error.

    Args:
        llm: the model.
        tools: what may be called.
        prompts: what to answer.
        output: where the rows go.
        choices: of the generation; finished rows of an earlier run count where they were the same.

    Returns:
        The exit code.

    Raises:
        SetupError: a file cannot be written.
    """
    import numpy as np

    from slashgrammar.llama import generate
    from slashgrammar.llama.binding import Context

    if choices["tool_choice"] == "auto":
        choices["tool_choice"] = "required"
    grammar = tools.compile(tool_choice=choices["tool_choice"], parallel=False, prose=False, dialect=choices["dialect"])

    def begin(prompt: str) -> Generation:
        messages = [{"role": "user", "content": prompt}]
        return generate(llm, messages, tools, grammar=grammar, parallel=False, **choices)

    shared = np.array(_common_start(_tokens_of(prompts, begin)), np.int32)
    context = Context(llm)
    context.empty()

    def answer(prompt: str) -> Row:
        try:
            generation = begin(prompt)
            context.hold(shared)  # so that a row does not depend on those before it
            call = generation.message.calls[0]
        except SlashError as error:
            return {"prompt": prompt, "name": "", "parameters": {}, "error": str(error)}
        return {"prompt": prompt, "name": call.name, "parameters": call.arguments}

    work = {
        "model": llm.model_path,
        "instructions": tools.prompt(dialect=choices["dialect"]),
        "choices": choices,
        "prompts": prompts,
    }
    rows = _all_rows(prompts, output, work, answer)
    failed = sum("error" in row for row in rows)
    console(stderr=True).print(
        f"{counted(len(rows), 'prompt')}: {len(rows) - failed:,} with a call, {failed:,} without"
    )
    return INVALID if failed else VALID


def _tokens_of(prompts: list[str], begin: Callable[[str], Generation]) -> Iterator[list[int]]:
    """The tokens of all prompts that can be answered."""
    for prompt in prompts:
        with suppress(SlashError):
            yield begin(prompt).prompt


def _common_start(rows: Iterator[list[int]]) -> list[int]:
    """What all rows begin with, short of all of any."""
    start = next(rows, [])[:-1]
    for row in rows:
        pairs = enumerate(zip(start, row[:-1], strict=False))
        start = start[: next((place for place, (mine, other) in pairs if mine != other), len(row) - 1)]
    return start


def _all_rows(prompts: list[str], output: Path, work: dict[str, Any], answer: Callable[[str], Row]) -> list[Row]:
    try:
        journal = Journal(output.with_name(output.name + ".partial"), work)
        with journal:
            with progress(MofNCompleteColumn()) as bar:
                task = bar.add_task("prompts", total=len(prompts), completed=len(journal.rows))
                for prompt in prompts[len(journal.rows) :]:
                    journal.add(answer(prompt))
                    bar.advance(task)
            finished = output.with_name(output.name + ".new")
            write_file(finished, "[\n" + ",\n".join(map(to_json, journal.rows)) + "\n]\n")
            os.replace(finished, output)
        journal.remove()
    except OSError as error:
        raise unwritable(output, error) from error
    return journal.rows
