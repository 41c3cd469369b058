"""Membership in the language of a regular IR node, in the plainest way: sets of places that a node can end at."""

from __future__ import annotations

from slashgrammar.grammar.ir import CharClass, Choice, Grammar, Literal, Node, Reference, Repeat, Sequence


def accepts(node: Node, text: str) -> bool:
    return len(text) in _ends(node, text, frozenset([0]), {})


def accepts_grammar(grammar: Grammar, text: str) -> bool:
    """For rules that refer to each other at their ends only, after at least one character."""
    return len(text) in _ends(Reference(grammar.start), text, frozenset([0]), dict(grammar.rules))


def _ends(node: Node, text: str, starts: frozenset[int], rules: dict[str, Node]) -> frozenset[int]:
    if not starts:
        return starts
    match node:
        case Literal(literal):
            return frozenset(start + len(literal) for start in starts if text.startswith(literal, start))
        case CharClass():
            return frozenset(start + 1 for start in starts if text[start : start + 1] in node)
        case Sequence(items):
            for item in items:
                starts = _ends(item, text, starts, rules)
            return starts
        case Choice(items):
            return frozenset().union(*(_ends(item, text, starts, rules) for item in items))
        case Reference(name):
            return _ends(rules[name], text, starts, rules)
        case Repeat(item, low, high):
            for _ in range(low):
                starts = _ends(item, text, starts, rules)
            reached, count = starts, low
            while starts and (high is None or count < high):
                starts = _ends(item, text, starts, rules) - reached
                reached, count = reached | starts, count + 1
            return reached
