"""Translates the definitions of a Lark grammar into rules of the IR, those that are asked for and what they reach."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from lark import Token
from lark.exceptions import LarkError
from lark.grammar import Symbol

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import (
    EMPTY,
    Grammar,
    Literal,
    Node,
    Reference,
    alt,
    char_class,
    character,
    opt,
    repeat,
    seq,
)
from slashgrammar.grammar.lark_source import LarkTree, Source, loader
from slashgrammar.grammar.regex import parse_regex
from slashgrammar.grammar.unicode_classes import ignore_case

_MAX_INSTANCES = 10_000
_MAX_NAME = 60


class Translator:
    """Translates one grammar; the rules it has met and not yet translated wait in a list, so that nothing recurses."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._terminal_names = {id(tree): name for name, tree in source.terminals.items() if tree is not None}
        self._rules: dict[str, Node] = {}
        self._waiting: list[tuple[str, LarkTree, Mapping[str, Node]]] = []
        self._instances: dict[tuple[str, tuple[Node, ...]], str] = {}
        self._names = {*source.rules, *source.terminals}
        self._doubles: defaultdict[str, int] = defaultdict(lambda: 1)
        self._current = ""
        self._queued: set[str] = set()

    def translate(self, starts: tuple[str, ...]) -> Grammar:
        """The grammar of all rules that the given ones reach; the first of these is its start."""
        for start in starts:
            self._require(start)
            self._reference(start)
        while self._waiting:
            name, tree, arguments = self._waiting.pop()
            self._current = name
            self._rules[name] = self._node(tree, arguments)
        return Grammar(self._rules, starts[0])

    def _require(self, start: str) -> None:
        parameters, _ = self._source.rules.get(start, ((), None))
        if start not in self._source.rules and start not in self._source.terminals:
            known = ", ".join(sorted(name for name, (params, _) in self._source.rules.items() if not params))
            raise self._error(f"there is no rule {start!r} to start from; there are: {known}")
        if parameters:
            raise self._error(f"{start!r} is a template, which cannot be a start rule")

    def _reference(self, name: str) -> Node:
        """A reference to a rule or terminal, which will be translated if it was not yet."""
        if name not in self._queued:
            self._queued.add(name)
            tree = self._source.terminals[name] if name in self._source.terminals else self._source.rules[name][1]
            if tree is None:
                raise self._error(
                    f"{name} is only declared (%declare), what it matches is decided outside of the grammar"
                )
            self._waiting.append((name, tree, {}))
        return Reference(name)

    def _node(self, tree: LarkTree, arguments: Mapping[str, Node]) -> Node:
        children: list[Any] = tree.children
        match tree.data:
            case "expansions":
                return alt(*(self._node(child, arguments) for child in children))
            case "expansion":
                return seq(*(self._node(child, arguments) for child in children))
            case "alias":
                return self._node(children[0], arguments)
            case "maybe":
                return opt(self._node(children[0], arguments))
            case "expr":
                return self._repetition(children, arguments)
            case "value":
                return self._value(children[0], arguments)
            case "literal":
                return self._literal(children[0])
            case "range":
                return self._range(*children)
            case "template_usage":
                return self._template(children, arguments)
        raise AssertionError(f"Lark's grammar trees have no {tree.data}")

    def _value(self, value: Any, arguments: Mapping[str, Node]) -> Node:
        if isinstance(value, Symbol):
            return arguments[value.name] if value.name in arguments else self._reference(str(value.name))
        if id(value) in self._terminal_names:
            return self._reference(self._terminal_names[id(value)])
        return self._node(value, arguments)

    def _repetition(self, parts: list[Any], arguments: Mapping[str, Node]) -> Node:
        item, operator, *bounds = parts
        node = self._node(item, arguments)
        match str(operator):
            case "?":
                return opt(node)
            case "*":
                return repeat(node)
            case "+":
                return repeat(node, 1)
        low, high = int(bounds[0]), int(bounds[-1])
        try:
            return repeat(node, low, high)
        except ValueError:
            raise self._error(f"a repetition cannot be ~{low}..{high}", operator) from None

    def _literal(self, token: Token) -> Node:
        try:
            pattern = loader._literal_to_pattern(token)
        except (LarkError, ValueError) as error:
            raise self._error(str(error).partition("\n")[0], token) from None
        if pattern.type == "str":
            if "i" not in pattern.flags:
                return seq(*(character(char_class([(ord(char), ord(char))])) for char in pattern.value))
            return seq(*(character(ignore_case(char_class([(ord(char), ord(char))]))) for char in pattern.value))
        flags = 0
        for flag in pattern.flags:
            flags |= re.RegexFlag[flag.upper()]
        try:
            parsed = parse_regex(pattern.value, flags)
        except GrammarError as error:
            raise self._error(str(error), token) from None
        if parsed.looks:
            raise self._error("conditions on the text around are not regular", token)
        return parsed.node

    def _range(self, low: Token, high: Token) -> Node:
        try:
            first, last = (loader.eval_escaping(bound[1:-1]) for bound in (low, high))
        except (LarkError, ValueError) as error:
            raise self._error(str(error), low) from None
        if len(first) != 1 or len(last) != 1 or first > last:
            raise self._error(f"{low}..{high} is no range of characters", low)
        return character(char_class([(ord(first), ord(last))]))

    def _template(self, parts: list[Any], arguments: Mapping[str, Node]) -> Node:
        """A reference to the instance of a template for its arguments."""
        symbol, *given = parts
        template = str(symbol.name)
        if isinstance(passed := arguments.get(template), Reference):
            template = passed.name
        parameters, body = self._source.rules.get(template, ((), None))
        nodes = tuple(self._argument(value, arguments) for value in given)
        if body is None or len(parameters) != len(nodes):
            raise self._error(f"{template} is no template of {len(nodes)} parameters")
        key = (template, nodes)
        if key not in self._instances:
            if len(self._instances) == _MAX_INSTANCES:
                raise self._error(f"template {template} needs more than {_MAX_INSTANCES} instances")
            name = self._instances[key] = self._fresh("_".join([template, *map(_readable, nodes)]))
            self._waiting.append((name, body, dict(zip(parameters, nodes, strict=True))))
        return Reference(self._instances[key])

    def _argument(self, value: LarkTree, arguments: Mapping[str, Node]) -> Node:
        """An argument of a template; the name of another template is passed on as it is."""
        inner: Any = value.children[0]
        if isinstance(inner, Symbol) and self._source.rules.get(inner.name, ((), None))[0]:
            return Reference(str(inner.name))
        return self._node(value, arguments)

    def _fresh(self, name: str) -> str:
        name = name[:_MAX_NAME]
        unique = name
        while unique in self._names:
            self._doubles[name] += 1
            unique = f"{name}_{self._doubles[name]}"
        self._names.add(unique)
        return unique

    def _error(self, message: str, token: Token | None = None) -> GrammarError:
        grammar, line = self._source.place(token) if token is not None else (next(iter(self._source.texts)), None)
        return GrammarError(message, grammar=grammar, rule=self._current or None, line=line)


def _readable(argument: Node) -> str:
    """A part of a rule's name that tells what a template was given."""
    if isinstance(argument, Reference):
        return argument.name.strip("_")
    text = argument.text if isinstance(argument, Literal) and argument != EMPTY else ""
    return re.sub(r"\W+", "_", text).strip("_") or "text"
