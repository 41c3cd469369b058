"""A Lark grammar in two storeys, as Lark sees it: rules over terminals, and terminals over characters."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import sub

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import Grammar, Node, Reference, alt, repeat, seq
from slashgrammar.grammar.lark_rules import Rules
from slashgrammar.grammar.lark_source import Source
from slashgrammar.grammar.lark_terminals import Terminals
from slashgrammar.grammar.lark_tokens import Token
from slashgrammar.grammar.substitute import substitute


class LarkGrammar:
    """The rules that the given ones reach, and the terminals of these.

    Attributes:
        start: the first of the given rules.
        rules: by name; their references are to rules and to terminals.
        tokens: the terminals by name, and the ignored ones.
        used: the names of the terminals that rules refer to.
        ignored: the names of the terminals that may stand between any two others.

    Raises GrammarError for what is not context-free, and RecursionError for what is nested too deeply.
    """

    def __init__(self, source: Source, starts: Iterable[str]) -> None:
        self.start, *others = starts
        self._source = source
        self._terminals = Terminals(source)
        self._rules = Rules(source, self._terminals)
        self._rules.translate((self.start, *others))
        self.rules = self._rules.nodes
        for name in source.ignored:
            if name not in source.terminals:
                raise GrammarError(f"terminal {name} is ignored and not defined", grammar=next(iter(source.texts)))
        self.ignored = list(dict.fromkeys(map(self._terminals.ignored, source.ignored)))
        self.used = set(self._rules.terminals)
        names = dict.fromkeys((*self._rules.terminals, *self.ignored))
        self.tokens = {name: Token(name, self._terminals) for name in names}

    def to_ir(self, *, exact_keywords: bool = False) -> Grammar:
        """The grammar in one storey, in which terminals stand for their languages.

        Args:
            exact_keywords: takes from each terminal the keywords that Lark's lexers prefer to it.
        """
        excluded = {name: keywords for name in self.tokens if exact_keywords and (keywords := self.keywords(name))}
        parts = {part for name, token in self.tokens.items() if name not in excluded for part in token.parts}
        whole = {name: self._rules.fresh(name) for name in excluded if name in parts}
        written: dict[str, Node] = {}
        nodes: dict[str, Node] = {}
        for name, token in self.tokens.items():
            if name in excluded:
                own = reduce(sub, (self.tokens[keyword].automaton for keyword in excluded[name]), token.automaton)
                nodes[name] = token.write_automaton(own, written, self._rules.fresh)
            else:
                nodes[name] = token.write(written, self._rules.fresh, whole)
        start = self.start
        if self.ignored:
            ignored = self._rules.fresh("ignored")
            written[ignored] = repeat(alt(*(nodes[name] for name in self.ignored)))
            nodes = {name: seq(node, Reference(ignored)) for name, node in nodes.items()}
            # What is ignored before the first terminal belongs to no rule that other rules refer to.
            start = self._rules.fresh("text")
            written[start] = seq(Reference(ignored), nodes.get(self.start, Reference(self.start)))
        return Grammar({**{name: substitute(node, nodes) for name, node in self.rules.items()}, **written}, start)

    def keywords(self, name: str) -> list[str]:
        """The terminals that Lark's lexers prefer to a given one, where a text of theirs is one of its texts too.

        These are strings in quotes, unless the other has a higher priority, and what has a higher priority itself.
        """
        if self.is_string(name):
            return []
        priority, found = self._priority(name), []
        for other, token in self.tokens.items():
            preferred = self._priority(other) > priority
            if self.is_string(other):
                preferred = self._priority(other) >= priority
            if other == name or not preferred or token.automaton.longest[0] is None:
                continue
            if not (self.tokens[name].automaton & token.automaton).is_empty:
                found.append(other)
        return found

    def is_string(self, name: str) -> bool:
        """Whether a terminal is one string in quotes."""
        return self._terminals.is_string(name)

    def _priority(self, name: str) -> int:
        return self._source.priorities.get(name, 0)
