"""Print a grammar as Lark text, for Lark itself and in the dialect of llguidance.

Every terminal is one character or one class of characters. So no lexer decides anything, neither Lark's dynamic one,
which shortens only its first match, nor llguidance's, which takes the longest: the text is read without one.

What may be absent is a rule of its own: Lark writes out all combinations of what a rule may leave out, so that a dozen
optional arguments would be thousands of alternatives.
"""

from __future__ import annotations

from collections.abc import Callable

from slashgrammar.grammar.ir import CharClass, Choice, Grammar, Literal, Node, Range, Reference, Repeat, Sequence

_NO_CHARACTER = r"/[^\s\S]/"


def to_lark(grammar: Grammar) -> str:
    """The grammar as Lark text that starts from `start`, for `parser="earley"` with `lexer="dynamic_complete"`."""
    return _Printer(grammar, _lark_bounds).text()


def to_llguidance(grammar: Grammar) -> str:
    """The grammar in llguidance's dialect of Lark, which writes bounds as `{m,n}`; it starts from `start`."""
    return _Printer(grammar, _llguidance_bounds).text()


class _Printer:
    def __init__(self, grammar: Grammar, bounds: Callable[[str, int, int | None], str]) -> None:
        self._rules = grammar.rules
        self._bounds = bounds
        self._names = _rule_names(grammar)
        self._terminals: dict[str, str] = {}
        self._optional: dict[str, str] = {}

    def text(self) -> str:
        rules = [f"{name}: {self._alternatives(self._rules[rule])}\n" for rule, name in self._names.items()]
        rules += [f"{name}: {item} |\n" for item, name in self._optional.items()]
        terminals = [f"{name}: {pattern}\n" for pattern, name in self._terminals.items()]
        return "".join([*rules, *terminals])

    def _alternatives(self, node: Node) -> str:
        return " | ".join(map(self._sequence, node.items if isinstance(node, Choice) else (node,)))

    def _sequence(self, node: Node) -> str:
        return " ".join(filter(None, map(self._item, node.items if isinstance(node, Sequence) else (node,))))

    def _item(self, node: Node) -> str:
        if isinstance(node, Literal):
            return " ".join(self._terminal(((ord(char), ord(char)),)) for char in node.text)
        if isinstance(node, CharClass):
            return self._terminal(node.ranges)
        if isinstance(node, Reference):
            return self._names[node.name]
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
        pattern = f"/[{''.join(map(_range, ranges))}]/" if ranges else _NO_CHARACTER
        return self._terminals.setdefault(pattern, f"C{len(self._terminals)}")


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
