"""How the calls of each dialect are read and written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from slashgrammar.calls import StreamParser, render
from slashgrammar.calls import check as check_slash
from slashgrammar.dialects import hermes
from slashgrammar.dialects.hermes_stream import HermesParser
from slashgrammar.errors import GrammarError
from slashgrammar.grammar.dialects import DIALECTS

if TYPE_CHECKING:
    from slashgrammar.calls import Call
    from slashgrammar.errors import TextError
    from slashgrammar.tools.toolset import ToolSet

_Check: TypeAlias = "Callable[[str, ToolSet | None, tuple[str, str] | None], list[TextError]]"


@dataclass(frozen=True, slots=True)
class Notation:
    """The texts of a dialect.

    Attributes:
        parser: reads them, whole or in pieces.
        check: all that is wrong with a text, for these tools and delimiters of reasoning.
        render: calls as text, in the order that the schemas of these tools declare, in a style.
        recall: calls as they stand in a prompt.
        head: what a call of the named tool begins with.
    """

    parser: type[StreamParser]
    check: _Check
    render: Callable[[Iterable[Call], ToolSet | None, str], str]
    recall: Callable[[Iterable[Call], ToolSet | None, str], str]
    head: Callable[[str], str]


def notation(dialect: str, *, style: str = "lines") -> Notation:
    """The notation of that name; raises GrammarError where there is none, or none that is written in this style."""
    if dialect not in _NOTATIONS:
        raise GrammarError(f"there is no dialect {dialect!r}; choose one of {', '.join(_NOTATIONS)}")
    if style not in DIALECTS[dialect].styles:
        known = ", ".join(DIALECTS[dialect].styles)
        raise GrammarError(f"there is no style {style!r} in the dialect {dialect}; choose one of {known}")
    return _NOTATIONS[dialect]


def _slash(calls: Iterable[Call], tools: ToolSet | None, style: str) -> str:
    return render(calls, tools, style=style)


_NOTATIONS = {
    "slash": Notation(
        StreamParser,
        lambda text, tools, reasoning: check_slash(tools, text, reasoning=reasoning),
        _slash,
        _slash,
        lambda name: f"/{name}",
    ),
    "hermes": Notation(
        HermesParser,
        lambda text, tools, reasoning: hermes.check(text, tools, reasoning=reasoning),
        lambda calls, tools, _style: hermes.render(calls, tools),
        lambda calls, tools, _style: hermes.render(calls, tools, escape_tags=True),
        lambda name: f'{hermes.OPENING}\n{{"name": {json.dumps(name, ensure_ascii=False)}',
    ),
}
