"""What the terminals of a Lark grammar become in the IR: their regular languages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property

from lark.exceptions import LarkError

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton
from slashgrammar.grammar.automaton.rules import to_grammar
from slashgrammar.grammar.ir import Node, Reference
from slashgrammar.grammar.load.first_match import first_matches
from slashgrammar.grammar.load.terminals import Terminals
from slashgrammar.grammar.regex.lookaround import pattern_automaton
from slashgrammar.grammar.regex.neighbours import simplify
from slashgrammar.grammar.regex.surroundings import Surroundings, surroundings
from slashgrammar.grammar.rewrite.rebuild import substitute


class Token:
    """A terminal as the rules of a grammar see it.

    Attributes:
        name: its name, or its text where it stands in a rule.
        surroundings: what its conditions ask of the text around it, of which the regular reading knows nothing; None
            for a terminal without conditions.

    Raises GrammarError for a terminal that is not regular.
    """

    def __init__(self, name: str, terminals: Terminals) -> None:
        self.name = name
        self._terminals = terminals
        self._parts = terminals.parts(name)
        self._pattern = terminals.conditions(name)
        self.surroundings = self._surroundings() if self._pattern.looks else None

    @cached_property
    def automaton(self) -> Automaton:
        """The texts that the terminal matches in full; raises AutomatonTooLarge."""
        try:
            return pattern_automaton(simplify(self._pattern), self._parts)
        except GrammarError as error:
            raise self._terminals.error_in(self.name, str(error)) from None

    @cached_property
    def taken(self) -> Automaton:
        """Of these texts those that Lark takes in full, where the terminal has no conditions and is not too large."""
        if self.surroundings is not None:
            return self.automaton
        try:
            return first_matches(self.regular_expression) & self.automaton
        except (GrammarError, LarkError):
            return self.automaton

    @property
    def regular_expression(self) -> str:
        """What Lark makes of the terminal; raises LarkError where Lark would not take it."""
        return self._terminals.regular_expression(self.name)

    @property
    def rule_name(self) -> str:
        """A name for rules that it needs: its own, or that of the rule in which it stands."""
        return self.name if self._terminals.is_named(self.name) else self._terminals.used_in.get(self.name) or "text"

    @property
    def parts(self) -> Collection[str]:
        """The names of the terminals that it is made of."""
        return self._parts.keys()

    def write(self, rules: dict[str, Node], fresh: Callable[[str], str], whole: Mapping[str, str]) -> Node:
        """What stands for the terminal in rules.

        Args:
            rules: takes the rules that this needs.
            fresh: makes a name for a rule out of one that may exist already.
            whole: other names for the rules of parts, where those of the same name exclude something.
        """
        if self._pattern.looks:
            return self.write_automaton(self.automaton, rules, fresh)
        if not self._terminals.is_named(self.name):
            return self._pattern.node
        references = {part: Reference(other) for part, other in whole.items()}
        for name, node in {**self._parts, self.name: self._pattern.node}.items():
            rules[whole.get(name, name)] = substitute(node, references)
        return Reference(self.name)

    def write_automaton(self, own: Automaton, rules: dict[str, Node], fresh: Callable[[str], str]) -> Node:
        """The same as `write`, where the terminal is to match what an automaton accepts."""
        if self._terminals.is_named(self.name):
            return write_as(own, self.name, rules, fresh)
        return write_new(own, self.rule_name, rules, fresh)

    def _surroundings(self) -> Surroundings:
        """Refuses what is lost when nothing is known of the text around the terminal."""
        try:
            found = surroundings(self._pattern, self._parts)
        except GrammarError as error:
            raise self._terminals.error_in(self.name, str(error)) from None
        if (found.before or found.after) and not (found.matches - self.automaton).is_empty:
            raise self._terminals.error_in(self.name, "a lookaround requires a certain text around the terminal")
        return found


def write_as(own: Automaton, name: str, rules: dict[str, Node], fresh: Callable[[str], str]) -> Node:
    """Adds the language of an automaton to the rules under a name, and what else it needs under fresh ones."""
    written = to_grammar(own, name).rules
    references = {rule: Reference(rule if rule == name else fresh(rule)) for rule in written}
    rules.update((references[rule].name, substitute(node, references)) for rule, node in written.items())
    return Reference(name)


def write_new(own: Automaton, name: str, rules: dict[str, Node], fresh: Callable[[str], str]) -> Node:
    """The language of an automaton as one node, or under a fresh name where it needs rules."""
    written = to_grammar(own, name).rules
    return written[name] if len(written) == 1 else write_as(own, fresh(name), rules, fresh)
