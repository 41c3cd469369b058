"""Read GBNF."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NoReturn

from lark import Lark, Token, Tree, UnexpectedInput, UnexpectedToken

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.files import grammar_text
from slashgrammar.grammar.ir import (
    ANY_CHAR,
    MAX_CODE_POINT,
    Choice,
    Grammar,
    Literal,
    Node,
    Range,
    Reference,
    Repeat,
    Sequence,
    alt,
    char_class,
    character,
    repeat,
    seq,
)

_CHAR = r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[trn\\\"\[\]-])|[^\\]"
_CHARS = re.compile(_CHAR, re.DOTALL)
_RANGES = re.compile(rf"({_CHAR})(?:-({_CHAR}))?", re.DOTALL)
_CONTROLS = {"\\t": "\t", "\\r": "\r", "\\n": "\n"}
_MAX_DIGITS = 9

_LINES = "a line break ends a rule, except after `|`, after `::=` and inside parentheses"
# What a character that cannot stand where it does is most likely about.
_HINTS = {
    '"': 'is this text closed by a second `"`?',
    "[": "is this class closed by `]`?",
    "{": "bounds follow what is repeated, and are written `{m}`, `{m,}` or `{m,n}`",
    "*": "`*` follows what is repeated",
    "+": "`+` follows what is repeated",
    "?": "`?` follows what is repeated",
    ")": "is there a `(` for it?",
    "|": _LINES,
    "\n": _LINES,
    "\r": _LINES,
    ":": "each rule begins on a new line: `name ::= ...`",
    "=": "a rule is written `name ::= ...`",
    "_": "names consist of letters, digits and hyphens",
}


def from_gbnf(text: str) -> Grammar:
    """The grammar that a GBNF text describes; its start rule is `root`.

    It is taken as it is written: a bound that llama.cpp would forget is a bound. `.` and negated classes stand for
    characters, and not for what is no Unicode.

    Raises:
        GrammarError: the text is no GBNF, or uses token literals, of which the text is not known; with the line.
    """
    return grammar_of(gbnf_tree(text))


def gbnf_tree(text: str) -> Tree[Token]:
    """The parse tree of a GBNF text, after `grammars/gbnf.lark`; all names in it are defined, and once.

    Raises:
        GrammarError: the text is no GBNF; with the line.
    """
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise GrammarError(_problem(error, text), line=error.line if error.line > 0 else None) from None
    defined: dict[str, Token] = {}
    for rule in rules_of(tree):
        name = rule.children[0]
        assert isinstance(name, Token)
        if name in defined:
            refuse(name, f"is defined in line {defined[name].line} already; llama.cpp would forget that one", rule=name)
        defined[name] = name
    if "root" not in defined:
        raise GrammarError("no rule has the name `root`, from which a GBNF grammar starts; write `root ::= ...`")
    for part in tree.iter_subtrees():
        for name in part.children:
            if isinstance(name, Token) and name.type == "NAME" and name not in defined:
                refuse(name, "is not defined; write `name ::= ...`, or put it in quotes if it is a text", rule=name)
    return tree


def grammar_of(tree: Tree[Token], *, tidy: bool = True) -> Grammar:
    """The grammar of a parse tree; raises as `from_gbnf` does.

    Args:
        tidy: whether groups are opened, literals joined and doubles dropped; else every part is there as it is written.
    """
    nodes: dict[int, Node] = {}
    for part in tree.iter_subtrees():  # parts before wholes, and without recursion
        items = tuple(nodes[id(item)] if isinstance(item, Tree) else terminal(item) for item in part.children)
        if part.data in ("choice", "inner_choice"):
            nodes[id(part)] = alt(*items) if tidy else Choice(items)
        elif part.data in ("sequence", "inner_sequence"):
            nodes[id(part)] = seq(*items) if tidy else Sequence(items)
        elif part.data in ("repeated", "inner_repeated"):
            least, most = bounds(part.children[1])
            nodes[id(part)] = repeat(items[0], least, most) if tidy else Repeat(items[0], least, most)
        elif part.data in ("group", "rule"):
            nodes[id(part)] = items[-1]
    return Grammar({str(rule.children[0]): nodes[id(rule)] for rule in rules_of(tree)}, "root")


def _problem(error: UnexpectedInput, text: str) -> str:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return "the text ends here, but a rule or a parenthesis is not complete"
    found = text[error.pos_in_stream or 0]
    what = f"`{found}` cannot stand in column {error.column}" if found.strip() else "the line cannot end here"
    return f"{what}; {_HINTS.get(found, 'a rule is written `name ::= ...`, a text in quotes, a class in brackets')}"


def rules_of(tree: Tree[Token]) -> list[Tree[Token]]:
    """The rules of a parse tree, in order."""
    return [rule for rule in tree.children if isinstance(rule, Tree)]


def bounds(times: Token | Tree[Token]) -> tuple[int, int | None]:
    """The bounds of a repetition: `*`, `+`, `?` or `{m,n}`; without an upper one, it is None.

    Raises:
        GrammarError: the upper bound is below the lower one, or one of them is a billion or more.
    """
    assert isinstance(times, Token)
    if times in ("*", "+", "?"):
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[str(times)]
    low, comma, high = (part.strip() for part in times[1:-1].partition(","))
    if max(len(low), len(high)) > _MAX_DIGITS:
        refuse(times, f"the bounds {times[:20]}... are too large to be meant; `{{m,}}` has no upper bound")
    if high and int(high) < int(low):
        refuse(times, f"the bounds {times} contradict each other; the lower one comes first")
    return int(low), int(high) if high else (None if comma else int(low))


def terminal(token: Token) -> Node:
    """What a token stands for; nothing to be matched, in the case of the bounds of a repetition.

    Raises:
        GrammarError: an escape that GBNF does not have, an empty class, a range in the wrong order, a token literal.
    """
    if token.type == "NAME":
        return Reference(str(token))
    if token.type == "ANY":
        return ANY_CHAR
    if token.type == "LITERAL":
        return Literal("".join(chr(_code(token, match[0])) for match in _matches(_CHARS, token, 1)))
    if token.type == "CLASS":
        return _class(token)
    if token.type == "TOKEN":
        refuse(token, f"the token {token} cannot be checked against a text; write the text that is meant, in quotes")
    return Literal("")


def _class(token: Token) -> Node:
    negated = token[1] == "^"
    ranges: list[Range] = []
    for match in _matches(_RANGES, token, 1 + negated):
        low = _code(token, match[1])
        high = low if match[2] is None else _code(token, match[2])
        if high < low:
            refuse(token, f"the range {match[0]} is empty; the lower character comes first")
        ranges.append((low, high))
    if not ranges:
        refuse(token, f"the class {token} has no characters; llama.cpp would take it for the empty text")
    members = char_class(ranges)
    return character(ANY_CHAR - members if negated else members)


def _matches(pattern: re.Pattern[str], token: Token, start: int) -> list[re.Match[str]]:
    """The characters or ranges between the token's delimiters."""
    matches = []
    end = len(token) - 1
    while start < end:
        match = pattern.match(token, start, end)
        if match is None:
            escape = token[start : start + 2]
            refuse(
                token, f'GBNF has no escape {escape}; it has \\n \\r \\t \\\\ \\" \\[ \\] \\- \\x.. \\u.... \\U........'
            )
        matches.append(match)
        start = match.end()
    return matches


def _code(token: Token, char: str) -> int:
    if char[0] != "\\":
        return ord(char)
    if char[1] not in "xuU":
        return ord(_CONTROLS.get(char, char[1]))
    code = int(char[2:], 16)
    if code > MAX_CODE_POINT:
        refuse(token, f"{char} is over U+10FFFF, the last character of Unicode")
    return code


def refuse(token: Token, message: str, *, rule: Token | None = None) -> NoReturn:
    """Raise a `GrammarError` about a token."""
    raise GrammarError(message, line=token.line, rule=None if rule is None else str(rule))


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(grammar_text("gbnf"), parser="lalr", propagate_positions=True)
