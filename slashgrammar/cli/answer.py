"""An answer while it is being generated, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from slashgrammar.cli.output import console, counted, visible
from slashgrammar.errors import IncompleteCall, TextError

if TYPE_CHECKING:
    from rich.console import Console

    from slashgrammar.calls import Message
    from slashgrammar.llama import Generation, Stats


def show_answer(generation: Generation, out: Console, style: str = "") -> None:
    """Print the text while it comes: as it is, but for what a terminal would obey."""
    with console(stderr=True).status("reading the prompt"):
        next(generation, None)
    shown = _show_more(generation.text, 0, out, style)
    for _ in generation:
        shown = _show_more(generation.text, shown, out, style)
    _show_more(generation.text, shown, out, style)
    out.print()


def _show_more(text: str, shown: int, out: Console, style: str) -> int:
    more = text[shown:]
    out.print(Text(visible(more) if out.is_terminal else more, style), end="")
    return len(text)


def outcome(generation: Generation) -> tuple[Message | None, TextError | None]:
    """The message, and what is wrong with it; of a call that was cut off both."""
    try:
        return generation.message, None
    except IncompleteCall as error:
        return error.message, error
    except TextError as error:
        return None, error


def cost(stats: Stats) -> str:
    """What an answer cost, in a few words."""
    seconds = stats.model_seconds + stats.constraint_seconds
    forced = f", {stats.forced:,} of them forced by the grammar" if stats.forced else ""
    return f"{counted(stats.sampled + stats.forced, 'token')}{forced}, {seconds:.1f} s"
