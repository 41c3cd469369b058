"""Patterns in a spelling that the library which validates reads as ECMA-262 means them.

JSON Schema's patterns are ECMA-262 regular expressions. The library translates most of them for its own engine, but not
those with conditions on the text around, nor all escapes; these are spelled out here. What it cannot read at all is
spelled as the language that it means.
"""

from __future__ import annotations

import re
from functools import lru_cache

import jsonschema_rs

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.ir import CharClass, Choice, Literal, Node, Repeat, Sequence
from slashgrammar.grammar.regex.ecma import parse_ecma

_LOOK = re.compile(r"\(\?<?[=!]")
_TOKEN = re.compile(r"\\.?|[\[\].]|[^\\\[\].]+", re.DOTALL)
_SPACES = r"\t\n\x0b\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_SHORTHANDS = {"d": "0-9", "w": "0-9A-Za-z_", "s": _SPACES}
_WORD = f"[{_SHORTHANDS['w']}]"
_BOUNDARIES = {
    r"\b": f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
    r"\B": f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))",
}
_DOT = r"[^\n\r\u2028\u2029]"
_NEEDS_ESCAPE = frozenset("^$\\.*+?()[]{}|/-")


@lru_cache(maxsize=4096)
def portable(pattern: str) -> str | None:
    """The pattern as the library takes it; None where it is no regular expression that can be read."""
    spelled = _spelled_out(pattern)
    if _is_readable(spelled):
        return spelled
    try:
        meant = parse_ecma(pattern)
    except GrammarError:
        return None
    spelled = f"^{_written(meant.node)}$"
    return spelled if not meant.looks and _is_readable(spelled) else None


def _is_readable(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern})
    except ValueError:
        return False
    return True


def _spelled_out(pattern: str) -> str:
    """Without escapes that mean something else to the engine; and, beside conditions, without shorthands."""
    tokens = _TOKEN.findall(pattern)
    looks = _LOOK.search(pattern) is not None or not _BOUNDARIES.keys().isdisjoint(tokens)
    pieces = []
    inside = False
    for token in tokens:
        piece = token
        if token == "[" and not inside:
            inside = True
        elif token == "]":
            inside = False
        elif token == "." and not inside and looks:
            piece = _DOT
        elif token in _BOUNDARIES and not inside:
            piece = _BOUNDARIES[token]
        elif token[0] == "\\" and token[1:] in _SHORTHANDS and looks:
            members = _SHORTHANDS[token[1]]
            piece = members if inside else f"[{members}]"
        elif token[0] == "\\" and token[1:] in ("D", "W", "S") and looks and not inside:
            piece = f"[^{_SHORTHANDS[token[1].lower()]}]"
        elif token[0] == "\\" and len(token) > 1 and not token[1:].isalnum() and token[1:] not in _NEEDS_ESCAPE:
            piece = token[1:]
        pieces.append(piece)
    return "".join(pieces)


def _written(node: Node) -> str:
    """A node without references as a regular expression."""
    if isinstance(node, Literal):
        return "".join(map(_code, map(ord, node.text)))
    if isinstance(node, CharClass):
        return "[" + "".join(f"{_code(low)}-{_code(high)}" for low, high in node.ranges) + "]"
    if isinstance(node, Sequence):
        return "".join(map(_written, node.items))
    if isinstance(node, Choice):
        return "(?:" + "|".join(map(_written, node.items)) + ")"
    if isinstance(node, Repeat):
        return f"(?:{_written(node.item)}){{{node.min},{'' if node.max is None else node.max}}}"
    raise TypeError(f"no regular expression has {node}")


def _code(point: int) -> str:
    return f"\\u{{{point:x}}}"
