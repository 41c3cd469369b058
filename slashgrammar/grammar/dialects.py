"""The formats that calls can be written in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from slashgrammar.grammar.ir import Literal, Node, Reference, seq
from slashgrammar.grammar.schema import Widening, compile_arguments
from slashgrammar.grammar.schema.document import compile_document
from slashgrammar.grammar.schema.scalars import quoted
from slashgrammar.grammar.styles import STYLES, write_arguments

if TYPE_CHECKING:
    from slashgrammar.tools.tool import Tool

WrittenCall: TypeAlias = "tuple[Node, dict[str, Node], tuple[Widening, ...]]"


@dataclass(frozen=True, slots=True)
class Dialect:
    """A format of calls.

    Attributes:
        grammar: the file that says what a model may write. It has the rules `auto`, `required`, `prose`, `calls`,
            `call`, `thoughts` and `REASONING`; `call` is replaced by the calls of the tools.
        frame: further rules of that file, which the calls refer to besides those for values.
        styles: the ways to write calls that there are, the usual one first.
        write_call: the calls of a tool, where `open_objects` and the style are given: their text, the rules that it
            refers to, and what is wider in them than the tool's schema.
        control_tokens: names of tokens that are a part of the text where a vocabulary has them, though vocabularies
            mark them as special.
    """

    grammar: str
    frame: tuple[str, ...]
    styles: tuple[str, ...]
    write_call: Callable[[Tool, bool, str], WrittenCall]
    control_tokens: frozenset[str] = frozenset()


def _slash_call(tool: Tool, open_objects: bool, style: str) -> WrittenCall:
    arguments = compile_arguments(tool, open_objects=open_objects)
    rules = dict(arguments.rules)
    written = write_arguments(arguments, style, f"{tool.name}:", rules)
    return seq(Literal(f"/{tool.name}"), written), rules, arguments.report


def _hermes_call(tool: Tool, open_objects: bool, _style: str) -> WrittenCall:
    arguments = compile_document(tool.parameters, name=tool.name, open_objects=open_objects)
    begin, between, end = map(Reference, _HERMES_FRAME)
    return seq(begin, Literal(quoted(tool.name)), between, arguments.node, end), arguments.rules, arguments.report


_HERMES_FRAME = ("begin_call", "arguments", "end_call")

DIALECTS = {
    "slash": Dialect("generation.lark", ("line_string", "block"), STYLES, _slash_call),
    "hermes": Dialect(
        "hermes.lark", _HERMES_FRAME, ("lines",), _hermes_call, frozenset({"<tool_call>", "</tool_call>"})
    ),
}
