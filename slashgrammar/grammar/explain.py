"""Where a text leaves a grammar, and in which of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from slashgrammar.grammar.ir import ANY_CHAR, EMPTY, CharClass, Grammar, Node, Reference, Sequence, seq
from slashgrammar.grammar.matcher import Automaton
from slashgrammar.grammar.rewrite.left_recursion import remove_left_recursion
from slashgrammar.grammar.stacks import DEAD, State, Tail

_END = "end of "
_MOST_OTHERS = 40
_THE_END = "the end of the text"


@dataclass(frozen=True, slots=True)
class Departure:
    """The place where a text leaves a language, or ends too early.

    Attributes:
        offset: how many characters may begin a member of the language.
        line, column: the same place, both counted from 1.
        found: the character that may not follow, "" at the end of the text.
        allowed: the characters that may follow.
        may_end: whether the text may also end there.
        rules: the rules, by their names in the grammar, that expect something there; the innermost ones.
    """

    offset: int
    line: int
    column: int
    found: str
    allowed: CharClass
    may_end: bool
    rules: tuple[str, ...]

    @property
    def rule(self) -> str:
        """The first of the rules."""
        return self.rules[0] if self.rules else ""

    @property
    def expected(self) -> str:
        """What may stand there, in words."""
        if not self.allowed:
            return _THE_END
        return f"{describe(self.allowed)} or {_THE_END}" if self.may_end else describe(self.allowed)

    def __str__(self) -> str:
        found = repr(self.found) if self.found else _THE_END
        return (
            f"line {self.line}, column {self.column}: {found} cannot follow; "
            f"expected {self.expected}, in {' or '.join(self.rules) or 'no rule'}"
        )


def explain(grammar: Grammar, text: str) -> Departure:
    """Where a text that is no member of the language leaves it.

    Args:
        grammar: the grammar as its author wrote it: its rules give the names.
        text: a text that is no member of its language.
    """
    automaton = Automaton(remove_left_recursion(_marked(grammar)))
    state, offset = automaton.start, 0
    for char in text:
        following = automaton.step(state, char)
        if following is DEAD:
            break
        state, offset = following, offset + 1
    before = text[:offset]
    return Departure(
        offset,
        before.count("\n") + 1,
        offset - (before.rfind("\n") + 1) + 1,
        text[offset : offset + 1],
        state.next_chars(),
        state.accepts,
        tuple(dict.fromkeys(_rules_of(state))),
    )


def describe(allowed: CharClass, most: int = 8) -> str:
    """A class of characters in words, at most so many ranges of it; "" where it is empty."""
    others = ANY_CHAR - allowed
    if len(others) <= _MOST_OTHERS and allowed:
        return f"any character but {_ranges(others, most)}" if others else "any character"
    return _ranges(allowed, most)


def _ranges(members: CharClass, most: int) -> str:
    words = [_char(low) if low == high else f"{_char(low)} to {_char(high)}" for low, high in members.ranges[:most]]
    return ", ".join(words) + (", …" if len(members.ranges) > most else "")


def _char(code_point: int) -> str:
    return repr(chr(code_point)) if chr(code_point).isprintable() or code_point == 10 else f"U+{code_point:04X}"


def _marked(grammar: Grammar) -> Grammar:
    """The same language; behind each rule stands a reference to an empty rule that tells its name."""
    marked: dict[str, Node] = {name: seq(node, Reference(_END + name)) for name, node in grammar.rules.items()}
    return Grammar(marked | {_END + name: EMPTY for name in grammar.rules}, grammar.start)


def _rules_of(state: State) -> Iterator[str]:
    for _, tail in state.entries:
        yield from _innermost(tail, set())


def _innermost(tail: Tail, seen: set[int]) -> Iterator[str]:
    """The names of the rules that the stacks of a tail leave first."""
    for node, rest in tail.frames:
        parts = node.items if isinstance(node, Sequence) else (node,)
        last = parts[-1]
        if isinstance(last, Reference) and last.name.startswith(_END):
            yield last.name.removeprefix(_END)
        elif id(rest) not in seen:
            seen.add(id(rest))
            yield from _innermost(rest, seen)
