"""Random small grammars over a small alphabet, and their languages up to a length, by brute force."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

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
    chars,
)

ALPHABET = "abc"
_NAMES = ("start", "p", "q", "s")


def _nested(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    items = st.lists(inner, min_size=1, max_size=4).map(tuple)
    bounds = st.tuples(st.integers(0, 3), st.one_of(st.none(), st.integers(0, 3)))
    return st.one_of(
        items.map(Sequence),
        items.map(Choice),
        st.builds(lambda item, b: Repeat(item, b[0], None if b[1] is None else b[0] + b[1]), inner, bounds),
    )


_leaves: st.SearchStrategy[Node] = st.one_of(
    st.sampled_from([*map(Reference, _NAMES)]),
    st.text(ALPHABET, max_size=3).map(Literal),
    st.text(ALPHABET, max_size=3).map(chars),
    st.sampled_from([*map(Reference, _NAMES), EMPTY]),
)
nodes = st.recursive(_leaves, _nested, max_leaves=6)
# The raw constructors are used, so that the passes also meet what `seq` and `alt` would have tidied up.
grammars = st.fixed_dictionaries(dict.fromkeys(_NAMES, nodes)).map(Grammar)


def language(grammar: Grammar, length: int) -> frozenset[str]:
    """The texts of the grammar with at most `length` characters; finds them rule by rule until nothing is added."""
    texts: dict[str, frozenset[str]] = dict.fromkeys(grammar.rules, frozenset())
    while True:
        # More texts of a rule can only mean more texts everywhere.
        grown = {name: texts[name] | _texts(node, texts, length) for name, node in grammar.rules.items()}
        if grown == texts:
            return texts[grammar.start]
        texts = grown


def _texts(node: Node, rules: dict[str, frozenset[str]], length: int) -> frozenset[str]:
    if isinstance(node, Literal):
        return frozenset([node.text] if len(node.text) <= length else [])
    if isinstance(node, CharClass):
        return frozenset(char for char in ALPHABET if char in node) if length else frozenset()
    if isinstance(node, Reference):
        return rules[node.name]
    if isinstance(node, Choice):
        return frozenset().union(*(_texts(item, rules, length) for item in node.items))
    if isinstance(node, Sequence):
        result = frozenset([""])
        for item in node.items:
            result = _concatenated(result, _texts(item, rules, length), length)
        return result
    round_texts = _texts(node.item, rules, length)
    result = frozenset([""])
    for _ in range(node.min):
        result = _concatenated(result, round_texts, length)
    rounds = 0
    while node.max is None or rounds < node.max - node.min:
        more = result | _concatenated(result, round_texts, length)
        if more == result:
            break
        result = more
        rounds += 1
    return result


def _concatenated(left: frozenset[str], right: frozenset[str], length: int) -> frozenset[str]:
    return frozenset(a + b for a, b in product(left, right) if len(a) + len(b) <= length)
