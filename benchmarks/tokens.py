"""What calls and lists of tools cost in tokens, by format, over the Berkeley Function Calling Leaderboard.

python -m benchmarks.tokens [--quick] [--json FILE]
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import slashgrammar as sg
from benchmarks import data, tables
from benchmarks.tables import Plot, Table
from slashgrammar.dialects import hermes

_SHORT = sg.Call("use_skill", {"name": "theme-creator"})


def bracket(call: sg.Call) -> str:
    """The older form of this format: the lines of a call in brackets, without a slash."""
    return f"[{sg.render([call])[1:]}\n]"


def qwen_xml(call: sg.Call) -> str:
    """As Qwen3-Coder writes a call: strings as they are, other values as JSON."""
    lines = ["<tool_call>", f"<function={call.name}>"]
    for name, value in call.arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines += [f"<parameter={name}>", text, "</parameter>"]
    return "\n".join([*lines, "</function>", "</tool_call>"])


FORMATS: dict[str, Callable[[sg.Call], str]] = {
    "slash, inline": lambda call: sg.render([call], style="inline"),
    "slash, lines": lambda call: sg.render([call]),
    "bracket": bracket,
    "Hermes JSON": lambda call: hermes.render([call]),
    "Qwen3-Coder XML": qwen_xml,
}


def as_json(tools: sg.ToolSet) -> str:
    """The tools as the list that OpenAI's API takes and chat templates print, an entry a line."""
    entries = (
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": _schema(tool)},
        }
        for tool in tools
    )
    return "\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)


def _schema(tool: sg.Tool) -> dict[str, Any]:
    """The parameters as they came: reading closes objects, which is not the author's."""
    return {key: value for key, value in tool.parameters.items() if key != "additionalProperties"}


LISTS: dict[str, Callable[[sg.ToolSet], str]] = {
    "signatures": lambda tools: "\n".join(tool.signature() for tool in tools),
    "signatures with descriptions": lambda tools: "\n".join(tool.signature(descriptions=True) for tool in tools),
    "JSON": as_json,
}


def run(quick: bool) -> list[Table]:
    """The tables; quick takes one entry in twenty."""
    vocabulary = data.vocabulary()

    def cost(text: str) -> int:
        return len(vocabulary.tokenize(text.encode("utf-8", "replace"), add_bos=False, special=True))

    calls: list[sg.Call] = []
    lists: Counter[str] = Counter()
    sets = 0
    entries = data.lines("bfcl-half.jsonl.gz")[:: 20 if quick else 1]
    for entry in tables.track(entries, "lists of tools"):
        calls += [sg.Call(call["name"], call["arguments"]) for call in entry["calls"]]
        try:
            tools = sg.ToolSet.load(entry["tools"])
        except sg.ToolError:  # some have two tools of one name
            continue
        sets += 1
        lists.update({name: cost(write(tools)) for name, write in LISTS.items()})
    server = sg.ToolSet.load(data.path("github-mcp-tools.json"))
    return [
        _calls(calls, cost),
        _lists("Lists of tools", f"The tools of {sets:,} questions of the leaderboard", lists),
        _lists(
            "The tools of a server",
            f"The {len(server)} tools of GitHub's MCP server",
            {name: cost(write(server)) for name, write in LISTS.items()},
        ),
    ]


def _calls(calls: list[sg.Call], cost: Callable[[str], int]) -> Table:
    totals = {
        name: sum(cost(write(call)) for call in tables.track(calls, name, len(calls)))
        for name, write in FORMATS.items()
    }
    rows = tuple(
        (
            name,
            total,
            round(total / len(calls), 1),
            round(total / totals["Hermes JSON"], 2),
            cost(FORMATS[name](_SHORT)),
        )
        for name, total in totals.items()
    )
    note = (
        f"{len(calls):,} calls of the leaderboard on the vocabulary of Qwen2; "
        f"the last column is one short call, `{FORMATS['slash, inline'](_SHORT)}`."
    )
    heads = ("format", "tokens", "tokens a call", "of Hermes JSON", "the short call")
    return Table("Calls", heads, rows, note, Plot("bar", ("tokens a call",), "tokens a call"))


def _lists(title: str, about: str, costs: Mapping[str, int]) -> Table:
    rows = tuple((name, total, round(total / costs["JSON"], 2)) for name, total in costs.items())
    note = f"{about}, on the vocabulary of Qwen2, without instructions."
    return Table(title, ("as", "tokens", "of JSON"), rows, note)


if __name__ == "__main__":
    tables.main(__doc__, run)
