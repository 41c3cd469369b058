"""Tool calls as slash commands for local models: one Lark grammar that constrains generation and checks any output.

    import slashgrammar as sg

    tools = sg.ToolSet.load("tools.json")
    grammar = tools.compile()                # grammar.gbnf for llama.cpp, grammar.matches(text)
    message = tools.parse(text)              # message.text, message.calls

Generation with llama-cpp-python is in `slashgrammar.llama`, which needs the extra of that name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slashgrammar.calls import events
    from slashgrammar.calls.message import Call, Message, PartialCall, Reasoning, Repair, Text
    from slashgrammar.calls.parse import parse
    from slashgrammar.calls.render import render
    from slashgrammar.calls.stream import StreamParser
    from slashgrammar.errors import (
        ArgumentError,
        DuplicateArgument,
        GrammarError,
        IncompleteCall,
        InvalidArgument,
        MissingArgument,
        MissingExtra,
        ModelError,
        SetupError,
        SignatureError,
        SlashError,
        SlashSyntaxError,
        TextError,
        ToolError,
        UnknownArgument,
        UnknownTool,
        UnusableTool,
    )
    from slashgrammar.grammar.compiled import CompiledGrammar
    from slashgrammar.grammar.convert import compile_lark, lark_to_gbnf
    from slashgrammar.grammar.matcher import Matcher
    from slashgrammar.tools.grammar_annotation import Lark, Regex
    from slashgrammar.tools.tool import Tool
    from slashgrammar.tools.toolset import ToolSet

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Call",
    "CompiledGrammar",
    "DuplicateArgument",
    "GrammarError",
    "IncompleteCall",
    "InvalidArgument",
    "Lark",
    "Matcher",
    "Message",
    "MissingArgument",
    "MissingExtra",
    "ModelError",
    "PartialCall",
    "Reasoning",
    "Regex",
    "Repair",
    "SetupError",
    "SignatureError",
    "SlashError",
    "SlashSyntaxError",
    "StreamParser",
    "Text",
    "TextError",
    "Tool",
    "ToolError",
    "ToolSet",
    "UnknownArgument",
    "UnknownTool",
    "UnusableTool",
    "compile_lark",
    "events",
    "lark_to_gbnf",
    "parse",
    "render",
]

_HOMES = {
    "calls": ("events",),
    "calls.message": ("Call", "Message", "PartialCall", "Reasoning", "Repair", "Text"),
    "calls.parse": ("parse",),
    "calls.render": ("render",),
    "calls.stream": ("StreamParser",),
    "grammar.compiled": ("CompiledGrammar",),
    "grammar.convert": ("compile_lark", "lark_to_gbnf"),
    "grammar.matcher": ("Matcher",),
    "tools.grammar_annotation": ("Lark", "Regex"),
    "tools.tool": ("Tool",),
    "tools.toolset": ("ToolSet",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for (PEP 562): not all that use the package need all of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF.get(name, 'errors')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
