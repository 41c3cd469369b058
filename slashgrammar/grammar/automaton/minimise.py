"""Merges the states of a deterministic automaton that accept the same texts.

J. Hopcroft, An n log n algorithm for minimizing states in a finite automaton, 1971; in the form for automata in which
edges may be missing, as A. Valmari and P. Lehtinen describe it (STACS 2008).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

DEAD = -1


def merge_states(edges: Sequence[Sequence[int]], accepting: Sequence[bool]) -> list[int]:
    """For each state the number of its block of equivalent states; `DEAD` for states from which nothing is accepted."""
    into: list[list[tuple[int, int]]] = [[] for _ in edges]
    for state, row in enumerate(edges):
        for symbol, target in enumerate(row):
            if target != DEAD:
                into[target].append((symbol, state))
    live = _live(into, accepting)
    if len(live) < len(edges):
        into = [[step for step in steps if step[1] in live] for steps in into]
    block_of = [DEAD] * len(edges)
    blocks = [
        members for wanted in (True, False) if (members := {state for state in live if accepting[state] is wanted})
    ]
    for number, members in enumerate(blocks):
        for state in members:
            block_of[state] = number
    waiting = set(range(len(blocks)))
    while waiting:
        sources: defaultdict[int, list[int]] = defaultdict(list)
        for target in blocks[waiting.pop()]:
            for symbol, state in into[target]:
                sources[symbol].append(state)
        for states in sources.values():
            _split(states, blocks, block_of, waiting)
    return block_of


def _live(into: list[list[tuple[int, int]]], accepting: Sequence[bool]) -> set[int]:
    """The states from which something is accepted."""
    live = {state for state, accepts in enumerate(accepting) if accepts}
    stack = list(live)
    while stack:
        for _, state in into[stack.pop()]:
            if state not in live:
                live.add(state)
                stack.append(state)
    return live


def _split(states: list[int], blocks: list[set[int]], block_of: list[int], waiting: set[int]) -> None:
    """Separates the given states from the others of their blocks."""
    touched: defaultdict[int, set[int]] = defaultdict(set)
    for state in states:
        touched[block_of[state]].add(state)
    for number, inside in touched.items():
        if len(inside) == len(blocks[number]):
            continue
        blocks[number] -= inside
        for state in inside:
            block_of[state] = len(blocks)
        smaller = number if len(blocks[number]) < len(inside) else len(blocks)
        waiting.add(len(blocks) if number in waiting else smaller)
        blocks.append(inside)
