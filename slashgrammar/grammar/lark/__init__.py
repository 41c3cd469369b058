"""Print a grammar as Lark text, for Lark itself and in the dialect of llguidance.

Terminals are single characters and classes of them. So no lexer decides anything, neither Lark's dynamic one, which
shortens only its first match, nor llguidance's, which takes the longest: the text is read without one. For llguidance
there are larger terminals besides, where taking the longest match cannot go wrong: they save it work at each character.

What may be absent is a rule of its own: Lark writes out all combinations of what a rule may leave out, so that a dozen
optional arguments would be thousands of alternatives.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from slashgrammar.grammar.ir import CharClass, Choice, Grammar, Node, Range, Reference, Repeat, Sequence
from slashgrammar.grammar.ir import Literal as Text

_NO_CHARACTER = r"/[^\s\S]/"


def to_lark(grammar: Grammar) -> str:
    """The grammar as Lark text that starts from `start`, for `parser="earley"` with `lexer="dynamic_complete"`."""
    return _Printer(grammar, _lark_bounds).text()


def to_llguidance(grammar: Grammar, mode: Literal["exact", "fast"] = "fast") -> str:
    """The grammar in llguidance's dialect of Lark, which writes bounds as `{m,n}`; it starts from `start`.

    Args:
        grammar: a grammar that `prepare` returned.
        mode: "fast" makes terminals of the largest parts that a lexer can read without changing the language, "exact"
            of single characters and classes only. Both mean the same.
    """
    if mode == "exact":
        return _Printer(grammar, _llguidance_bounds).text()
    from slashgrammar.grammar.lark.lexemes import with_lexemes

    lexed = with_lexemes(grammar)
    return _Printer(lexed.grammar, _llguidance_bounds, lexed.lexemes).text()


class _Printer:
    def __init__(
        self,
        grammar: Grammar,
        bounds: Callable[[str, int, int | None], str],
        lexemes: Mapping[str, Node] = MappingProxyType({}),
    ) -> None:
        self._rules = grammar.rules
        self._lexemes = lexemes
        self._bounds = bounds
        self._names = _rule_names(grammar)
        self._terminals: dict[str, str] = {}
        self._optional: dict[str, str] = {}

    def text(self) -> str:
        rules = [f"{name}: {self._alternatives(self._rules[rule])}\n" for rule, name in self._names.items()]
        rules += [f"{name}: {item} |\n" for item, name in self._optional.items()]
        terminals = [f"{name}: {pattern}\n" for pattern, name in self._terminals.items()]
        lexemes = [
            f"{name.upper()}: {_lexeme(node, self._lexemes)}\n"
            for name, node in self._lexemes.items()
            if not isinstance(node, Text)
        ]
        return "".join([*rules, *terminals, *lexemes])

    def _alternatives(self, node: Node) -> str:
        return " | ".join(map(self._sequence, node.items if isinstance(node, Choice) else (node,)))

    def _sequence(self, node: Node) -> str:
        return " ".join(filter(None, map(self._item, node.items if isinstance(node, Sequence) else (node,))))

    def _item(self, node: Node) -> str:
        if isinstance(node, Text):
            return " ".join(self._terminal(((ord(char), ord(char)),)) for char in node.text)
        if isinstance(node, CharClass):
            return self._terminal(node.ranges)
        if isinstance(node, Reference):
            return self._names.get(node.name) or _lexeme(node, self._lexemes)
        if isinstance(node, Repeat):
            return self._repeat(self._item(node.item), node.min, node.max)
        return f"({self._alternatives(node)})"

    def _repeat(self, item: str, least: int, most: int | None) -> str:
        if least == 0:
            item = item if most == 1 else self._repeat(item, 1, most)
            return self._optional.setdefault(item, f"_o{len(self._optional)}")
        item = item if item.isidentifier() else f"({item})"
        if most is not None:
            return self._bounds(item, least, most)
        return f"{item}+" if least == 1 else f"{self._bounds(item, least - 1, least - 1)} {item}+"

    def _terminal(self, ranges: tuple[Range, ...]) -> str:
        return self._terminals.setdefault(_class(ranges), f"C{len(self._terminals)}")


def _lexeme(node: Node, lexemes: Mapping[str, Node]) -> str:
    """What the lexer of llguidance reads at once, as the body of a terminal."""
    if isinstance(node, Text):
        return json.dumps(node.text)
    if isinstance(node, CharClass):
        return _class(node.ranges)
    if isinstance(node, Reference):
        known = lexemes[node.name]
        return json.dumps(known.text) if isinstance(known, Text) else node.name.upper()
    if isinstance(node, Choice):
        return f"({' | '.join(_lexeme(item, lexemes) for item in node.items)})"
    if isinstance(node, Sequence):
        return " ".join(_lexeme(item, lexemes) for item in node.items)
    most = "" if node.max is None else node.max
    return f"({_lexeme(node.item, lexemes)}){{{node.min},{most}}}"


def _class(ranges: tuple[Range, ...]) -> str:
    return f"/[{''.join(map(_range, ranges))}]/" if ranges else _NO_CHARACTER


def _lark_bounds(item: str, least: int, most: int | None) -> str:
    return f"{item}~{least}..{most}" if least != most else f"{item}~{least}"


def _llguidance_bounds(item: str, least: int, most: int | None) -> str:
    return f"{item}{{{least},{most}}}"


def _range(ends: Range) -> str:
    low, high = map(_char, ends)
    return low if low == high else f"{low}-{high}"


def _char(code_point: int) -> str:
    char = chr(code_point)
    if char in r"\]/[^-&~|":
        return f"\\{char}"
    if char.isascii() and char.isprintable():
        return char
    return f"\\u{code_point:04x}" if code_point <= 0xFFFF else f"\\U{code_point:08x}"


def _rule_names(grammar: Grammar) -> dict[str, str]:
    """Names of rules as Lark takes them, each a different one; the start rule first."""
    names = {grammar.start: "start"}
    taken = {"start"}
    for rule in grammar.rules:
        if rule in names:
            continue
        base = "".join(char if char.isascii() and char.isalnum() else "_" for char in rule.lower()).strip("_")
        base = base if base[:1].isalpha() else f"r{base}"
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        names[rule] = name
        taken.add(name)
    return names
