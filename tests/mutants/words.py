"""Changes of one word of a file: a comparison, a sign, a number, a truth value, a way out of a loop."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

_SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "+=": "-=", "-=": "+=",
    "&": "|", "and": "or", "or": "and", "not": "", "is": "is not", "in": "not in", "True": "False", "False": "True",
    "continue": "break", "break": "continue", "min": "max", "max": "min", "any": "all", "all": "any",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A file with one word changed; `statement` is the lines of the statement that has it, or of its head."""

    path: str
    line: int
    old: str
    new: str
    text: str = field(repr=False)
    statement: range

    def __str__(self) -> str:
        shown = self.text.split("\n")[self.line - 1].strip()
        return f"{self.path}:{self.line}  {self.old!r} → {self.new!r}  {shown}"


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """All mutants of a file that Python can read.

    Decorators are left as they are: how large a cache is, or that a class is frozen, is not for tests to notice.
    """
    lines = source.splitlines(keepends=True)
    statements, decorators = list(_statements(source)), set(_decorators(source))
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for token, after in pairwise(tokens):
        new = _SWAPS.get(token.string)
        if token.type == tokenize.NUMBER and token.string.isdigit():
            new = str(int(token.string) + 1)
        if new is None or token.type not in (tokenize.OP, tokenize.NAME, tokenize.NUMBER):
            continue
        if token.start[0] in decorators:
            continue
        if (token.string, after.string) == ("is", "not"):
            continue  # The other word's mutant is the same.
        row, start, end = token.start[0], token.start[1], token.end[1]
        changed = lines[row - 1][:start] + new + lines[row - 1][end:]
        text = "".join([*lines[: row - 1], changed, *lines[row:]])
        try:
            compile(text, path, "exec")
        except SyntaxError:
            continue
        around = min((lines for lines in statements if row in lines), key=len, default=range(row, row + 1))
        yield Mutant(path, row, token.string, new, text, around)


def _statements(source: str) -> Iterator[range]:
    """The lines of each statement; of one with a body, those in front of the body."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt):
            body, decorators = getattr(node, "body", []), getattr(node, "decorator_list", [])
            end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            yield range(min([node.lineno, *(one.lineno for one in decorators)]), max(node.lineno, end) + 1)


def _decorators(source: str) -> Iterator[int]:
    """The lines of decorators."""
    for node in ast.walk(ast.parse(source)):
        for decorator in getattr(node, "decorator_list", ()):
            yield from range(decorator.lineno, decorator.end_lineno + 1)
