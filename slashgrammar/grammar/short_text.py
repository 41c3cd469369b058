"""A short text of a grammar, to show what its texts look like."""

from __future__ import annotations

from typing import Final

from slashgrammar.grammar.automaton.alphabet import readable_member
from slashgrammar.grammar.ir import Choice, Grammar, Literal, Node, Reference, Repeat, Sequence
from slashgrammar.grammar.rewrite.depth import bound_depth
from slashgrammar.grammar.rewrite.useless import drop_unproductive, drop_unreachable

LONGEST: Final = 200
_ROUNDS: Final = 50


def short_text(grammar: Grammar) -> str | None:
    """One of the shortest texts, as readable as may be; None where there is none of at most 200 characters.

    Where rules are nested deeper than fifty, there may be shorter ones, and none may be found.
    """
    grammar = bound_depth(drop_unreachable(drop_unproductive(grammar)))
    texts: dict[str, str] = {}
    for _ in range(_ROUNDS):
        found = False
        for name, node in list(grammar.rules.items())[::-1]:
            text = _shortest(node, texts)
            if text is not None and (name not in texts or len(text) < len(texts[name])):
                texts[name] = text
                found = True
        if not found:
            break
    return texts.get(grammar.start)


def _shortest(node: Node, texts: dict[str, str]) -> str | None:
    """A shortest text of the node, given short ones of rules."""
    if isinstance(node, Literal):
        return _fitting(node.text)
    if isinstance(node, Reference):
        return texts.get(node.name)
    if isinstance(node, Choice):
        ways = [text for item in node.items if (text := _shortest(item, texts)) is not None]
        return min(ways, key=len, default=None)
    if isinstance(node, Sequence):
        parts = [_shortest(item, texts) for item in node.items]
        return None if None in parts else _fitting("".join(map(str, parts)))
    if isinstance(node, Repeat):
        text = _shortest(node.item, texts) if node.min else ""
        return None if text is None or len(text) * node.min > LONGEST else text * node.min
    return readable_member(node) if node else None


def _fitting(text: str) -> str | None:
    return text if len(text) <= LONGEST else None
