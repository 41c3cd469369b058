"""What several passes need to know of a grammar: which rules call which, which are nullable, which match anything."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from slashgrammar.grammar.ir import Choice, Literal, Node, Reference, Repeat, Sequence

_ROUNDS = 8


def called(node: Node) -> list[str]:
    """The names of the rules that the node refers to, each occurrence, in order."""
    names: list[str] = []
    _collect(node, names)
    return names


@lru_cache(maxsize=512)
def names_in(node: Node) -> tuple[str, ...]:
    """The same names, each once, remembered: for rules that stand in many grammars."""
    return tuple(dict.fromkeys(called(node)))


def _collect(node: Node, names: list[str]) -> None:
    # By far the most frequent walk through nodes, so without a call for the leaves.
    for item in node.items or (node,):
        if item.items:
            _collect(item, names)
        elif isinstance(item, Reference):
            names.append(item.name)


def call_graph(rules: Mapping[str, Node]) -> dict[str, list[str]]:
    """For each rule the rules that it refers to, each once, in order of occurrence."""
    return {name: list(dict.fromkeys(called(node))) for name, node in rules.items()}


def components(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The strongly connected components, each after those that it leads to.

    Tarjan's algorithm (SIAM J. Comput. 1, 1972) without recursion: linear, however long the chains are.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    result: list[list[str]] = []
    closed = len(graph)  # the index of what is in a finished component: no lower than any real one
    for origin in graph:
        work = [] if origin in index else [(origin, iter(graph[origin]))]
        while work:
            name, successors = work[-1]
            if name not in index:
                index[name] = low[name] = len(index)
                path.append(name)
            for successor in successors:
                if successor not in index:
                    work.append((successor, iter(graph[successor])))
                    break
                low[name] = min(low[name], low[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    component: list[str] = []
                    while not component or component[-1] != name:
                        component.append(path.pop())
                        low[component[-1]] = closed
                    result.append(component)
    return result


def least_fixpoint(rules: Mapping[str, Node], holds: Callable[[Node, set[str]], bool]) -> set[str]:
    """The smallest set of rules that holds exactly those whose body `holds`, given the set.

    `holds` must not turn false when the set grows.
    """
    members: set[str] = set()
    left = list(rules)
    for _ in range(_ROUNDS):  # enough for all but contrived grammars
        before = len(members)
        for name in left:
            if holds(rules[name], members):
                members.add(name)
        if len(members) == before:
            return members
        left = [name for name in left if name not in members]
    # Otherwise look again only at rules that call one that has become a member.
    callers: defaultdict[str, list[str]] = defaultdict(list)
    for name in left:
        for other in called(rules[name]):
            callers[other].append(name)
    todo = deque(left)
    while todo:
        name = todo.popleft()
        if name not in members and holds(rules[name], members):
            members.add(name)
            todo.extend(caller for caller in callers[name] if caller not in members)
    return members


def nullable(node: Node, rules: set[str]) -> bool:
    """Whether the node matches the empty text, given the rules that do."""
    if isinstance(node, Sequence):
        return all(nullable(item, rules) for item in node.items)
    if isinstance(node, Literal):
        return not node.text
    if isinstance(node, Reference):
        return node.name in rules
    if isinstance(node, Repeat):
        return node.min == 0 or nullable(node.item, rules)
    if isinstance(node, Choice):
        return any(nullable(item, rules) for item in node.items)
    return False


def productive(node: Node, rules: set[str]) -> bool:
    """Whether the node matches any text at all, given the rules that do."""
    if isinstance(node, Sequence):
        return all(productive(item, rules) for item in node.items)
    if isinstance(node, Literal):
        return is_text(node.text)
    if isinstance(node, Reference):
        return node.name in rules
    if isinstance(node, Repeat):
        return node.min == 0 or productive(node.item, rules)
    if isinstance(node, Choice):
        return any(productive(item, rules) for item in node.items)
    return bool(node.ranges)


def is_text(text: str) -> bool:
    """Whether the string holds characters only, and no lone surrogates."""
    return text.isascii() or not any(0xD800 <= ord(char) <= 0xDFFF for char in text)


def left_recursive(rules: Mapping[str, Node], empty: set[str]) -> Iterator[list[str]]:
    """The groups of rules that can begin with each other, or one rule with itself, given the nullable rules."""
    corners = {name: list(dict.fromkeys(left_corners(node, empty))) for name, node in rules.items()}
    for component in components(corners):
        if len(component) > 1 or component[0] in corners[component[0]]:
            yield component


def left_corners(node: Node, empty: set[str]) -> Iterator[str]:
    """The rules that the node can begin with, given the rules that match the empty text."""
    if isinstance(node, Reference):
        yield node.name
    elif isinstance(node, Repeat):
        yield from left_corners(node.item, empty)
    elif isinstance(node, Choice):
        for item in node.items:
            yield from left_corners(item, empty)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from left_corners(item, empty)
            if not nullable(item, empty):
                break
