"""`slashgrammar run`: a model of the user's answers one prompt, or a file of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slashgrammar.cli.choices import (
    Dialect,
    DialectOption,
    NoParallelOption,
    NoProseOption,
    ToolChoiceOption,
    belong_to,
)
from slashgrammar.cli.model import load_model
from slashgrammar.cli.output import INVALID, VALID, console, fail, to_json, write
from slashgrammar.cli.source import argument_or_stdin, tools_of
from slashgrammar.demo.model import bundled_model

if TYPE_CHECKING:
    from llama_cpp import Llama

    from slashgrammar.tools import ToolSet


def run(
    ctx: typer.Context,
    tools: Annotated[Path, typer.Option(metavar="FILE", help="The tools: any list in JSON, or signatures.")],
    prompt: Annotated[
        str | None, typer.Argument(metavar="PROMPT", show_default=False, help="The request; - reads standard input.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model", "-m", metavar="MODEL", show_default=False, help="A GGUF file; without it the demo's model."
        ),
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help='Many requests: a JSON list, or JSON a line; strings, or objects with a "prompt".',
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", show_default=False, help="Where their calls go.")
    ] = None,
    tool_choice: ToolChoiceOption = "auto",
    no_parallel: NoParallelOption = False,
    no_prose: NoProseOption = False,
    dialect: DialectOption = Dialect.SLASH,
    temperature: Annotated[
        float, typer.Option(metavar="T", min=0, help="0 takes the likeliest token each time.")
    ] = 0.0,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=-1, show_default=False, help="For the same answer each time.")
    ] = None,
    max_tokens: Annotated[int, typer.Option(metavar="N", min=1, help="The longest answer.")] = 512,
    context: Annotated[
        int, typer.Option(metavar="N", min=64, help="Tokens that prompt and answer can have together.")
    ] = 8192,
    json: Annotated[bool, typer.Option("--json", help="Write the answer as one JSON object.")] = False,
) -> None:
    """Let a model answer in text and calls that cannot be invalid.

    Exit code 0: the answer is valid; 1: it was cut off; 2: something is missing.

    [bold]Examples:[/bold]

        slashgrammar run -m qwen.gguf --tools tools.json "Read the first lines of notes.md"
        slashgrammar run -m qwen.gguf --tools tools.json --prompts prompts.json -o calls.json
    """
    if (prompt is None) == (prompts is None):
        raise typer.BadParameter("give either a prompt, - for standard input, or --prompts FILE")
    if (prompts is None) != (output is None):
        raise typer.BadParameter("--prompts FILE and --output FILE go together")
    if prompts is not None:  # there, an answer is one call
        belong_to("PROMPT", ctx, "no_parallel", "no_prose", "json")
    choices: dict[str, Any] = {
        "tool_choice": tool_choice,
        "dialect": dialect.value,
        "temperature": temperature,
        "seed": seed,
        "max_tokens": max_tokens,
    }
    with tools_of(tools) as loaded:
        path = model or bundled_model("a run without -m MODEL")
        if prompts is not None and output is not None:
            from slashgrammar.cli.batch import answer_all, read_prompts

            texts = read_prompts(prompts)
            code = answer_all(load_model(path, context), loaded, texts, output, **choices)
        else:
            text = argument_or_stdin(prompt or "")
            choices |= {"parallel": not no_parallel, "prose": not no_prose}
            code = _answer(load_model(path, context), loaded, text, json, **choices)
    if code:
        raise typer.Exit(code)


def _answer(llm: Llama, tools: ToolSet, prompt: str, as_json: bool, **choices: Any) -> int:
    from slashgrammar.cli.answer import cost, outcome, show_answer
    from slashgrammar.llama import generate

    generation = generate(llm, [{"role": "user", "content": prompt}], tools, **choices)
    if not as_json:
        show_answer(generation, console())
    message, problem = outcome(generation)
    if as_json:
        calls = message.calls if message is not None else []
        answer = {
            "text": generation.text,
            "calls": [{"name": call.name, "arguments": call.arguments} for call in calls],
            "finish_reason": generation.finish_reason,
            "error": problem.to_dict() if problem is not None else None,
        }
        write(to_json(answer))
    elif problem is not None:
        fail(str(problem))
    elif generation.finish_reason == "length":
        fail("the answer was cut off; allow more with --max-tokens")
    elif sys.stderr.isatty():
        console(stderr=True).print(cost(generation.stats), style="dim")
    return INVALID if problem or generation.finish_reason == "length" else VALID
