"""The ways to lay out the arguments of a call.

In style "lines" every argument has a line of its own. In style "inline" it goes on the line before it, unless a code
block ended there.
"""

from __future__ import annotations

from dataclasses import replace

from slashgrammar.grammar.ir import EMPTY, Literal, Node, Reference, alt, repeat, seq
from slashgrammar.grammar.keys import write_key
from slashgrammar.grammar.schema import Argument, Arguments, Entry

STYLES = ("lines", "inline")


def write_arguments(arguments: Arguments, style: str, prefix: str, rules: dict[str, Node]) -> Node:
    """What may follow a head.

    Args:
        arguments: the arguments of the tool.
        style: "lines" or "inline".
        prefix: what the names of further rules begin with.
        rules: takes these rules.
    """
    if style == "lines":
        return alt(*(seq(*map(_lines, shape)) for shape in arguments.shapes))
    return alt(
        *(_Inline(shape, f"{prefix}inline-{number}-", rules).write() for number, shape in enumerate(arguments.shapes))
    )


def _lines(entry: Entry) -> Node:
    forms = (
        seq(Literal("\n"), _key(argument), alt(argument.value.json, *_blocks(argument))) for argument in entry.arguments
    )
    return repeat(alt(*forms), entry.least, entry.most)


def _key(argument: Argument) -> Node:
    if isinstance(argument.key, str):
        return Literal(f"{write_key(argument.key)}=")
    return seq(argument.key, Literal("="))


def _blocks(argument: Argument) -> tuple[Node, ...]:
    return (seq(Literal("\n"), argument.value.block),) if argument.value.block is not None else ()


class _Inline:
    """The entries of a shape as an automaton of two states, by what the argument before ended with; a rule for each."""

    def __init__(self, entries: tuple[Entry, ...], prefix: str, rules: dict[str, Node]) -> None:
        self._entries = entries
        self._prefix = prefix
        self._rules = rules

    def write(self) -> Node:
        return self._rest(0, self._entries[0], after_block=False) if self._entries else EMPTY

    def _rest(self, index: int, entry: Entry, *, after_block: bool) -> Node:
        """What may come from this entry on, of which some repetitions may have been written already."""
        name = f"{self._prefix}{index}-{entry.least}-{entry.most}-{after_block}"
        if name not in self._rules:
            self._rules[name] = EMPTY
            self._rules[name] = alt(
                *(form for argument in entry.arguments for form in self._forms(argument, index, entry, after_block)),
                *([self._behind(index, after_block=after_block)] if entry.least == 0 else []),
            )
        return Reference(name)

    def _forms(self, argument: Argument, index: int, entry: Entry, after_block: bool) -> list[Node]:
        start = seq(Literal("\n" if after_block else " "), _key(argument))
        forms = [seq(start, argument.value.json, self._more(index, entry, after_block=False))]
        return forms + [seq(start, block, self._more(index, entry, after_block=True)) for block in _blocks(argument)]

    def _more(self, index: int, entry: Entry, *, after_block: bool) -> Node:
        if entry.most == 1:
            return self._behind(index, after_block=after_block)
        fewer = replace(entry, least=max(entry.least - 1, 0), most=None if entry.most is None else entry.most - 1)
        return self._rest(index, fewer, after_block=after_block)

    def _behind(self, index: int, *, after_block: bool) -> Node:
        if index + 1 == len(self._entries):
            return EMPTY
        return self._rest(index + 1, self._entries[index + 1], after_block=after_block)
