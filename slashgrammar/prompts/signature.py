"""The system prompt that teaches a model the format: the tools, an example, two rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from slashgrammar.dialects.hermes import escaped
from slashgrammar.dialects.notation import notation
from slashgrammar.errors import ToolError
from slashgrammar.prompts.chatml import definition
from slashgrammar.prompts.example import example_call

if TYPE_CHECKING:
    from slashgrammar.calls.message import Call
    from slashgrammar.tools import Tool
    from slashgrammar.tools.toolset import ToolSet

_TEMPLATE = """\
You are agent with tools
{signatures}

To call, write slash command at end of msg:

{examples}

values are json-style, multiline-strings always in code blocks.
"""
_JSON_TEMPLATE = """\
You are agent with tools
{signatures}

To call, write JSON in tags at end of msg:

{examples}

"""
_SHORT = "Tools:\n{signatures}\n\nTo call, end msg with "
_SEVERAL = "can call multiple in one msg"
_ONE = "only one call in one msg"
_PLACES = re.compile(r"\{(signatures|examples|system)\}")


def prompt(
    tools: ToolSet,
    *,
    descriptions: bool = False,
    examples: Iterable[Call] = (),
    template: str | None = None,
    system: str | None = None,
    parallel: bool = True,
    style: str = "lines",
    dialect: str = "slash",
    example: bool = True,
) -> str:
    """The system prompt for a set of tools; see `ToolSet.prompt`. Without tools it is the system message alone.

    Args:
        example: False for a shorter wording, without an example, for conversations that begin with one and are held
            to a grammar.
    """
    if not tools:
        return system or ""
    written = notation(dialect, style=style)
    if template is not None:
        text = template
    elif example:
        text = (_JSON_TEMPLATE if dialect == "hermes" else _TEMPLATE) + (_SEVERAL if parallel else _ONE)
    elif dialect == "hermes":
        text = _SHORT + ("JSON in tags" if parallel else "one JSON in tags")
    else:
        text = _SHORT + f"{'slash commands' if parallel else 'one slash command'}; multiline strings in code blocks"
    places = {found[1] for found in _PLACES.finditer(text)}
    if "signatures" not in places:
        raise ToolError("a template for the prompt needs a place for the tools: write {signatures} there")
    shown = [call for call in examples if tools[call.name]] or [example_call(tools)]
    parts = {
        "signatures": "\n".join(_shown(tool, descriptions, dialect) for tool in tools),
        "examples": "\n\n".join(written.recall([call], tools, style) for call in shown),
        "system": system or "",
    }
    filled = _PLACES.sub(lambda found: parts[found[1]], text)
    return f"{system}\n\n{filled}" if system and "system" not in places else filled


def _shown(tool: Tool, descriptions: bool, dialect: str) -> str:
    if dialect == "hermes":
        return escaped(json.dumps(definition(tool), ensure_ascii=False))
    return tool.signature(descriptions=descriptions)
