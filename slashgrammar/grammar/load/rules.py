"""The rules of a Lark grammar that are asked for, and what they reach; terminals stay references."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from lark.grammar import Symbol

from slashgrammar.grammar.ir import Node, Reference
from slashgrammar.grammar.load.source import LarkTree, Source
from slashgrammar.grammar.load.terminals import Terminals
from slashgrammar.grammar.load.trees import TreeTranslator

_MAX_INSTANCES: Final = 10_000
_MAX_NAME: Final = 60


class Rules(TreeTranslator):
    """Translates rules; those that were met and not yet translated wait in a list, so that nothing recurses.

    Attributes:
        nodes: the rules by name, in the order in which they were met.
        terminals: the names of the terminals that they refer to, likewise, each with the first rule that does so.
    """

    def __init__(self, source: Source, terminals: Terminals) -> None:
        super().__init__(source)
        self.nodes: dict[str, Node] = {}
        self.terminals = terminals.used_in
        self._terminals = terminals
        self._waiting: list[tuple[str, LarkTree, Mapping[str, Node]]] = []
        self._instances: dict[tuple[str, tuple[Node, ...]], str] = {}
        self._names = {*source.rules, *source.terminals}
        self._doubles: defaultdict[str, int] = defaultdict(lambda: 1)

    def translate(self, starts: tuple[str, ...]) -> None:
        """Translates the given rules and all that they reach."""
        for start in starts:
            self._require(start)
            self._reference(start)
        while self._waiting:
            name, tree, arguments = self._waiting.pop()
            self.current = name
            self.nodes[name] = self.node(tree, arguments)

    def fresh(self, name: str) -> str:
        """A name that nothing has yet: the given one, or the same with a number behind it."""
        name = unique = name[:_MAX_NAME]
        while unique in self._names:
            self._doubles[name] += 1
            unique = f"{name}_{self._doubles[name]}"
        self._names.add(unique)
        return unique

    def leaf(self, tree: LarkTree, arguments: Mapping[str, Node]) -> Node:
        children: list[Any] = tree.children
        match tree.data:
            case "literal" | "range":
                return self._terminal(self._terminals.anonymous(tree))
            case "template_usage":
                return self._template(children, arguments)
        value = children[0]
        if isinstance(value, Symbol):
            return arguments[value.name] if value.name in arguments else self._reference(str(value.name))
        return self.node(value, arguments)

    def _require(self, start: str) -> None:
        parameters, _ = self._source.rules.get(start, ((), None))
        if start not in self._source.rules and start not in self._source.terminals:
            known = ", ".join(sorted(name for name, (params, _) in self._source.rules.items() if not params))
            raise self.error(f"there is no rule {start!r} to start from; there are: {known or 'none'}")
        if parameters:
            raise self.error(f"{start!r} is a template, which cannot be a start rule")

    def _terminal(self, name: str) -> Node:
        self.terminals.setdefault(name, self.current)
        return Reference(name)

    def _reference(self, name: str) -> Node:
        """A reference to a terminal, or to a rule that will be translated if it was not yet."""
        if name in self._source.terminals:
            return self._terminal(name)
        if name not in self._source.rules:
            raise self.error(f"{name} is used and not defined")
        parameters, tree = self._source.rules[name]
        if parameters:
            raise self.error(f"{name} is a template and needs arguments")
        if tree is None:
            raise self.only_declared(name, self.current)
        if name not in self.nodes:
            self._wait(name, tree, {})
        return Reference(name)

    def _wait(self, name: str, tree: LarkTree, arguments: Mapping[str, Node]) -> None:
        # The node to come holds the rule's place.
        self.nodes[name] = Reference(name)
        self._waiting.append((name, tree, arguments))

    def _template(self, parts: list[Any], arguments: Mapping[str, Node]) -> Node:
        """A reference to the instance of a template for its arguments."""
        symbol, *given = parts
        template = str(symbol.name)
        passed = arguments.get(template)
        if isinstance(passed, Reference):
            template = passed.name
        parameters, body = self._source.rules.get(template, ((), None))
        nodes = tuple(self._argument(value, arguments) for value in given)
        if body is None or len(parameters) != len(nodes):
            raise self.error(f"{template} is no template of {len(nodes)} parameters")
        key = (template, nodes)
        if key not in self._instances:
            if len(self._instances) == _MAX_INSTANCES:
                raise self.error(f"template {template} needs more than {_MAX_INSTANCES} instances")
            self._instances[key] = self.fresh("_".join([template, *map(_readable, nodes)]))
            self._wait(self._instances[key], body, dict(zip(parameters, nodes, strict=True)))
        return Reference(self._instances[key])

    def _argument(self, value: LarkTree, arguments: Mapping[str, Node]) -> Node:
        """An argument of a template; the name of another template is passed on as it is."""
        inner: Any = value.children[0]
        if isinstance(inner, Symbol) and self._source.rules.get(inner.name, ((), None))[0]:
            return Reference(str(inner.name))
        return self.node(value, arguments)


def _readable(argument: Node) -> str:
    """A part of a rule's name that tells what a template was given."""
    name = argument.name if isinstance(argument, Reference) else ""
    return re.sub(r"\W+", "_", name).strip("_") or "text"
