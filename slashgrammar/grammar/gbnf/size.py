"""What llama.cpp's parser makes of a GBNF text: how many rules and elements, and what it refuses on the way."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from lark import Token, Tree

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.gbnf.read import bounds, refuse
from slashgrammar.grammar.rewrite.bounds import MAX_PRODUCT

# Measured: 2,000,000 elements load in 0.15 s and take some 50 MB.
MAX_ELEMENTS = 5_000_000

_ADVICE = (
    "give what is repeated a rule of its own, or write `x{0,3000}` as `x{0,999} | x{1000} (x{0,999} | x{1000} ...)`"
)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a rule, as llama.cpp has it after writing repetitions out.

    Attributes:
        elements: how many elements it puts in its rule.
        rules: how many rules it adds.
        product: how much a repetition of it counts for; such numbers multiply.
        is_empty: whether it refers to a rule with an alternative that has no elements.
        name: the rule that it refers to, where it depends on that whether it does.
    """

    elements: int
    rules: int = 0
    product: int = 1
    is_empty: bool = False
    name: str | None = None


def check_expansion(tree: Tree[Token]) -> None:
    """Follow llama.cpp's parser, which writes repetitions out as rules, and refuse what it cannot take.

    Raises:
        GrammarError: a repetition that llama.cpp refuses or takes for unbounded; a loop over a rule that may be empty,
            which it takes for left recursion; or over `MAX_ELEMENTS` elements in all. With the line.
    """
    expansion = _Expansion(tree)
    for part in tree.iter_subtrees():
        expansion.add(part)
    for times, name in expansion.loops:
        if name in expansion.empty_rules:
            refuse(
                times,
                f"{name} is repeated but may be empty, which llama.cpp refuses; let the repetition allow for that",
            )


class _Expansion:
    """Adds up the parts of a parse tree, from small to large.

    Attributes:
        loops: the unbounded repetitions of rules.
        empty_rules: the rules with an alternative that has no elements.
    """

    def __init__(self, tree: Tree[Token]) -> None:
        self.loops: list[tuple[Token, str]] = []
        self.empty_rules: set[str] = set()
        self._parts: dict[int, _Part] = {}
        self._total = 0
        first: dict[str, int] = {}
        for part in tree.iter_subtrees():
            for token in part.children:
                if isinstance(token, Token) and token.type == "NAME":
                    position = token.start_pos or 0
                    first[token] = min(position, first.get(token, position))
        self._first_seen = sorted(first.values())

    def add(self, tree: Tree[Token]) -> None:
        if tree.data == "start":
            return
        items = [self._parts[id(item)] if isinstance(item, Tree) else _token(item) for item in tree.children]
        if tree.data in ("repeated", "inner_repeated"):
            times = tree.children[1]
            assert isinstance(times, Token)
            part = self._repeated(items[0], times)
        elif tree.data in ("choice", "inner_choice"):
            elements = sum(item.elements for item in items) + len(items)
            part = _Part(elements, sum(item.rules for item in items), is_empty=any(not item.elements for item in items))
            self._count(elements, None if tree.meta.empty else tree.meta.line)
        elif tree.data == "group":
            # What counts is how many names llama.cpp knows more at the end of the group than at its beginning.
            begin, end = (bisect_left(self._first_seen, at) for at in (tree.meta.start_pos, tree.meta.end_pos))
            rules = items[0].rules + 1
            part = _Part(1, rules, product=rules + end - begin, is_empty=items[0].is_empty)
        elif tree.data == "rule":
            part = items[1]
            if part.is_empty:
                self.empty_rules.add(str(tree.children[0]))
        else:
            part = _Part(sum(item.elements for item in items), sum(item.rules for item in items))
        self._parts[id(tree)] = part

    def _repeated(self, item: _Part, times: Token) -> _Part:
        least, most = bounds(times)
        product = item.product * (most or least or 1)
        if not item.elements:
            refuse(times, f"{times} repeats nothing; leave it out")
        if most is not None and most > MAX_PRODUCT:
            refuse(times, f"llama.cpp forgets or refuses bounds of 2,000 and more, as in {times}; {_ADVICE}")
        if product > MAX_PRODUCT:
            refuse(
                times, f"llama.cpp refuses {times} where it makes 2,000 copies with what is repeated inside; {_ADVICE}"
            )
        if most is None and item.is_empty:
            refuse(
                times, f'llama.cpp refuses {times} where nothing can be repeated; leave out the inner `?`, `*` or `""`'
            )
        if most is None and item.name:
            self.loops.append((times, item.name))
        optional = 1 if most is None else most - least
        self._count(optional * (item.elements + 3), times.line)
        elements = item.elements * least + (optional > 0)
        return _Part(elements, item.rules + optional, product, item.is_empty or least == 0, item.name)

    def _count(self, elements: int, line: int | None) -> None:
        self._total += elements
        if self._total > MAX_ELEMENTS:
            message = f"the grammar has over {MAX_ELEMENTS:,} elements once repetitions are written out; repeat less"
            raise GrammarError(message, line=line)


def _token(token: Token) -> _Part:
    if token.type == "NAME":
        return _Part(1, name=str(token))
    return _Part(0 if token in ('""', "[]") else len(token))
