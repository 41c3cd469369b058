"""Lark's LALR table of a grammar, such as `slash.lark`, and its terminals, as the reader of texts uses them.

Lark builds the table once for each grammar and pair of reasoning delimiters. Tools are no part of it, so that any
number of them costs no construction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

from slashgrammar.grammar.delimiters import DEFAULT, imports
from slashgrammar.grammar.files import grammar_text
from slashgrammar.grammar.regex import regex_to_ir

if TYPE_CHECKING:
    from slashgrammar.grammar.ir import Node

END = "$END"


@dataclass(frozen=True, slots=True)
class Rule:
    """A production.

    Attributes:
        name: what it reduces to.
        length: how many symbols it takes from the stack.
        is_told: whether a listener hears of it; it does not where the rule only helps others.
    """

    name: str
    length: int
    is_told: bool


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """An LALR(1) table.

    Attributes:
        shifts: for each state, the state that a terminal or a reduced rule leads to.
        reduces: for each state, the production that a terminal as lookahead reduces.
        defaults: for each state, the production that every lookahead reduces, where there is one and nothing to shift.
        start: the first state.
        end: the state of a whole text.
        terminals: each terminal's regular language, as IR rules by name.
    """

    shifts: tuple[dict[str, int], ...]
    reduces: tuple[dict[str, Rule], ...]
    defaults: tuple[Rule | None, ...]
    start: int
    end: int
    terminals: dict[str, Node]
    _common: dict[tuple[int, frozenset[str]], Rule | None] = field(default_factory=dict, repr=False)

    def acceptable(self, state: int) -> frozenset[str]:
        """The terminals that have an action in the state."""
        return frozenset(self.shifts[state].keys() & self.terminals.keys()) | self.reduces[state].keys() - {END}

    def common(self, state: int, lookaheads: frozenset[str]) -> Rule | None:
        """The production that each of these terminals as lookahead reduces, if it is the same for all."""
        key = (state, lookaheads)
        if key not in self._common:
            rules = {id(rule): rule for rule in map(self.reduces[state].get, lookaheads)}
            self._common[key] = next(iter(rules.values())) if len(rules) == 1 else None
        return self._common[key]


def lark_parser(delimiters: tuple[str, str] | None = DEFAULT, *, grammar: str = "slash.lark", **options: Any) -> Lark:
    """Lark over a packaged grammar with the given reasoning delimiters; the options are Lark's own."""
    settings: dict[str, Any] = {"parser": "lalr", "lexer": "contextual", "maybe_placeholders": False}
    return Lark(grammar_text(grammar), import_paths=[imports(delimiters)], **settings | options)


def _rule(rule: Any) -> Rule:
    name = str(rule.origin.name)
    return Rule(name, len(rule.expansion), is_told=not name.startswith("_") or "_seen_" in name)


@lru_cache(maxsize=8)
def load_table(delimiters: tuple[str, str] | None = DEFAULT, *, grammar: str = "slash.lark") -> Table:
    """The table of a packaged grammar for the given reasoning delimiters.

    Raises:
        GrammarError: the delimiters cannot be used.
    """
    parser = lark_parser(delimiters, grammar=grammar)
    table = parser.parse_interactive("").parser_state.parse_conf.parse_table
    number = {state: index for index, state in enumerate(table.states)}
    rules: dict[Any, Rule] = {}
    shifts: list[dict[str, int]] = []
    reduces: list[dict[str, Rule]] = []
    for actions in table.states.values():
        shifts.append({symbol: number[target] for symbol, (action, target) in actions.items() if action is Shift})
        reduces.append(
            {
                symbol: rules.setdefault(rule, _rule(rule))
                for symbol, (action, rule) in actions.items()
                if action is not Shift
            }
        )
    return Table(
        shifts=tuple(shifts),
        reduces=tuple(reduces),
        defaults=tuple(
            next(iter(reduce.values())) if not shift and len(set(map(id, reduce.values()))) == 1 else None
            for shift, reduce in zip(shifts, reduces, strict=True)
        ),
        start=number[table.start_states["start"]],
        end=number[table.end_states["start"]],
        terminals={terminal.name: regex_to_ir(terminal.pattern.to_regexp()) for terminal in parser.terminals},
    )
