"""Puts the definitions of terminals in the place of their names in other terminals, as Lark's loader does.

Lark walks along every way from a terminal to its parts, of which there may be exponentially many; this walks along
every part once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lark import Tree
from lark.exceptions import GrammarError
from lark.grammar import NonTerminal, Terminal


def resolve_terminals(terminals: Mapping[str, Tree[Any] | None]) -> None:
    """Replaces the names of terminals in the given trees by the trees of these terminals, which are then shared.

    The name of a terminal that is only declared stays.

    Raises Lark's GrammarError where a terminal refers to itself, to a rule, or to something that is not defined.
    """
    borders = {id(tree) for tree in terminals.values()}
    parts = {name: _resolve(name, tree, terminals, borders) for name, tree in terminals.items() if tree is not None}
    done: set[str] = set()
    for name in parts:
        path = {name: iter(parts[name])}
        while path:
            current = next(reversed(path))
            part = next(path[current], None)
            if part is None:
                done.add(current)
                del path[current]
            elif part in path:
                raise GrammarError(f"terminal {part} refers to itself, which only rules may do")
            elif part not in done:
                path[part] = iter(parts.get(part, ()))


def _resolve(name: str, tree: Tree[Any], terminals: Mapping[str, Tree[Any] | None], borders: set[int]) -> list[str]:
    """Replaces the names in one tree, up to the trees of other terminals; returns the names."""
    found: list[str] = []
    seen = borders - {id(tree)}
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if not isinstance(node, Tree) or id(node) in seen:
            continue
        seen.add(id(node))
        stack.extend(node.children)
        if node.data != "value" or not isinstance(node.children[0], (Terminal, NonTerminal)):
            continue
        part = str(node.children[0].name)
        if isinstance(node.children[0], NonTerminal):
            raise GrammarError(f"rule {part} cannot stand in a terminal, as it does in {name}")
        if part not in terminals:
            raise GrammarError(f"terminal {part} is used in {name} and not defined")
        found.append(part)
        definition = terminals[part]
        if definition is not None:
            node.children[0] = definition
    return found
