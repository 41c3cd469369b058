"""Print a grammar as GBNF, the grammar notation of llama.cpp, in the subset that XGrammar reads as well.

Neither `.` nor token literals are used. Character classes are always positive: llama.cpp decodes ill-formed UTF-8 into
surrogates and numbers over 10FFFF, which a negated class would take.
"""

from __future__ import annotations

import re

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.gbnf.read import from_gbnf
from slashgrammar.grammar.ir import CharClass, Choice, Grammar, Literal, Node, Reference, Repeat, Sequence
from slashgrammar.grammar.rewrite.bounds import split_bounds
from slashgrammar.grammar.rewrite.depth import bound_depth

__all__ = ["from_gbnf", "to_gbnf"]

_SHORT_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"}


def to_gbnf(grammar: Grammar) -> str:
    """The grammar as GBNF text; its start rule is printed as `root`, first.

    Left recursion, which llama.cpp cannot take, is printed as it stands: see `rewrite.prepare`.

    Raises:
        GrammarError: a part of the grammar matches no text at all, which GBNF cannot say, or refers to no rule.
    """
    grammar = split_bounds(bound_depth(grammar))
    names = _rule_names(grammar)
    lines = []
    for name in names:
        try:
            lines.append(f"{names[name]} ::= {_print(grammar.rules[name], names)}\n")
        except _Unprintable as error:
            raise GrammarError(str(error), rule=name) from None
    return "".join(lines)


class _Unprintable(Exception):
    pass


def _rule_names(grammar: Grammar) -> dict[str, str]:
    """Names that GBNF takes (letters, digits, hyphens), each a different one; the start rule first."""
    names = {grammar.start: "root"}
    taken = {"root"}
    for name in grammar.rules:
        if name in names:
            continue
        base = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
        if not base[:1].isalpha():
            base = f"r{base}"
        unique, number = base, 1
        while unique in taken:
            number += 1
            unique = f"{base}-{number}"
        names[name] = unique
        taken.add(unique)
    return names


def _print(node: Node, names: dict[str, str]) -> str:
    if isinstance(node, Literal):
        return _literal(node.text)
    if isinstance(node, CharClass):
        return _class(node)
    if isinstance(node, Reference):
        if node.name not in names:
            raise _Unprintable(f"refers to the rule {node.name}, which does not exist; define it")
        return names[node.name]
    if isinstance(node, Choice):
        return " | ".join(_print(item, names) for item in node.items)
    if isinstance(node, Sequence):
        return " ".join(_atom(item, names) if isinstance(item, Choice) else _print(item, names) for item in node.items)
    return _atom(node.item, names) + _bounds(node)


def _atom(node: Node, names: dict[str, str]) -> str:
    text = _print(node, names)
    return text if isinstance(node, Literal | CharClass | Reference) else f"({text})"


def _bounds(node: Repeat) -> str:
    if node.max is None:
        return {0: "*", 1: "+"}.get(node.min, f"{{{node.min},}}")
    if node.min == node.max:
        return f"{{{node.min}}}"
    return "?" if (node.min, node.max) == (0, 1) else f"{{{node.min},{node.max}}}"


def _literal(text: str) -> str:
    if not text.isprintable() or '"' in text or "\\" in text:
        text = "".join('\\"' if char == '"' else _char(char) for char in text)
    return f'"{text}"'


def _class(node: CharClass) -> str:
    if not node.ranges:
        raise _Unprintable("a part of it matches no text at all, which GBNF cannot say; prepare the grammar first")
    parts = []
    for low, high in node.ranges:
        parts.append(_class_char(low))
        if high > low + 1:
            parts.append("-")
        if high > low:
            parts.append(_class_char(high))
    return f"[{''.join(parts)}]"


def _class_char(code: int) -> str:
    char = chr(code)
    if char in "]-":
        return f"\\{char}"
    return "\\x5E" if char == "^" else _char(char)


def _char(char: str) -> str:
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        raise _Unprintable(f"the literal holds U+{code:04X}, a lone surrogate, which no text contains")
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
