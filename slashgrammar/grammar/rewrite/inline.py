"""Put rules where they are used, when a rule of its own costs more than it gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from slashgrammar.grammar.ir import Grammar, Node, Reference
from slashgrammar.grammar.rewrite.analysis import called, components
from slashgrammar.grammar.rewrite.cost import LONG, is_longer, printed_length
from slashgrammar.grammar.rewrite.rebuild import substitute

_DEEP = 10


def inline(grammar: Grammar) -> Grammar:
    """Replace references to short rules, and to rules that are used once and are not long, by the rules' bodies.

    Preserves the language. Recursive rules stay where they are used more than once; rules that are no longer used are
    dropped. Nodes get nested deeper by at most ten levels.
    """
    graph: dict[str, list[str]] = {name: called(node) for name, node in grammar.rules.items()}
    uses = Counter(name for names in graph.values() for name in names)
    uses[grammar.start] += 1
    rules: dict[str, Node] = {}
    bodies: dict[str, Node] = {}
    for component in components(graph):
        for name in _used_first(component, graph, uses) if len(component) > 1 else component:
            rules[name] = body = substitute(grammar.rules[name], bodies)
            if name == grammar.start or name in graph[name] or (len(component) > 1 and uses[name] > 1):
                continue
            limit = LONG if uses[name] == 1 else printed_length(Reference(name))
            if not is_longer(body, limit) and _depth(body) <= _DEEP:
                bodies[name] = body
    return Grammar({name: rules[name] for name in grammar.rules if name not in bodies}, grammar.start)


def _used_first(component: list[str], graph: Mapping[str, list[str]], uses: Mapping[str, int]) -> list[str]:
    """Rules that lead to each other, each after those of them that nothing else uses."""
    members, order, seen = set(component), list[str](), set[str]()
    for origin in component:
        work = [(origin, False)]
        while work:
            name, done = work.pop()
            if done:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                work.append((name, True))
                work += [(other, False) for other in graph[name] if other in members and uses[other] == 1]
    return order


def _depth(node: Node) -> int:
    return 1 + max((_depth(child) for child in node.items), default=0)
