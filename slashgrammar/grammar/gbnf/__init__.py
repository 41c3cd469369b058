"""Print a grammar as GBNF, the grammar notation of llama.cpp, in the subset that XGrammar reads as well.

Neither `.` nor token literals are used. Character classes are always positive: llama.cpp decodes ill-formed UTF-8 into
surrogates and numbers over 10FFFF, which a negated class would take.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.gbnf.read import from_gbnf
from slashgrammar.grammar.ir import CharClass, Choice, Grammar, Literal, Node, Reference, Repeat, Sequence
from slashgrammar.grammar.rewrite.analysis import names_in
from slashgrammar.grammar.rewrite.bounds import has_small_bounds, split_bounds
from slashgrammar.grammar.rewrite.depth import bound_depth, is_shallow

__all__ = ["from_gbnf", "to_gbnf"]

_SHORT_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"}


def to_gbnf(grammar: Grammar) -> str:
    """The grammar as GBNF text; its start rule is printed as `root`, first.

    Left recursion, which llama.cpp cannot take, is printed as it stands: see `rewrite.prepare`.

    Raises:
        GrammarError: a part of the grammar matches no text at all, which GBNF cannot say, or refers to no rule.
    """
    if not all(map(_is_ready, grammar.rules.values())):
        grammar = split_bounds(bound_depth(grammar))
    names = _rule_names(grammar)
    renamed = {name for name, printed in names.items() if printed != _usual_name(name)}
    lines = []
    for name, printed in names.items():
        try:
            lines.append(f"{printed} ::= {_body(grammar.rules[name], names, renamed)}\n")
        except _Unprintable as error:
            raise GrammarError(str(error), rule=name) from None
    return "".join(lines)


class _Unprintable(Exception):
    pass


# Most rules of a grammar are the same in many others; they are looked at, and printed, once.
_once = lru_cache(maxsize=512)


@_once
def _is_ready(node: Node) -> bool:
    """Whether a rule of this body can be printed as it is."""
    return is_shallow([node]) and has_small_bounds(node)


@_once
def _usual(node: Node) -> str:
    return _print(node, _usual_name)


def _body(node: Node, names: Mapping[str, str], renamed: set[str]) -> str:
    """The text of a rule; `renamed` are the rules that have other names than usual."""
    references = names_in(node)
    for name in references:
        if name not in names:
            raise _Unprintable(f"refers to the rule {name}, which does not exist; define it")
    return _usual(node) if renamed.isdisjoint(references) else _print(node, names.__getitem__)


def _rule_names(grammar: Grammar) -> dict[str, str]:
    """Names that GBNF takes, each a different one; the start rule first."""
    names = {grammar.start: "root"}
    taken = {"root"}
    for name in grammar.rules:
        if name in names:
            continue
        base = unique = _usual_name(name)
        number = 1
        while unique in taken:
            number += 1
            unique = f"{base}-{number}"
        names[name] = unique
        taken.add(unique)
    return names


@_once
def _usual_name(name: str) -> str:
    """The name in letters, digits and hyphens, as a rule has it where no other is called so already."""
    base = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
    return base if base[:1].isalpha() else f"r{base}"


def _print(node: Node, name_of: Callable[[str], str]) -> str:
    if isinstance(node, Literal):
        return _literal(node.text)
    if isinstance(node, CharClass):
        return _class(node)
    if isinstance(node, Reference):
        return name_of(node.name)
    if isinstance(node, Choice):
        return " | ".join(_print(item, name_of) for item in node.items)
    if isinstance(node, Sequence):
        return " ".join(
            _atom(item, name_of) if isinstance(item, Choice) else _print(item, name_of) for item in node.items
        )
    return _atom(node.item, name_of) + _bounds(node)


def _atom(node: Node, name_of: Callable[[str], str]) -> str:
    text = _print(node, name_of)
    return text if isinstance(node, (Literal, CharClass, Reference)) else f"({text})"


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
