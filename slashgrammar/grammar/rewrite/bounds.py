"""Write repetitions so that llama.cpp, which refuses or forgets large bounds, keeps them."""

from __future__ import annotations

from math import isqrt

from slashgrammar.grammar.ir import (
    CharClass,
    Choice,
    Grammar,
    Literal,
    Node,
    Reference,
    Repeat,
    alt,
    repeat,
    seq,
)
from slashgrammar.grammar.rewrite.fresh import RuleTable
from slashgrammar.grammar.rewrite.rebuild import with_items

# llama.cpp (0.3.36 of its Python binding) copies a repeated group's rules once per repetition and refuses over 2,000
# of them; later versions refuse 2,000 itself. A maximum above the limit counts as no maximum.
MAX_PRODUCT = 1999


def split_bounds(grammar: Grammar) -> Grammar:
    """Express bounds above `MAX_PRODUCT` by smaller ones, and name repeated groups whose bounds multiply to above it.

    Preserves the language of every rule. The result grows with the logarithm of the bounds. In `x{0,n}` with n = qs + r
    and a rule c for `x{s}`, `c{0,q-1} x{0,s-1} | c{q} x{0,r}` reads every number of x in one way only, so that an
    engine that follows all readings at once follows few.
    """
    table = RuleTable(grammar.rules)
    for name, node in grammar.rules.items():
        table.rules[name] = _split(node, table)[0]
    return Grammar(table.rules, grammar.start)


def has_small_bounds(node: Node) -> bool:
    """Whether a rule of this body stays as it is."""
    return _is_plain(node) or _split(node, RuleTable({}))[0] is node


def _is_plain(node: Node) -> bool:
    """Whether no item is repeated up to a bound: then llama.cpp makes no more rules than there are nodes."""
    seen: list[Node] = [node]
    for current in seen:
        if isinstance(current, Repeat) and (current.min > 1 or (current.max or 0) > 1):
            return False
        seen += current.items
        if len(seen) > MAX_PRODUCT:
            return False
    return True


def _split(node: Node, table: RuleTable) -> tuple[Node, int]:
    """The node with small bounds, and how many rules llama.cpp makes of it, or sees in it for the first time."""
    if isinstance(node, (Literal, CharClass)):
        return node, 0
    if isinstance(node, Reference):
        return node, 1
    if isinstance(node, Repeat):
        return _split_repeat(node, table)
    parts = [_split(item, table) for item in node.items]
    rules = sum(part[1] for part in parts)
    return with_items(node, tuple(part[0] for part in parts)), rules + isinstance(node, Choice)


def _split_repeat(node: Repeat, table: RuleTable) -> tuple[Node, int]:
    item, rules = _split(node.item, table)
    is_group = bool(item.items)
    rules += is_group
    bound = node.min if node.max is None else node.max
    if is_group and bound * rules > MAX_PRODUCT:
        item, rules = table.add(item), 1
    if bound > MAX_PRODUCT:
        if not isinstance(item, (Reference, CharClass)):
            item = table.add(item)
        least = _exactly(item, node.min, table)
        more = repeat(item) if node.max is None else _at_most(item, node.max - node.min, table)
        return seq(least, more), MAX_PRODUCT  # many rules: repeated in its turn, it must have a name
    return with_items(node, (item,)), rules + (1 if node.max is None else node.max - node.min)


def _exactly(item: Node, count: int, table: RuleTable) -> Node:
    if count <= MAX_PRODUCT:
        return repeat(item, count, count)
    chunk = _chunk(count)
    chunks, rest = divmod(count, chunk)
    return seq(_exactly(table.add(repeat(item, chunk, chunk)), chunks, table), repeat(item, rest, rest))


def _at_most(item: Node, count: int, table: RuleTable) -> Node:
    if count <= MAX_PRODUCT:
        return repeat(item, 0, count)
    chunk = _chunk(count)
    chunks, rest = divmod(count, chunk)
    chunk_rule = table.add(repeat(item, chunk, chunk))
    return alt(
        seq(_at_most(chunk_rule, chunks - 1, table), repeat(item, 0, chunk - 1)),
        seq(_exactly(chunk_rule, chunks, table), repeat(item, 0, rest)),
    )


def _chunk(count: int) -> int:
    return min(isqrt(count), 1000)
