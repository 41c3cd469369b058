"""Find the parts of a grammar that a lexer may read in one go, though it takes the longest match wherever it can.

llguidance runs the lexemes that its parser allows at a place side by side, until none of them can go on with the next
byte; all that end just there are what was read. That goes wrong where something that may follow a lexeme begins with a
byte with which the lexeme itself, or another one allowed at the same place, can go on. So the largest regular parts are
tried as lexemes, and those that would go on where they must not are split, until nothing can go wrong anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from slashgrammar.grammar.ir import (
    CharClass,
    Grammar,
    Literal,
    Node,
    Reference,
    Repeat,
    Sequence,
    references,
    seq,
)
from slashgrammar.grammar.lark.lexeme_automaton import Alphabet, LexemeAutomaton, TooLarge
from slashgrammar.grammar.lark.lexeme_meetings import Meetings
from slashgrammar.grammar.lark.lexeme_places import Part, Places, TooMany
from slashgrammar.grammar.rewrite.analysis import call_graph, components, least_fixpoint, nullable
from slashgrammar.grammar.rewrite.fresh import RuleTable
from slashgrammar.grammar.rewrite.rebuild import with_items

_MAX_HEIGHT = 60
_MAX_PARTS = 100_000


class Lexed(NamedTuple):
    """A grammar in two levels.

    Attributes:
        grammar: what remains for the parser, over lexemes and single characters.
        lexemes: what the lexer reads, by names that no rule of the grammar has; they refer to others without recursion.
    """

    grammar: Grammar
    lexemes: Mapping[str, Node]


def with_lexemes(grammar: Grammar) -> Lexed:
    """The same language with lexemes as large as they may be; without any where too many can meet.

    Expects a prepared grammar.
    """
    try:
        division = _Division(grammar)
        division.settle()
    except TooMany:
        return Lexed(grammar, {})
    return division.result()


class _Division:
    """A grammar divided into lexemes and what is between them; raises TooMany."""

    def __init__(self, grammar: Grammar) -> None:
        self._rules = grammar.rules
        self._start = grammar.start
        self._empty = least_fixpoint(grammar.rules, nullable)
        self._alphabet = Alphabet(grammar.rules.values())
        self._automata: dict[Node, LexemeAutomaton | None] = {}
        self._heights: dict[str, int] = {}  # of the regular rules
        graph = call_graph(grammar.rules)
        for name, *others in components(graph):
            if not others and name not in graph[name] and self._automaton(grammar.rules[name]) is not None:
                self._heights[name] = self._height(grammar.rules[name])
        self._count = 0
        self._parts = {name: self._part(node) for name, node in grammar.rules.items()}
        self._table = RuleTable(grammar.rules)
        self._lexemes: dict[Node, Reference] = {}

    def settle(self) -> None:
        """Split lexemes until none goes on where another one must end."""
        meetings = Meetings(self._alphabet)
        while wrong := meetings.wrong(Places(self._parts, self._start)):
            for part in wrong:
                self._split(part)

    def result(self) -> Lexed:
        """The grammar as it is divided now."""
        rules: dict[str, Node] = {}
        todo = [self._start]
        while todo:
            name = todo.pop()
            if name not in rules:
                rules[name] = self._node(self._parts[name])
                todo += [called for called in references(rules[name]) if called in self._rules]
        lexemes = {reference.name: self._table.rules[reference.name] for reference in self._lexemes.values()}
        return Lexed(Grammar(rules, self._start), lexemes)

    def _node(self, part: Part) -> Node:
        if part.lexeme is None:
            items = tuple(map(self._node, part.items))
            return seq(*items) if isinstance(part.node, Sequence) else with_items(part.node, items)
        is_char = isinstance(part.node, CharClass) or (isinstance(part.node, Literal) and len(part.node.text) == 1)
        return part.node if is_char else self._lexeme(part.node)

    def _lexeme(self, node: Node) -> Reference:
        if isinstance(node, Reference):
            return self._lexeme(self._rules[node.name])
        if node not in self._lexemes:
            self._lexemes[node] = self._table.add(self._inside(node))
        return self._lexemes[node]

    def _inside(self, node: Node) -> Node:
        """A node of a lexeme, which refers to lexemes where it referred to rules."""
        if isinstance(node, Reference):
            return self._lexeme(node)
        return with_items(node, tuple(map(self._inside, node.items)))

    def _part(self, node: Node) -> Part:
        """The node, divided into the largest lexemes that are possible."""
        self._count += 1
        if self._count > _MAX_PARTS:
            raise TooMany
        part = Part(node, nullable(node, self._empty))
        part.lexeme = None if part.is_nullable else self._automaton(node)
        if part.lexeme is None:
            self._split(part)
        return part

    def _split(self, part: Part) -> None:
        part.lexeme = None
        part.node = self._opened(part.node)
        part.items = tuple(map(self._part, part.node.items))

    def _automaton(self, node: Node) -> LexemeAutomaton | None:
        """The automaton of a regular node that is neither too large nor nested too deeply; None for others."""
        if node not in self._automata:
            self._automata[node] = None
            if self._heights.keys() >= set(references(node)) and self._height(node) <= _MAX_HEIGHT:
                with suppress(TooLarge):
                    self._automata[node] = LexemeAutomaton(node, self._rules, self._alphabet)
        return self._automata[node]

    def _height(self, node: Node) -> int:
        if isinstance(node, Reference):
            return self._heights[node.name]
        return 1 + max(map(self._height, node.items), default=0)

    def _opened(self, node: Node) -> Node:
        """The node as something to split: texts and sequences in halves; what may be absent apart from its absence.

        Regular rules are opened where they are used, as what can follow them there is known best.
        """
        if isinstance(node, Literal) and len(node.text) > 1:
            half = len(node.text) // 2
            return Sequence((Literal(node.text[:half]), Literal(node.text[half:])))
        if isinstance(node, Sequence) and len(node.items) > 2:
            half = len(node.items) // 2
            return Sequence((_joined(node.items[:half]), _joined(node.items[half:])))
        if isinstance(node, Repeat) and node.min == 0 and node.max != 1:
            return Repeat(Repeat(node.item, 1, node.max), 0, 1)
        if isinstance(node, Reference) and node.name in self._heights:
            return self._opened(self._rules[node.name])
        return node


def _joined(items: tuple[Node, ...]) -> Node:
    return items[0] if len(items) == 1 else Sequence(items)
