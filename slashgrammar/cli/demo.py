"""`slashgrammar demo`: the bundled model, held to the grammar of a few tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from slashgrammar.cli.model import load_model
from slashgrammar.cli.output import INVALID, console, fail, show_calls, visible
from slashgrammar.cli.source import argument_or_stdin
from slashgrammar.demo.model import bundled_model

if TYPE_CHECKING:
    from rich.console import Console

_CONTEXT = 2048
_MAX_TOKENS = 400


def demo(
    prompt: Annotated[
        str | None,
        typer.Argument(metavar="PROMPT", show_default=False, help="Any everyday request; - reads standard input."),
    ] = None,
) -> None:
    """Watch a real model write a call that cannot be invalid.

    The model, SmolLM2-135M-Instruct, comes with the extra "demo". The answer depends on the request alone.

    [bold]Examples:[/bold]

        slashgrammar demo
        slashgrammar demo "Turn off the lights in the kitchen"
    """
    model = bundled_model("the demo")

    from slashgrammar.cli.answer import cost, outcome, show_answer
    from slashgrammar.demo.household import REQUEST, TOOLS, conversation

    request = argument_or_stdin(prompt) if prompt is not None else REQUEST
    out = console()
    _show_prompt(request, out)
    llm = load_model(model, _CONTEXT)

    from slashgrammar.llama import generate

    grammar = TOOLS.compile(tool_choice="required", parallel=False, prose=False)
    generation = generate(
        llm,
        conversation(request),
        TOOLS,
        grammar=grammar,
        parallel=False,
        temperature=0,
        max_tokens=_MAX_TOKENS,
        example=False,
    )
    _section("answer", f"by {model.stem}, held to the grammar of the tools", out)
    show_answer(generation, out, "bold green")
    message, problem = outcome(generation)
    if message is None or problem is not None:
        fail(str(problem))
        raise typer.Exit(INVALID)
    _section("calls", "as the program gets them", out)
    show_calls(message.calls, out)
    _section("verdict", cost(generation.stats), out)
    if not grammar.matches(generation.text):
        out.print("invalid: the grammar does not accept the answer", style="bold red")
        raise typer.Exit(INVALID)
    out.print("valid: the grammar accepts the answer, and each call fits its tool", style="bold green")


def _show_prompt(request: str, out: Console) -> None:
    """The messages that the model gets: the system prompt, the examples in one line each, the request."""
    from slashgrammar.demo.household import EXAMPLES, TOOLS

    _section("system", "the tools and the format", out)
    out.print(TOOLS.prompt(parallel=False))
    _section("examples", f"{len(EXAMPLES)} earlier turns", out)
    width = max(len(asked) for asked, _ in EXAMPLES)
    for asked, call in EXAMPLES:
        first, *more = TOOLS.render([call], style="inline").split("\n")
        out.print(f"{asked:<{width}}  {first}{' …' if more else ''}", style="dim")
    _section("request", "", out)
    out.print(visible(request), style="bold")


def _section(title: str, about: str, out: Console) -> None:
    out.print(Text.assemble("\n", (title, "bold cyan"), (f"  {about}", "dim")))
