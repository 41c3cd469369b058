"""What the trees of rules and of terminals in a Lark grammar have in common: alternatives, sequences, repetitions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from lark import Token

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import Node, alt, opt, repeat, seq
from slashgrammar.grammar.load.source import LarkTree, Source, line_of


class TreeTranslator(ABC):
    """Translates Lark's trees of EBNF into nodes; what stands at their leaves is up to subclasses."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.current: str | None = None

    @abstractmethod
    def leaf(self, tree: LarkTree, arguments: Mapping[str, Node]) -> Node:
        """The node of a `value`, `literal`, `range` or `template_usage`."""

    def node(self, tree: LarkTree, arguments: Mapping[str, Node]) -> Node:
        """The node of any tree, in which the parameters of a template stand for the given arguments."""
        children: list[Any] = tree.children
        match tree.data:
            case "expansions":
                return alt(*(self.node(child, arguments) for child in children))
            case "expansion":
                return seq(*(self.node(child, arguments) for child in children))
            case "alias":
                return self.node(children[0], arguments)
            case "maybe":
                return opt(self.node(children[0], arguments))
            case "expr":
                return self._repetition(children, arguments)
        return self.leaf(tree, arguments)

    def _repetition(self, parts: list[Any], arguments: Mapping[str, Node]) -> Node:
        item, operator, *bounds = parts
        node = self.node(item, arguments)
        match str(operator):
            case "?":
                return opt(node)
            case "*":
                return repeat(node)
            case "+":
                return repeat(node, 1)
        try:
            return repeat(node, int(bounds[0]), int(bounds[-1]))
        except ValueError:
            raise self.error(f"a repetition cannot be ~{'..'.join(bounds)}", operator) from None

    def error(self, message: str, token: Token | None = None) -> GrammarError:
        """An error in the rule or terminal that is being translated, at a token where there is one."""
        if token is not None:
            grammar, line = self._source.place(token)
        else:
            grammar, line = next(iter(self._source.texts)), self._source.lines.get(self.current or "")
        column = token.column if token is not None else None
        return self._at(message, grammar, self.current, line, column)

    def only_declared(self, name: str, rule: str | None) -> GrammarError:
        """The error of a rule that needs something whose meaning the grammar does not tell."""
        grammar, line = self._source.declaration(name)
        message = f"{name} is only declared (%declare); what it matches is not in the grammar"
        return self._at(message, grammar, rule, line, None)

    def _at(self, message: str, grammar: str, rule: str | None, line: int | None, column: int | None) -> GrammarError:
        source = line_of(self._source.texts[grammar], line) if line else ""
        return GrammarError(message, grammar=grammar, rule=rule, line=line, column=column, source=source)
