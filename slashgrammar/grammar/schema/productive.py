"""Takes out of rules what can never be finished: a value that needs a value of its own kind, and so on without end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from slashgrammar.grammar.ir import (
    NOTHING,
    Choice,
    Node,
    Reference,
    Repeat,
    Sequence,
)
from slashgrammar.grammar.rewrite.rebuild import substitute


def drop_impossible(rules: Mapping[str, Node]) -> tuple[dict[str, Node], Callable[[Node], Node]]:
    """The rules without the parts that match no text, and what does the same to further nodes that refer to them.

    Rules that are referred to but not among the given ones match some text.
    """
    waiting = _impossible(rules)
    if not waiting:
        return dict(rules), lambda node: node
    impossible = dict.fromkeys(waiting, NOTHING)

    def clean(node: Node) -> Node:
        return substitute(node, impossible)

    return {name: clean(node) for name, node in rules.items() if name not in waiting}, clean


def _impossible(rules: Mapping[str, Node]) -> set[str]:
    """The rules that match no text. Each is looked at again only when one that it waited for is found to match some."""
    waiting = set(rules)
    watchers: dict[str, list[str]] = {}
    queue = list(rules)
    while queue:
        name = queue.pop()
        if name not in waiting:
            continue
        blockers = _blockers(rules[name], waiting)
        if blockers is None:
            waiting.remove(name)
            queue += watchers.pop(name, ())
        for blocker in blockers or ():
            watchers.setdefault(blocker, []).append(name)
    return waiting


def _blockers(node: Node, waiting: set[str]) -> list[str] | None:
    """None if a node matches some text as far as is known; otherwise the rules of which one might make it do so."""
    if isinstance(node, Reference):
        return [node.name] if node.name in waiting else None
    if isinstance(node, Sequence):
        for item in node.items:
            if (found := _blockers(item, waiting)) is not None:
                return found
        return None
    if isinstance(node, Choice):
        blockers: list[str] = []
        for item in node.items:
            if (found := _blockers(item, waiting)) is None:
                return None
            blockers += found
        return blockers
    if isinstance(node, Repeat):
        return None if node.min == 0 else _blockers(node.item, waiting)
    return [] if node == NOTHING else None
