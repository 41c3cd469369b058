"""Reads signature text by `grammars/signature.lark`."""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import TYPE_CHECKING

from slashgrammar.errors import SignatureError
from slashgrammar.grammar.files import grammar_path, grammar_text
from slashgrammar.tools.tool import Tool

if TYPE_CHECKING:
    from lark import Lark, UnexpectedToken

# What errors say of a whole group of terminals, and of one.
_GROUPS = {
    "a type, such as str or int": {"FALSE", "LBRACE", "LSQB", "NAME", "NULL", "NUMBER", "STRING", "TRUE"},
    "a JSON value": {"FALSE", "LBRACE", "LSQB", "NULL", "NUMBER", "STRING", "TRUE"},
    "a bound, such as 1..100": {"NAME", "NUMBER", "PATTERN", "STEP", "TO"},
    'a parameter or "..."': {"NAME", "STRING", "_REST"},
    "the name of a tool": {"_COMMENT", "_REST", "STRING", "TOOL"},
    "a name": {"NAME", "STRING"},
    "the name of a parameter": {"KEY", "STRING", "VALUES"},
    "the name of a field": {"KEY", "STRING"},
    "the end of the line": {"$END", "_LINES", "_INDENT"},
}
_TERMINALS = {
    "NUMBER": "a number",
    "OPTIONAL": '"?"',
    "TO": '".."',
    "ITEMS": '"[]"',
    "VALUES": '"{}"',
    "RETURNS": "what it returns",
    "DESCRIPTION": '"#"',
    "MEANING": "a description",
    "STRING": "a text in double quotes",
    "LPAR": '"("',
    "RPAR": '")"',
    "LSQB": '"["',
    "RSQB": '"]"',
    "RBRACE": '"}"',
    "COLON": '":"',
    "COMMA": '","',
    "DOT": '"."',
    "EQUAL": '"="',
    "VBAR": '"|"',
    "_ARROW": '"->"',
}


def read_signatures(text: str) -> list[Tool]:
    """The tools of a signature text, in order; lines that are indented all alike are taken as not indented.

    Raises:
        SignatureError: with line, column and what was expected there.
        ToolError: a name cannot be a tool's, or the types are nested too deeply.
    """
    from lark import UnexpectedToken

    from slashgrammar.tools.signature_types import Problem

    lines = [line.rstrip(" \t\r") for line in text.split("\n")]
    dedented = textwrap.dedent("\n".join(lines)).split("\n")
    margin = next((len(line) - len(rest) for line, rest in zip(lines, dedented, strict=True) if line), 0)
    try:
        tools: list[Tool] = _parser().parse("\n".join(dedented))  # type: ignore[assignment]
    except UnexpectedToken as error:
        raise _unexpected(error, dedented, margin) from None
    except Problem as problem:
        line, column = problem.token.line or 1, problem.token.column or 1
        raise _error(str(problem), line, column, problem.expected, dedented, margin) from problem.__cause__
    return tools


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from lark import Lark

    from slashgrammar.tools.signature_builder import Builder

    return Lark(
        grammar_text("signature.lark"),
        parser="lalr",
        transformer=Builder(),
        maybe_placeholders=True,
        import_paths=[str(grammar_path())],
    )


def _unexpected(error: UnexpectedToken, lines: list[str], margin: int) -> SignatureError:
    line, column = error.line, error.column
    if error.token.type == "$END":
        line, column = len(lines), len(lines[-1]) + 1
    found = lines[line - 1][column - 1 :]
    problem = f"{found[:20]!r} cannot stand here" if found else "the line ends too early"
    return _error(problem, line, column, _expected(error.accepts), lines, margin)


def _error(problem: str, line: int, column: int, expected: str, lines: list[str], margin: int) -> SignatureError:
    source = " " * margin + lines[line - 1]
    return SignatureError(problem, line=line, column=column + margin, source=source, expected=expected)


def _expected(accepted: set[str]) -> str:
    rest = set(accepted)
    words = []
    for word, group in _GROUPS.items():
        if group <= rest:
            words.append(word)
            rest -= group
    words += sorted(_TERMINALS.get(name, name) for name in rest)
    return " or ".join(words)
