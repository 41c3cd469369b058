"""Whether a call is in the grammar of a tool, without the rest of a message around it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from slashgrammar.calls.message import Call
from slashgrammar.calls.render import render
from slashgrammar.grammar.ir import Grammar, Literal, Node, seq
from slashgrammar.grammar.load import load_file
from slashgrammar.grammar.matcher import Automaton, Matcher
from slashgrammar.grammar.rewrite.nullable import remove_nullable_loops
from slashgrammar.grammar.rewrite.useless import drop_unproductive, drop_unreachable
from slashgrammar.grammar.schema import Arguments
from slashgrammar.grammar.schema.order import DeclaredOrder
from slashgrammar.grammar.styles import write_arguments

_RULES = (
    *("block", "line_string", "string", "integer", "number", "boolean", "null", "value", "array", "object"),
    *("begin_array", "end_array", "begin_object", "end_object", "comma", "colon"),
)


@lru_cache(maxsize=1)
def _generation_rules() -> dict[str, Node]:
    return dict(load_file("generation", start=_RULES).rules)


class Calls:
    """The calls of one tool that its compiled arguments allow."""

    def __init__(self, schema: dict[str, Any], arguments: Arguments) -> None:
        rules = {**_generation_rules(), **arguments.rules}
        rules["start"] = seq(Literal("/t"), write_arguments(arguments, "lines", "t:", rules))
        grammar = drop_unproductive(drop_unreachable(Grammar(rules)))
        self._automaton = Automaton(remove_nullable_loops(grammar))
        self._order = DeclaredOrder(schema)

    def take(self, value: dict[str, Any]) -> bool:
        """Whether the call with these arguments, as it is rendered, is a member."""
        return self.take_text(self.text(value))

    def take_text(self, text: str) -> bool:
        """Whether a text is a member."""
        matcher = Matcher(self._automaton)
        return matcher.feed(text) and matcher.is_member

    def text(self, value: dict[str, Any]) -> str:
        """The call with these arguments, keys in declared order."""
        return render([Call("t", self._order.arrange(value))])
