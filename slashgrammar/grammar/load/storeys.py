"""A Lark grammar in two storeys, as Lark sees it: rules over terminals, and terminals over characters."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from operator import sub

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.ir import ANY_CHAR, CharClass, Grammar, Node, Reference, alt, repeat, seq
from slashgrammar.grammar.load.ignore import IgnoredRuns
from slashgrammar.grammar.load.rules import Rules
from slashgrammar.grammar.load.source import Source
from slashgrammar.grammar.load.terminals import Terminals
from slashgrammar.grammar.load.tokens import Token, write_as, write_new
from slashgrammar.grammar.rewrite.rebuild import substitute


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
        self.used = tuple(self._rules.terminals)
        names = dict.fromkeys((*self.used, *self.ignored))
        self.tokens = {name: Token(name, self._terminals) for name in names}

    def to_ir(self, *, exact_keywords: bool = False) -> Grammar:
        """The grammar in one storey, in which terminals stand for their languages.

        Args:
            exact_keywords: takes from each terminal the keywords that Lark's lexers prefer to it.
        """
        narrowed = self._without_keywords() if exact_keywords else {}
        used = {name: self.tokens[name] for name in self.used}
        parts = {part for name, token in used.items() if name not in narrowed for part in token.parts}
        whole = {name: self._rules.fresh(name) for name in narrowed if name in parts}
        written: dict[str, Node] = {}
        nodes: dict[str, Node] = {}
        for name, token in used.items():
            if name in narrowed:
                nodes[name] = token.write_automaton(narrowed[name], written, self._rules.fresh)
            else:
                nodes[name] = token.write(written, self._rules.fresh, whole)
        start = self.start
        if self.ignored:
            start = self._rules.fresh("text")
            nodes, written[start] = self._with_ignored(nodes, narrowed, written)
        return Grammar({**{name: substitute(node, nodes) for name, node in self.rules.items()}, **written}, start)

    def _without_keywords(self) -> dict[str, Automaton]:
        narrowed: dict[str, Automaton] = {}
        for name, token in self.tokens.items():
            keywords = [self.tokens[keyword].automaton for keyword in self.keywords(name)]
            if keywords:
                narrowed[name] = reduce(sub, keywords, token.automaton)
        return narrowed

    def _with_ignored(
        self, nodes: dict[str, Node], narrowed: dict[str, Automaton], written: dict[str, Node]
    ) -> tuple[dict[str, Node], Node]:
        """The terminals together with what is ignored around them, and what a whole text is then."""
        automata = {name: narrowed.get(name) or self._automaton(name) for name in self.used}
        runs = IgnoredRuns([self.tokens[name].taken for name in self.ignored])
        fresh = self._rules.fresh

        @cache
        def run(barred: tuple[CharClass, ...]) -> Node:
            """The runs that end in one of the given ways."""
            return write_as(runs.automaton(barred), fresh("ignored"), written, fresh)

        before = {name: runs.before(automata[name]) for name in self.used}
        if all(ways == runs.barred for ways in before.values()):
            # Whatever follows may follow any run, so runs stand behind terminals, where engines read them once.
            result = {name: seq(nodes[name], run(runs.barred)) for name in before}
            return result, seq(run(runs.barred), result.get(self.start, Reference(self.start)))
        result = {}
        for name, ways in before.items():
            choices = [seq(run(ways), nodes[name])]
            automaton = automata[name]
            for barred in runs.barred:
                if automaton is None or barred in ways:
                    continue
                rest = automaton - Automaton.of(seq(barred, repeat(ANY_CHAR)))
                if not rest.is_empty:
                    choices.append(seq(run((barred,)), write_new(rest, self.tokens[name].rule_name, written, fresh)))
            result[name] = alt(*choices)
        return result, seq(result.get(self.start, Reference(self.start)), run(runs.barred))

    def _automaton(self, name: str) -> Automaton | None:
        """The automaton of a terminal, or None where it is too large."""
        try:
            return self.tokens[name].automaton
        except GrammarError:
            return None

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
