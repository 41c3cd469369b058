"""One function for one prompt, as rows of a results file have it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from slashgrammar.calls import Call
from slashgrammar.calls.validate import fits
from slashgrammar.dialects import hermes

if TYPE_CHECKING:
    from slashgrammar.tools.toolset import ToolSet


@dataclass(frozen=True, slots=True)
class SelectedFunction:
    """Which function a model chose for a prompt; with an empty name, none that there is, or not all it requires."""

    prompt: str
    name: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)

    def row(self) -> dict[str, Any]:
        """The selection as an entry of a results file."""
        return asdict(self)


def select(prompt: str, text: str, tools: ToolSet) -> SelectedFunction:
    """What a generated text selects: the first balanced JSON object in it that has a name.

    Args:
        prompt: the user's text that was answered.
        text: the answer; it may begin behind a prefilled `<tool_call>`, and go on behind the object.
        tools: the functions that there are. A call that does not fit its tool gives an empty selection.
    """
    call = _first_call(text)
    if call is None or not fits(call, tools):
        return SelectedFunction(prompt)
    return SelectedFunction(prompt, call.name, call.arguments)


def _first_call(text: str) -> Call | None:
    decoder = json.JSONDecoder()
    place = text.find("{")
    while place >= 0:
        try:
            value, _ = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            place = text.find("{", max(error.pos, place + 1))
            continue
        except (ValueError, RecursionError):  # a number of too many digits, brackets of too many levels
            return None
        arguments: Any = next((value[key] for key in hermes.KEYS if key in value), {})
        if isinstance(value.get("name"), str) and isinstance(arguments, dict):
            return _plain(Call(value["name"], arguments))
        place = text.find("{", place + 1)
    return None


def _plain(call: Call) -> Call | None:
    """The call, if all in it is JSON: `json` reads NaN and lone surrogates too."""
    try:
        json.dumps(call.arguments, allow_nan=False, ensure_ascii=False).encode("utf-8")
    except ValueError:
        return None
    return call
