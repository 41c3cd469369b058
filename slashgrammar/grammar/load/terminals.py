"""The terminals of a Lark grammar, those with a name and those that stand in rules, as patterns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from lark import Token, Tree
from lark.exceptions import LarkError
from lark.grammar import Symbol

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import Node, Reference, char_class, character, references, seq, walk
from slashgrammar.grammar.load.loader import loader
from slashgrammar.grammar.load.source import LarkTree, Source
from slashgrammar.grammar.load.trees import TreeTranslator
from slashgrammar.grammar.regex import parse_regex
from slashgrammar.grammar.regex.pattern import Pattern, PatternBuilder
from slashgrammar.grammar.regex.unicode_classes import ignore_case

_MAX_WRITTEN: Final = 20_000
_NO_ARGUMENTS: Final[Mapping[str, Node]] = {}


class Terminals(TreeTranslator):
    """The patterns of terminals, translated when first asked for.

    A terminal with a name is known by it, one that stands in a rule by its text in the grammar. A pattern refers to
    the terminals it is made of by name. All patterns share one table of conditions, since the condition of a part may
    look at what its neighbours match.

    Attributes:
        used_in: for terminals that stand in rules the first such rule, for error messages.
    """

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._names = {id(tree): name for name, tree in source.terminals.items() if tree is not None}
        self._trees = dict(source.terminals)
        self._nodes: dict[str, Node] = {}
        self._builder = PatternBuilder()
        self.used_in: dict[str, str | None] = {}

    def anonymous(self, tree: LarkTree) -> str:
        """Makes a terminal that stands in a rule known; returns its name."""
        children: list[Any] = tree.children
        name = "..".join(map(str, children))
        self._trees.setdefault(name, tree)
        return name

    def ignored(self, name: str) -> str:
        """The name of an ignored terminal; what stands behind `%ignore` itself is known as if it stood in a rule."""
        tree: Any = self._trees[name]
        while not self.is_named(name) and isinstance(tree, Tree) and len(tree.children) == 1:
            if tree.data == "literal":
                return self.anonymous(tree)
            (tree,) = tree.children
        return name

    def is_named(self, name: str) -> bool:
        """Whether a terminal has a definition of its own; two underscores begin the names that Lark makes up."""
        return name in self._source.terminals and not name.startswith("__")

    def node(self, tree: LarkTree, arguments: Mapping[str, Node] = _NO_ARGUMENTS) -> Node:
        if tree.data == "alias":
            raise self.error("an alias (->) cannot stand in a terminal")
        return super().node(tree, arguments)

    def leaf(self, tree: LarkTree, arguments: Mapping[str, Node]) -> Node:
        children: list[Any] = tree.children
        match tree.data:
            case "literal":
                return self._literal(children[0])
            case "range":
                return self._range(*children)
            case "value" if id(children[0]) in self._names:
                return Reference(self._names[id(children[0])])
            case "value" if isinstance(children[0], Symbol):
                raise self.only_declared(children[0].name, self.current)
            case "template_usage":
                raise self.error(f"a template, here {children[0].name}, cannot stand in a terminal")
        return self.node(children[0])

    def pattern(self, name: str) -> Node:
        """The pattern of a terminal.

        Raises GrammarError for one that is only declared and for one that is no regular language.
        """
        if name not in self._nodes:
            tree = self._trees[name]
            if tree is None:
                raise self.only_declared(name, self.used_in.get(name))
            self.current = name if self.is_named(name) else self.used_in.get(name)
            self._nodes[name] = self.node(tree)
        return self._nodes[name]

    def parts(self, name: str) -> dict[str, Node]:
        """The patterns of the terminals that a terminal is made of, directly or not, by name."""
        parts: dict[str, Node] = {}
        waiting = [self.pattern(name)]
        while waiting:
            for part in references(waiting.pop()):
                if part in self._trees and part not in parts:
                    parts[part] = self.pattern(part)
                    waiting.append(parts[part])
        return parts

    def conditions(self, name: str) -> Pattern:
        """The pattern of a terminal with the conditions it has on the text around; its parts stay references."""
        waiting, met = [self.pattern(name), *self.parts(name).values()], set()
        while waiting:
            for reference in references(waiting.pop()):
                if reference in self._builder.looks and reference not in met:
                    met.add(reference)
                    waiting.append(self._builder.looks[reference].node)
        looks = {reference: look for reference, look in self._builder.looks.items() if reference in met}
        return Pattern(self.pattern(name), looks)

    def regular_expression(self, name: str) -> str:
        """The regular expression that Lark makes of a terminal.

        Raises LarkError where it makes none, and GrammarError for one that would be too long.
        """
        if self._written_size(name) > _MAX_WRITTEN:
            raise GrammarError("written out it is too long", rule=name)
        write = loader.PrepareLiterals() * loader.TerminalTreeToPattern()
        expression: str = write.transform(loader.nr_deepcopy_tree(self._trees[name])).to_regexp()
        return expression

    def _written_size(self, name: str) -> int:
        """How many literals and operators a terminal has when each part is written where it is used."""
        sizes: dict[str, int] = {}
        waiting = [name]
        while waiting:
            current = waiting[-1]
            parts = [part for part in references(self.pattern(current)) if part in self._trees]
            missing = [part for part in parts if part not in sizes]
            if missing:
                waiting += missing
                continue
            sizes[waiting.pop()] = sum(1 for _ in walk(self.pattern(current))) + sum(sizes[part] for part in parts)
        return sizes[name]

    def error_in(self, name: str, message: str) -> GrammarError:
        """An error that concerns a terminal as a whole, with the line where it begins."""
        named = self.is_named(name)
        self.current = name if named else self.used_in.get(name)
        return self.error(message if named else f"{name}: {message}", self._first_token(name))

    def _first_token(self, name: str) -> Token | None:
        tree: Any = self._trees[name]
        while isinstance(tree, Tree) and tree.children:
            tree = tree.children[0]
        return tree if isinstance(tree, Token) else None

    def is_string(self, name: str) -> bool:
        """Whether a terminal is one string in quotes, which Lark's lexers prefer to regular expressions."""
        tree: Any = self._trees[name]
        while tree is not None and len(tree.children) == 1:
            (tree,) = tree.children
            if isinstance(tree, Token):
                return tree.type == "STRING"
        return False

    def _literal(self, token: Token) -> Node:
        try:
            pattern = loader._literal_to_pattern(token)
        except (LarkError, ValueError) as error:
            raise self.error(f"{token} is no literal: {_reason(error)}", token) from None
        if pattern.type == "str":
            singles = (char_class([(ord(char), ord(char))]) for char in pattern.value)
            return seq(*(character(ignore_case(chars) if "i" in pattern.flags else chars) for chars in singles))
        flags = 0
        for flag in pattern.flags:
            flags |= re.RegexFlag[flag.upper()]
        try:
            return parse_regex(pattern.value, flags, self._builder).node
        except GrammarError as error:
            raise self.error(f"{token}: {error}", token) from None

    def _range(self, low: Token, high: Token) -> Node:
        try:
            first, last = (loader.eval_escaping(bound[1:-1]) for bound in (low, high))
        except (LarkError, ValueError) as error:
            raise self.error(f"{low}..{high} is no range of characters: {_reason(error)}", low) from None
        if len(first) != 1 or len(last) != 1 or first > last:
            raise self.error(f"{low}..{high} is no range of characters", low)
        return character(char_class([(ord(first), ord(last))]))


def _reason(error: Exception) -> str:
    """What is wrong with a literal; Lark passes on the error of Python's own parser."""
    reason = error.args[-1]
    return str(reason.msg if isinstance(reason, SyntaxError) else reason).partition("\n")[0]
