"""Automata as IR: a rule for each state that is entered from several places, or one expression where that is shorter.

A state with one entrance is written where it is entered, a loop of a state onto itself is a repetition, and so is a
run of states that read the same class one after the other.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, TypeAlias

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.minimise import DEAD
from slashgrammar.grammar.compact import either, join
from slashgrammar.grammar.ir import (
    EMPTY,
    NOTHING,
    Grammar,
    Node,
    Reference,
    char_class,
    character,
    references,
    repeat,
    walk,
)

START: Final = 0
END: Final = -1
_MAX_DEPTH = 25
_MAX_EXPRESSION = 2_000
_MAX_WORK = 5
_MAX_ELIMINATED = 150

Graph: TypeAlias = dict[int, dict[int, Node]]
"""For each state what leads to which other one. A text is matched on a way from `START` to `END`."""


def to_grammar(automaton: Automaton, name: str) -> Grammar:
    """The language of an automaton as rules; the start rule has the given name, further ones `name_1` and so on."""
    return graph_to_grammar(_graph(automaton), name)


def to_node(automaton: Automaton) -> Node:
    """The language of an automaton as one node without references.

    Raises GrammarError where that needs more than 2,000 nodes.
    """
    graph = _graph(automaton)
    _merge_runs(graph)
    node = _eliminate(graph, _MAX_EXPRESSION)
    if node is None:
        raise GrammarError(f"as one expression it would have more than {_MAX_EXPRESSION} parts; make it simpler")
    return node


def graph_to_grammar(graph: Graph, name: str) -> Grammar:
    """The texts of a graph as rules named as in `to_grammar`. The graph is changed."""
    _merge_runs(graph)
    rules = _write_rules(graph, name)
    if any(True for rule in rules.values() for _ in references(rule)):
        # An expression repeats itself where rules do not, and engines follow all its copies at once.
        node = _eliminate(graph, sum(map(_size, rules.values())) // 2)
        if node is not None:
            rules = {name: node}
    return Grammar(rules, name)


def _graph(automaton: Automaton) -> Graph:
    graph: Graph = dict(enumerate(steps(automaton)))
    for state, accepts in enumerate(automaton.accepting):
        if accepts:
            graph[state][END] = EMPTY
    return graph


def steps(automaton: Automaton) -> list[dict[int, Node]]:
    """For each state the characters that lead to each other one."""
    unions: dict[tuple[int, ...], Node] = {}  # many edges carry the same

    def union(symbols: tuple[int, ...]) -> Node:
        if symbols not in unions:
            unions[symbols] = character(char_class(part for each in symbols for part in automaton.classes[each].ranges))
        return unions[symbols]

    found = []
    for row in automaton.edges:
        symbols: dict[int, list[int]] = {target: [] for target in row if target != DEAD}
        for symbol, target in enumerate(row):
            if target != DEAD:
                symbols[target].append(symbol)
        found.append({target: union(tuple(each)) for target, each in symbols.items()})
    return found


def _entrances(graph: Graph) -> Counter[int]:
    """For each state how many others lead to it."""
    return Counter(target for state, edges in graph.items() for target in edges if target != state)


def _merge_runs(graph: Graph) -> None:
    """Makes one edge of each run of states that all read the same, and can all end there or all cannot."""
    entrances = _entrances(graph)
    for head in sorted(graph):
        if head not in graph or (step := _only_step(graph, head)) is None:
            continue
        state, label = step
        may_end = END in graph[head]
        run = [head]
        while state != START and entrances[state] == 1 and (END in graph[state]) is may_end:
            step = _only_step(graph, state)
            if step is None or step[1] != label:
                break
            run.append(state)
            state = step[0]
        for inner in run[1:]:
            del graph[inner]
        length = len(run)
        if may_end and entrances[state] == 1 and graph[state] == {END: EMPTY}:
            del graph[state]
            graph[head] = {END: repeat(label, 0, length)}
        elif length > 1:
            graph[head] = {state: repeat(label, length, length)}
            if may_end:
                graph[head][END] = repeat(label, 0, length - 1)


def _only_step(graph: Graph, state: int) -> tuple[int, Node] | None:
    """The other state that a state leads to, with what is read on the way, where there is exactly one way to go on."""
    steps = [(target, label) for target, label in graph[state].items() if target != END]
    return steps[0] if len(steps) == 1 and steps[0][0] != state else None


def _write_rules(graph: Graph, name: str) -> dict[str, Node]:
    entrances = _entrances(graph)
    shared = [
        state for state in graph if state == START or (entrances[state] > 1 and not graph[state].keys() <= {state, END})
    ]
    names = {state: f"{name}_{number}" if number else name for number, state in enumerate(shared)}

    def write(state: int, depth: int) -> Node:
        edges = graph[state]
        ways = []
        for target, label in edges.items():
            if target == END:
                ways.append(label)
            elif target != state:
                ways.append(join((label, enter(target, depth))))
        return join((repeat(edges[state]) if state in edges else EMPTY, either(ways)))

    def enter(state: int, depth: int) -> Node:
        if state not in names and depth == _MAX_DEPTH:
            names[state] = f"{name}_{len(names)}"
            shared.append(state)
        return Reference(names[state]) if state in names else write(state, depth + 1)

    # `shared` grows while it is walked through: a state that would be nested too deeply gets a rule after all.
    return {names[state]: write(state, 0) for state in shared}


def _eliminate(graph: Graph, limit: int) -> Node | None:
    """One expression for the whole graph, or None where it would have more than `limit` nodes.

    Takes away one state after the other, the least connected first, and writes its ways into the edges around it
    (J. A. Brzozowski and E. J. McCluskey, Signal flow graph techniques for sequential circuit state diagrams, 1963).
    """
    if len(graph) > min(limit, _MAX_ELIMINATED):
        return None
    before, after = -2, {state: dict(edges) for state, edges in graph.items()}
    after[before] = {START: EMPTY}
    sources: dict[int, set[int]] = {state: set() for state in (*after, END)}
    for state, edges in after.items():
        for target in edges:
            sources[target].add(state)
    size = 0
    while len(after) > 1:
        state = min(
            (state for state in after if state != before), key=lambda state: len(sources[state]) * len(after[state])
        )
        edges = after.pop(state)
        loop = repeat(edges.pop(state)) if state in edges else EMPTY
        for source in sources.pop(state) - {state}:
            entrance = after[source].pop(state)
            for target, label in edges.items():
                way = join((entrance, loop, label))
                after[source][target] = either([after[source][target], way]) if target in after[source] else way
                sources[target].add(source)
                size += _size(way)
        for target in edges:
            sources[target].discard(state)
        if size > _MAX_WORK * limit:
            return None
    result = after[before].get(END, NOTHING)
    return result if _size(result) <= limit else None


def _size(node: Node) -> int:
    return sum(1 for _ in walk(node))
