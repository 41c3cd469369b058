"""Texts that a budget, a stop string or a broken connection has cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slashgrammar.calls.message import Call, Message
from slashgrammar.errors import IncompleteCall
from slashgrammar.grammar.ir import chars

if TYPE_CHECKING:
    from slashgrammar.grammar.compiled import CompiledGrammar
    from slashgrammar.grammar.matcher import Matcher

_LINE_END = chars("\n")


def ends_in_call(grammar: CompiledGrammar, text: str, so_far: Message, *, by_itself: bool) -> bool:
    """Whether a text ends inside a call, so that there could have been more of it: a digit, or a further argument.

    Args:
        grammar: what the text was held to.
        text: the text.
        so_far: what of it was certain before its end was known.
        by_itself: whether its writer ended it; then a call that may end where it does is whole.
    """
    is_open = so_far.partial is not None or _begins_call(text, so_far)
    if not is_open and not so_far.calls:
        return False
    matcher = grammar.matcher()
    if not matcher.feed(text.rstrip("\n")) or not matcher.is_member:
        return True
    return is_open and not by_itself and _may_go_on(matcher, line_ended=text.endswith("\n"))


def _begins_call(text: str, so_far: Message) -> bool:
    """Whether the last line may be the head of a call: it begins like one, and is no prose or reasoning so far."""
    last = text.rpartition("\n")[2]
    if not last.startswith("/"):
        return False
    before = so_far.segments[-1] if so_far.segments else None
    return before is None or isinstance(before, Call) or not before.text.endswith(last.rstrip())


def _may_go_on(matcher: Matcher, *, line_ended: bool) -> bool:
    """Whether the call behind which the matcher stands may have more in its line, or a further argument below."""
    if not line_ended and matcher.next_chars() - _LINE_END:
        return True
    return matcher.feed("\n") and bool(matcher.next_chars() - chars("\n/"))  # neither a blank line nor another call


def cut_off(text: str, message: Message) -> IncompleteCall:
    """The error of a text that ends inside a call, where more of it could have come.

    Args:
        text: the text.
        message: what it holds.
    """
    last = text.rpartition("\n")[2]
    error = IncompleteCall(
        "the text was cut off inside a call; give it more tokens",
        offset=len(text),
        line=text.count("\n") + 1,
        column=len(last) + 1,
        tool=message.partial.name if message.partial else message.calls[-1].name if message.calls else None,
        source=last,
    )
    error.message = message
    return error
