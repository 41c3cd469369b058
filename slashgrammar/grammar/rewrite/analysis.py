"""What several passes need to know of a grammar: which rules call which, which are nullable, which match anything."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping

from slashgrammar.grammar.ir import CharClass, Literal, Node, Reference, Repeat, Sequence, references


def call_graph(rules: Mapping[str, Node]) -> dict[str, list[str]]:
    """For each rule the rules that it refers to, each once, in order of occurrence."""
    return {name: list(dict.fromkeys(references(node))) for name, node in rules.items()}


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
    graph = call_graph(rules)
    callers: defaultdict[str, list[str]] = defaultdict(list)
    for name, called in graph.items():
        for other in called:
            callers[other].append(name)
    members: set[str] = set()
    todo = deque(name for component in components(graph) for name in component)
    while todo:
        name = todo.popleft()
        if name not in members and holds(rules[name], members):
            members.add(name)
            todo.extend(caller for caller in callers[name] if caller not in members)
    return members


def nullable(node: Node, rules: set[str]) -> bool:
    """Whether the node matches the empty text, given the rules that do."""
    if isinstance(node, Literal):
        return not node.text
    if isinstance(node, CharClass):
        return False
    if isinstance(node, Reference):
        return node.name in rules
    if isinstance(node, Repeat):
        return node.min == 0 or nullable(node.item, rules)
    if isinstance(node, Sequence):
        return all(nullable(item, rules) for item in node.items)
    return any(nullable(item, rules) for item in node.items)


def productive(node: Node, rules: set[str]) -> bool:
    """Whether the node matches any text at all, given the rules that do."""
    if isinstance(node, Literal):
        return node.text.isascii() or is_text(node.text)
    if isinstance(node, CharClass):
        return bool(node.ranges)
    if isinstance(node, Reference):
        return node.name in rules
    if isinstance(node, Repeat):
        return node.min == 0 or productive(node.item, rules)
    if isinstance(node, Sequence):
        return all(productive(item, rules) for item in node.items)
    return any(productive(item, rules) for item in node.items)


def is_text(text: str) -> bool:
    """Whether the string holds characters only, and no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
