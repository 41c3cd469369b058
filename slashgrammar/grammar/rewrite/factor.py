"""Write common beginnings of alternatives once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias, TypeGuard

from slashgrammar.grammar.ir import (
    EMPTY,
    CharClass,
    Choice,
    Grammar,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    alt,
    character,
    chars,
    opt,
    seq,
)
from slashgrammar.grammar.rewrite.analysis import called, nullable
from slashgrammar.grammar.rewrite.cost import LONG, is_longer
from slashgrammar.grammar.rewrite.fresh import RuleTable
from slashgrammar.grammar.rewrite.rebuild import with_groups, with_items

# What is nested deeper than this in one choice becomes a rule.
_MAX_DEPTH = 20

_Items: TypeAlias = tuple[Node, ...]


def factor(grammar: Grammar) -> Grammar:
    """Factor out what alternatives begin with alike: `"get" x | "give"` becomes `"g" ("et" x | "ive")`.

    Preserves the language of the start rule. A rule that is used once, as one of several alternatives, leaves the text
    that it begins with to the choice. llama.cpp follows all alternatives at once, on a stack each: of hundreds of names
    so many are left after each character as fit what is there, and each is compared once.
    """
    table = RuleTable(grammar.rules)
    uses = Counter(name for node in grammar.rules.values() for name in called(node))
    once = {name for name, count in uses.items() if count == 1 and name != grammar.start}
    factoring = _Factoring(table, once)
    for name in grammar.rules:
        table.rules[name] = factoring.node(table.rules[name])
    factoring.finish()
    return Grammar(table.rules, grammar.start)


class _Factoring:
    def __init__(self, table: RuleTable, once: set[str]) -> None:
        self._table = table
        self._once = once
        self._too_deep: list[tuple[str, list[_Items]]] = []

    def node(self, node: Node) -> Node:
        if not isinstance(node, Choice):
            return with_groups(node, self.node)
        items = tuple(self._shown_beginnings(node))
        alternatives = list(map(_items, items))
        return self._choice(alternatives, 0) if _begin_alike(alternatives) else with_items(node, items)

    def finish(self) -> None:
        """Write the rules for what was nested too deeply."""
        while self._too_deep:
            name, alternatives = self._too_deep.pop()
            self._table.rules[name] = self._choice(alternatives, 0)

    def _shown_beginnings(self, choice: Choice) -> Iterator[Node]:
        """The alternatives, with the literal taken out of rules that begin with one and stand only here."""
        for item in choice.items:
            if isinstance(item, Reference) and item.name in self._once:
                body = self._table.rules[item.name]
                if isinstance(body, Sequence) and isinstance(body.items[0], Literal):
                    rest = seq(*body.items[1:])
                    self._table.rules[item.name] = rest
                    item = seq(body.items[0], item if is_longer(rest, LONG) else rest)
            yield self.node(item)

    def _choice(self, alternatives: list[_Items], depth: int) -> Node:
        if depth > _MAX_DEPTH:
            name = self._table.name()
            self._too_deep.append((name, alternatives))
            return Reference(name)
        groups: dict[str | Node, list[_Items]] = {}
        for items in self._opened(alternatives):
            groups.setdefault(_beginning(items), []).append(items)
        _split_classes(groups)
        has_empty = groups.pop("", None) is not None
        branches = []
        for group in groups.values():
            if len(group) == 1:
                branches.append(Sequence(group[0]) if len(group[0]) > 1 else group[0][0])
            else:
                prefix, rests = _common_prefix(group)
                branches.append(seq(*prefix, self._choice(rests, depth + 1)))
        node = alt(*branches)
        if not has_empty:
            return node
        return node if nullable(node, set()) else opt(node)

    def _opened(self, alternatives: list[_Items]) -> list[_Items]:
        """The alternatives, with `(x y)? z` written as `x y z` and `z` where another one begins with x."""
        if not any(items and _is_optional(items[0]) for items in alternatives):
            return alternatives
        begins = set(map(_beginning, alternatives))
        todo = alternatives[::-1]
        opened = []
        while todo:
            items = todo.pop()
            inner = _items(items[0].item) if items and _is_optional(items[0]) else ()
            if inner and _beginning(inner) in begins:
                rest = items[1:]
                if is_longer(seq(*rest), LONG):
                    rest = (self._table.add(seq(*rest)),)
                todo += [rest, inner + rest]
            else:
                opened.append(items)
        return opened


def _is_optional(node: Node) -> TypeGuard[Repeat]:
    return isinstance(node, Repeat) and node.min == 0 and node.max == 1


def _items(node: Node) -> _Items:
    if isinstance(node, Sequence):
        return node.items
    return () if node == EMPTY else (node,)


def _beginning(items: _Items) -> str | Node:
    """What is compared first: the first character of a literal, or else the first item as a whole; "" for no items."""
    if not items:
        return ""
    first = items[0]
    return first.text[0] if isinstance(first, Literal) else first


def _begin_alike(alternatives: list[_Items]) -> bool:
    """Whether alternatives may have a beginning in common."""
    begins = list(map(_beginning, alternatives))
    if len(set(begins)) < len(begins) or "" in begins:
        return True
    return any(isinstance(begin, CharClass) or _is_optional(begin) for begin in begins if not isinstance(begin, str))


def _split_classes(groups: dict[str | Node, list[_Items]]) -> None:
    """Where a class is an alternative, treat those of its characters as literals that a literal begins with."""
    for key in [key for key in groups if isinstance(key, CharClass) and groups[key] == [(key,)]]:
        shared = [begin for begin in groups if isinstance(begin, str) and begin in key]
        if shared:
            del groups[key]
            rest = key - chars(shared)
            if rest:
                groups.setdefault(character(rest), []).append((character(rest),))
            for begin in shared:
                groups[begin].append((Literal(begin),))


def _common_prefix(group: list[_Items]) -> tuple[_Items, list[_Items]]:
    """The longest items that all begin with, and what is left of each."""
    first, *others = group
    length = 0
    for item in first:
        if not all(len(items) > length and items[length] == item for items in others):
            break
        length += 1
    prefix = first[:length]
    rests = [items[length:] for items in group]
    texts = [rest[0].text for rest in rests if rest and isinstance(rest[0], Literal)]
    common = _common_start(texts) if len(texts) == len(group) else ""
    if common:
        prefix += (Literal(common),)
        rests = [_without_start(rest, len(common)) for rest in rests]
    return prefix, rests


def _common_start(texts: list[str]) -> str:
    low, high = min(texts), max(texts)
    length = 0
    while length < min(len(low), len(high)) and low[length] == high[length]:
        length += 1
    return low[:length]


def _without_start(items: _Items, length: int) -> _Items:
    literal = items[0]
    assert isinstance(literal, Literal)
    return items[1:] if len(literal.text) == length else (Literal(literal.text[length:]), *items[1:])
