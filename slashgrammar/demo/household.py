"""The demo's tools, and earlier requests with the calls that answered them.

The bundled model has 135 million parameters: it takes tools and format from these examples rather than from the system
prompt. They are chosen so that everyday requests that they do not mention come out right.
"""

from __future__ import annotations

from typing import Any

from slashgrammar.calls import Call
from slashgrammar.tools import ToolSet

TOOLS = ToolSet.from_signatures("""\
get_weather(city:str)->forecast
set_timer(minutes:int(1..600))->rings when the time is over
send_message(to:str, text:str)->sent message
switch_light(room:"kitchen"|"bedroom"|"living room"|"office", on:bool)->state of the light
write_file(path:str, content:str)->saved file
""")

REQUEST = "What is the weather in Oslo?"


def _call(name: str, **arguments: Any) -> Call:
    return Call(name, arguments)


EXAMPLES = [
    ("Will it be warm in Rome tomorrow?", _call("get_weather", city="Rome")),
    ("Wake me in 20 minutes.", _call("set_timer", minutes=20)),
    ("Tell Bob that I am late.", _call("send_message", to="Bob", text="I am late.")),
    ("Turn off the light in the bedroom.", _call("switch_light", room="bedroom", on=False)),
    ("Save a shopping list with milk and bread.", _call("write_file", path="list.txt", content="milk\nbread")),
    ("Please switch the office light on.", _call("switch_light", room="office", on=True)),
    ("Do I need an umbrella in London?", _call("get_weather", city="London")),
]


def conversation(request: str) -> list[dict[str, str]]:
    """The messages to send: the examples as earlier turns, then the request."""
    messages = []
    for asked, call in EXAMPLES:
        messages.append({"role": "user", "content": asked})
        messages.append({"role": "assistant", "content": TOOLS.render([call])})
    return [*messages, {"role": "user", "content": request}]
