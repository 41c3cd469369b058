"""The verdict on a text: by tools, or by a grammar of the user's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from slashgrammar.tools.nearest import nearest

if TYPE_CHECKING:
    from slashgrammar.calls import Call
    from slashgrammar.grammar.compiled import CompiledGrammar
    from slashgrammar.tools import ToolSet


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a text.

    Attributes:
        kind: a stable word for it.
        message: what, where, and what was expected.
        line, column: the place, both counted from 1.
        source: the line that holds it.
        data: all of it as plain data.
    """

    kind: str
    message: str
    line: int
    column: int
    source: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of a text.

    Attributes:
        problems: all that is wrong with it; by a grammar the first thing.
        calls: the calls of a valid text; None where a grammar judged.
        notes: what in a text without calls looks like one, though it is prose by the format.
    """

    problems: list[Problem]
    calls: list[Call] | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
        verdict: dict[str, Any] = {"valid": not self.problems}
        if self.calls is not None:
            verdict["calls"] = [{"name": call.name, "arguments": call.arguments} for call in self.calls]
        verdict["errors"] = [problem.data for problem in self.problems]
        return {**verdict, "notes": list(self.notes)} if self.notes else verdict


_COMMAND = re.compile(r"(?<!\S)/(\S+)")

Judge: TypeAlias = Callable[[str], Verdict]


def by_tools(tools: ToolSet, dialect: str) -> Judge:
    """Judges texts by the format of a dialect and by the schemas of the tools."""

    def judge(text: str) -> Verdict:
        errors = tools.check(text, dialect=dialect)
        problems = [
            Problem(error.code, str(error), error.line, error.column, error.source, error.to_dict()) for error in errors
        ]
        calls = [] if problems else tools.parse(text, dialect=dialect).calls
        is_prose = dialect == "slash" and not problems and not calls
        return Verdict(problems, calls, tuple(_almost_calls(text, tools)) if is_prose else ())

    return judge


def _almost_calls(text: str, tools: ToolSet) -> Iterator[str]:
    names = [tool.name for tool in tools]
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _COMMAND.finditer(line):
            name = match[1]
            if name in names:
                yield f"line {number} holds /{name}, but a call begins its line, and stands in no code block"
            elif not match.start() and (meant := nearest(name, names)) is not None:
                yield f"line {number} is prose, for no tool is called {name}; did you mean /{meant}?"


def by_grammar(grammar: CompiledGrammar) -> Judge:
    """Judges texts by whether they are members of a grammar's language."""

    def judge(text: str) -> Verdict:
        departure = grammar.explain(text)
        if departure is None:
            return Verdict([])
        message, line, column = str(departure), departure.line, departure.column
        data = {"message": message, "line": line, "column": column, "offset": departure.offset}
        data |= {"found": departure.found, "rules": list(departure.rules)}
        return Verdict([Problem("Departure", message, line, column, text.split("\n")[line - 1], data)])

    return judge
