"""Grammars as JSON, to be kept in files: plain data, of which reading back runs nothing.

A node is a string (a literal) or a list that begins with its kind: `["c", low, high, …]` a class, `["s", …]` a
sequence, `["a", …]` a choice, `["r", node, min, max]` a repetition, `["n", name]` a reference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import CharClass, Choice, Grammar, Literal, Node, Reference, Repeat, Sequence
from slashgrammar.grammar.rewrite.depth import bound_depth


def dump_grammar(grammar: Grammar) -> str:
    """The grammar as text; nodes that are nested deeply become rules of their own."""
    grammar = bound_depth(grammar)
    rules = {name: _dump(node) for name, node in grammar.rules.items()}
    return json.dumps([grammar.start, rules], ensure_ascii=False, separators=(",", ":"))


def load_grammar(text: str) -> Grammar:
    """The grammar of a text by `dump_grammar`, which is read when its rules are first asked for.

    Raises:
        GrammarError: the text is none such.
    """
    start, end = json.JSONDecoder().raw_decode(text, 1)
    return Grammar(_Rules(text[end + 1 : -1]), start)


class _Rules(Mapping[str, Node]):
    """A table of rules that is read when it is needed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._rules: dict[str, Node] | None = None

    def _table(self) -> dict[str, Node]:
        rules = self._rules
        if rules is None:
            try:
                rules = {name: _load(data) for name, data in json.loads(self._text).items()}
            except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
                raise GrammarError("no grammar as this package writes it to files; delete the file") from error
            self._rules = rules
        return rules

    def __getitem__(self, name: str) -> Node:
        return self._table()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table())

    def __len__(self) -> int:
        return len(self._table())


def _dump(node: Node) -> Any:
    match node:
        case Literal(text):
            return text
        case CharClass(ranges):
            return ["c", *(code for pair in ranges for code in pair)]
        case Sequence(items):
            return ["s", *map(_dump, items)]
        case Choice(items):
            return ["a", *map(_dump, items)]
        case Repeat(item, least, most):
            return ["r", _dump(item), least, most]
    return ["n", node.name]


def _load(data: Any) -> Node:
    if isinstance(data, str):
        return Literal(data)
    kind, *parts = data
    if kind == "c":
        return CharClass(tuple(zip(map(int, parts[::2]), map(int, parts[1::2]), strict=True)))
    if kind == "s":
        return Sequence(tuple(map(_load, parts)))
    if kind == "a":
        return Choice(tuple(map(_load, parts)))
    if kind == "r":
        item, least, most = parts
        return Repeat(_load(item), int(least), None if most is None else int(most))
    (name,) = parts
    return Reference({"n": str}[kind](name))
