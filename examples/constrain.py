"""A local model turns a sentence into a call that cannot be invalid, and Python runs it.

    python examples/constrain.py "Dentist on Friday at 9"
    python examples/constrain.py "Dentist on Friday at 9" path/to/model.gguf

Needs the extra `demo`; with a model of your own, `llama`.
"""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from pydantic import Field

import slashgrammar as sg
from slashgrammar.demo.model import bundled_model

Day = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def add_event(title: Annotated[str, Field(max_length=40)], day: Day, hour: Annotated[int, Field(ge=0, le=23)]) -> str:
    """Put an event into the calendar.

    Args:
        title: what it is.
        day: on which day.
        hour: when it begins, from 0 to 23.
    """
    return f"{day}, {hour}:00  {title}"


def main(request: str, model: str) -> None:
    """Answer the request with calls, and run them."""
    from llama_cpp import Llama

    from slashgrammar.llama import generate

    tools = sg.ToolSet([add_event])
    llm = Llama(model, n_ctx=2048, verbose=False)
    example = sg.Call("add_event", {"title": "Yoga", "day": "Monday", "hour": 18})
    messages = [
        {"role": "user", "content": "Yoga on Monday at 18"},
        {"role": "assistant", "content": tools.render([example])},
        {"role": "user", "content": request},
    ]
    generation = generate(llm, messages, tools, tool_choice="required", prose=False, parallel=False, temperature=0)
    for event in generation:
        print(event)
    for call in generation.message.calls:
        print("→", tools.call(call))


if __name__ == "__main__":
    arguments = dict(enumerate(sys.argv))
    try:
        main(arguments.get(1, "Dentist on Friday at 9"), arguments.get(2) or str(bundled_model("this example")))
    except ModuleNotFoundError as error:
        sys.exit(f'error: {error}; install it with: pip install "slashgrammar[demo]"')
    except (OSError, ValueError, sg.SlashError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted")
