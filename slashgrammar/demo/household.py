"""The demo's tools, and earlier requests with the calls that answered them.

The bundled model has 135 million parameters: it learns tools and format from these examples more than from the system
prompt, and what stands last weighs most. They were chosen, and put in order, by how often requests that they do not
hold come out right.
"""

from __future__ import annotations

from typing import Any

from slashgrammar.calls import Call
from slashgrammar.tools import ToolSet

TOOLS = ToolSet.from_signatures("""\
get_weather(city:str)->forecast
set_timer(minutes:int(1..600))->rings when the time is over
send_message(to:str, message:str(..200))->sent message
switch_light(room:"kitchen"|"bedroom"|"living room"|"office", on:bool)->state of the light
write_file(path:str, content:str(..400))->saved file
""")

REQUEST = "Save a list of three colors to colors.txt"


def _call(name: str, **arguments: Any) -> Call:
    return Call(name, arguments)


_POEM = "Roses are red,\nviolets are blue,\nsugar is sweet,\nand so are you."

EXAMPLES = [
    ("Will it be warm in Rome tomorrow?", _call("get_weather", city="Rome")),
    ("Set a timer for 10 minutes.", _call("set_timer", minutes=10)),
    ("Turn off the kitchen light.", _call("switch_light", room="kitchen", on=False)),
    ("Write a poem about roses to poem.txt", _call("write_file", path="poem.txt", content=_POEM)),
    ("It is dark in the bedroom.", _call("switch_light", room="bedroom", on=True)),
    ("What is the weather in Paris?", _call("get_weather", city="Paris")),
    ("Message Paul: see you on Monday", _call("send_message", to="Paul", message="See you on Monday!")),
    ("Make a list of three fruits", _call("write_file", path="fruits.txt", content="- apples\n- bananas\n- cherries")),
    ("Start a timer for the pasta, 7 minutes", _call("set_timer", minutes=7)),
    ("Remind me in half an hour.", _call("set_timer", minutes=30)),
]


def conversation(request: str) -> list[dict[str, str]]:
    """The messages to send: the examples as earlier turns, then the request."""
    messages = []
    for asked, call in EXAMPLES:
        messages.append({"role": "user", "content": asked})
        messages.append({"role": "assistant", "content": TOOLS.render([call])})
    return [*messages, {"role": "user", "content": request}]
