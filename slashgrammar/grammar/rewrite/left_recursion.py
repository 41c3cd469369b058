"""Remove left recursion, which llama.cpp refuses where it sees it, and dies of where it does not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import (
    EMPTY,
    NOTHING,
    Choice,
    Grammar,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    opt,
    repeat,
    seq,
)
from slashgrammar.grammar.rewrite.analysis import (
    called,
    components,
    least_fixpoint,
    left_corners,
    left_recursive,
    nullable,
)
from slashgrammar.grammar.rewrite.fresh import RuleTable
from slashgrammar.grammar.rewrite.nullable import NonEmpty

MAX_NEW_RULES = 20_000


def remove_left_recursion(grammar: Grammar) -> Grammar:
    """Rewrite every rule that can begin with itself: directly, through others, or behind what matches the empty text.

    Preserves the language of every rule that it keeps, those that the start rule leads to; expects that no loop is
    nullable and that every rule matches some text. `a: a "+" b | b` becomes `a: b ("+" b)*`.

    Raises:
        GrammarError: the rules begin with each other in so many ways that over `MAX_NEW_RULES` rules would be needed.
    """
    empty = least_fixpoint(grammar.rules, nullable)
    groups = list(left_recursive(grammar.rules, empty))
    if not groups:
        return grammar
    table = RuleTable(grammar.rules)
    nonempty = NonEmpty(table, empty)
    unwritten: dict[str, Callable[[], Node]] = {}
    for group in groups:
        _Automaton(group, grammar.rules, nonempty, unwritten)
    nonempty.finish()

    kept: dict[str, Node] = {}
    todo = [grammar.start]
    while todo:
        name = todo.pop()
        if name in kept:
            continue
        kept[name] = unwritten[name]() if name in unwritten else table.rules[name]
        todo.extend(called(kept[name]))
        if len(kept) > len(grammar.rules) + MAX_NEW_RULES:
            message = f"takes over {MAX_NEW_RULES} rules without left recursion; let fewer rules begin with each other"
            raise GrammarError(message, rule=grammar.start)
    return Grammar(kept, grammar.start)


class _Automaton:
    """A group of rules that can begin with each other, read as an automaton whose states are the rules.

    Rule A either begins with a rule B of the group and goes on with a tail: an edge from B to A. Or it begins with none
    of them: its base. So a text of A is the base of some state, then the tails on a path from there to A. All this is
    without the empty text, which a nullable rule gets back at the end. States that lead to each other by empty tails
    match the same and are merged.
    """

    def __init__(
        self, group: list[str], rules: Mapping[str, Node], nonempty: NonEmpty, unwritten: dict[str, Callable[[], Node]]
    ) -> None:
        """Leave in `unwritten` how to write each rule of the group, for when it is known which are needed."""
        self._nonempty = nonempty
        self._unwritten = unwritten
        self._state = {name: nonempty.rule(name) if name in nonempty.nullable else name for name in group}
        self._state.update({state: state for state in self._state.values()})
        bases: dict[str, Node] = {}
        tails: dict[str, dict[str, Node]] = {}
        for name in group:
            body = nonempty.of(rules[name]) if name in nonempty.nullable else rules[name]
            tails[self._state[name]], bases[self._state[name]] = self._split(body)

        empty_edges: dict[str, list[str]] = {state: [] for state in bases}
        for target, sources in tails.items():
            for source, tail in sources.items():
                if nullable(tail, nonempty.nullable):
                    empty_edges[source].append(target)
        merged = {state: states[0] for states in components(empty_edges) for state in states}
        self._state = {name: merged[state] for name, state in self._state.items()}

        self._bases: defaultdict[str, Node] = defaultdict(lambda: NOTHING)
        self._edges: dict[str, defaultdict[str, Node]] = {
            state: defaultdict(lambda: NOTHING) for state in merged.values()
        }
        for target, sources in tails.items():
            self._bases[merged[target]] = alt(self._bases[merged[target]], bases[target])
            for source, tail in sources.items():
                if merged[source] == merged[target]:
                    tail = nonempty.of(tail)
                outgoing = self._edges[merged[source]]
                outgoing[merged[target]] = alt(outgoing[merged[target]], tail)
        if len(self._edges) > 1:
            self._share_parts()
        self._continuations: dict[tuple[str, str], Reference] = {}
        for name in self._state:
            unwritten[name] = partial(self._rule, name)

    def _split(self, node: Node) -> tuple[dict[str, Node], Node]:
        """What the node goes on with after each state that it can begin with, and the part that begins with none."""
        if isinstance(node, Reference) and node.name in self._state:
            return {self._state[node.name]: EMPTY}, EMPTY if node.name in self._nonempty.nullable else NOTHING
        if not self._begins_with_state(node):
            return {}, node
        if isinstance(node, Sequence):
            return self._split_sequence(node.items)
        if isinstance(node, Repeat):
            more = repeat(node.item, max(node.min - 1, 0), None if node.max is None else node.max - 1)
            item_tails, base = self._split(seq(node.item, more))
            return item_tails, base if node.min else opt(base)
        assert isinstance(node, Choice)
        tails: defaultdict[str, Node] = defaultdict(lambda: NOTHING)
        bases = []
        for item in node.items:
            item_tails, base = self._split(item)
            bases.append(base)
            for state, tail in item_tails.items():
                tails[state] = alt(tails[state], tail)
        return tails, alt(*bases)

    def _split_sequence(self, items: tuple[Node, ...]) -> tuple[dict[str, Node], Node]:
        tails: defaultdict[str, Node] = defaultdict(lambda: NOTHING)
        bases: list[Node] = []
        last = len(items) - 1  # the last item that a state can begin, if all before it are empty
        while not self._begins_with_state(items[last]):
            last -= 1
        for index, (item, rest) in enumerate(zip(items, self._nonempty.suffixes(items), strict=True)):
            item_tails, base = self._split(item)
            for state, tail in item_tails.items():
                tails[state] = alt(tails[state], seq(tail, rest))
            if index == last or not nullable(base, self._nonempty.nullable):
                bases.append(seq(base, rest))
                break
            bases.append(seq(self._nonempty.of(base), rest))
        return tails, alt(*bases)

    def _begins_with_state(self, node: Node) -> bool:
        return any(name in self._state for name in left_corners(node, self._nonempty.nullable))

    def _share_parts(self) -> None:
        """Make rules of the bases and tails, which stand in the automaton of every rule that is needed."""
        add = self._nonempty.table.add
        for state, base in self._bases.items():
            if isinstance(base, (Sequence, Choice, Repeat)):
                self._bases[state] = add(base)
        for outgoing in self._edges.values():
            for state, tail in outgoing.items():
                if isinstance(tail, (Sequence, Choice, Repeat)):
                    outgoing[state] = add(tail)

    def _rule(self, name: str) -> Node:
        state = self._state[name]
        if name in self._nonempty.nullable:
            return opt(Reference(state))
        if name != state:
            return Reference(state)
        if len(self._edges) == 1:
            return seq(self._bases[state], repeat(self._edges[state][state]))
        return alt(*(seq(base, self._continuation(begin, state)) for begin, base in self._bases.items()))

    def _continuation(self, source: str, target: str) -> Reference:
        """The rule for what leads from one state to another."""
        if (source, target) not in self._continuations:
            name = self._nonempty.table.name()
            self._continuations[source, target] = Reference(name)
            self._unwritten[name] = partial(self._steps, source, target)
        return self._continuations[source, target]

    def _steps(self, source: str, target: str) -> Node:
        steps = [seq(tail, self._continuation(state, target)) for state, tail in self._edges[source].items()]
        return alt(*steps, *([EMPTY] if source == target else []))
