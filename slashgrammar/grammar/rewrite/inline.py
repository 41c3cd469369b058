"""Put rules where they are used, when a rule of its own costs more than it gives."""

from __future__ import annotations

from collections import Counter

from slashgrammar.grammar.ir import Grammar, Node, Reference, children, references
from slashgrammar.grammar.rewrite.analysis import call_graph, components
from slashgrammar.grammar.rewrite.cost import REFERENCE, printed_length
from slashgrammar.grammar.rewrite.substitute import substitute

# A rule that is used once and prints longer than this stays: its name costs little then, and makes good reading.
_LONG = 60
_DEEP = 10


def inline(grammar: Grammar) -> Grammar:
    """Replace references to short rules, and to rules that are used once and are not long, by the rules' bodies.

    Preserves the language. Recursive rules stay; rules that are no longer used are dropped. Nodes get nested deeper by
    at most ten levels.
    """
    graph = call_graph(grammar.rules)
    uses = Counter(name for node in grammar.rules.values() for name in references(node))
    rules: dict[str, Node] = {}
    bodies: dict[str, Node] = {}

    def body_of(reference: Reference) -> Node:
        return bodies.get(reference.name, reference)

    for component in components(graph):
        for name in component:
            rules[name] = body = substitute(grammar.rules[name], body_of)
            if name == grammar.start or len(component) > 1 or name in graph[name]:
                continue
            limit = _LONG if uses[name] == 1 else REFERENCE
            if printed_length(body) <= limit and _depth(body) <= _DEEP:
                bodies[name] = body
    return Grammar({name: rules[name] for name in grammar.rules if name not in bodies}, grammar.start)


def _depth(node: Node) -> int:
    return 1 + max((_depth(child) for child in children(node)), default=0)
