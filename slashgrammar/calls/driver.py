"""Runs the LALR table over a text that comes in pieces, and tells a listener of every step.

Only new text is scanned, and the text of a long token is never put together again before the token is whole, so that
the work is linear in the text however it is cut. What a listener has seen is never taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NoReturn, Protocol

from slashgrammar.calls.lexer import Lexer, LexerState
from slashgrammar.calls.table import END, Rule, Table
from slashgrammar.calls.values import SURROGATE
from slashgrammar.grammar.stacks import DEAD

RUNS = frozenset({"TEXT", "LINES", "THOUGHT"})
"""Terminals that may be cut in two at any place where they could end, since two of them mean the same as one."""


class Listener(Protocol):
    """What a driver tells its steps to."""

    renamed: frozenset[str]
    """The terminals that `retype` is asked about."""

    def retype(self, terminal: str, text: str, offset: int) -> str:
        """The terminal that a token of this text, at this place, really is."""

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        """A token was taken; the first `shown` of its characters were announced by `partial` before."""

    def reduce(self, rule: str) -> None:
        """What was taken last makes up a rule, one of those with a name of their own."""

    def takes(self, alive: frozenset[str]) -> bool:
        """Whether `partial` wants the text of a token that may become one of these terminals, and nothing else."""

    def partial(self, text: str, offset: int) -> None:
        """More text of a token that is not whole, and where that text begins."""

    def value(self, text: str, start: int, offset: int) -> int | None:
        """A value of brackets begins at `start`; its end if the listener has read the argument in one go, else None."""


class Fault(Exception):
    """The text leaves the grammar.

    Attributes:
        offset: the first character that cannot be right.
        token: where the token begins that it would have belonged to.
        acceptable: the terminals that may stand there.
        partial: the terminals that the token's beginning could have become.
    """

    def __init__(self, offset: int, token: int, acceptable: frozenset[str], partial: frozenset[str]) -> None:
        super().__init__(offset)
        self.offset = offset
        self.token = token
        self.acceptable = acceptable
        self.partial = partial


class Driver:
    """An LALR parse in progress."""

    def __init__(self, table: Table, listener: Listener) -> None:
        self._table = table
        self._lexers = _lexers(table)
        self._listener = listener
        self.stack = [table.start]
        self.offset = 0
        self._pieces: list[str] = []
        self._length = 0
        self._begin_token()

    def _begin_token(self) -> None:
        self._lexer = self._lexers[self.stack[-1]]
        self._state: LexerState = self._lexer.start
        self._terminal: str | None = None
        self._accepted = 0
        self._shown = self._shown_pieces = 0

    def fork(self, listener: Listener) -> Driver:
        """A second parse at the same place, for another listener."""
        other = Driver(self._table, listener)
        other.stack = self.stack[:]
        other.offset = self.offset
        other._pieces, other._length = self._pieces[:], self._length
        other._lexer, other._state = self._lexer, self._state
        other._terminal, other._accepted = self._terminal, self._accepted
        return other

    @property
    def acceptable(self) -> frozenset[str]:
        """The terminals that may stand here."""
        return self._table.acceptable(self.stack[-1])

    def resume(self, terminals: Sequence[str], offset: int) -> None:
        """Go on at another place of the text as if only these terminals had come before, and forget all else."""
        self.stack = self._stack_behind(terminals)
        self.offset = offset
        self._pieces, self._length = [], 0
        self._begin_token()

    def feed(self, text: str, start: int = 0) -> None:
        """Take more text, from `start` on; raises Fault at the first character that cannot be right."""
        if not isinstance(text, str):
            raise TypeError(f"expected text, not {type(text).__name__}")
        place = start
        while True:
            place = self._scan(text, start, place)
            if place == len(text):
                if self._terminal not in RUNS and not self._state.is_final:
                    break
            elif self._terminal is None or (
                self._accepted < self._length + place - start and SURROGATE.match(text, place)
            ):  # a shorter token does not help: no token takes half a surrogate pair
                self._keep(text[start:place])
                self._fail()
            text, start = self._cut(text, start)
            place = start
        if start < place:
            self._keep(text[start:])

    def finish(self) -> None:
        """The text ends; raises Fault where it may not."""
        while self._length:
            if self._terminal is None:
                self._fail()
            text = "".join(self._pieces)
            self._pieces, self._length = [], 0
            text, start = self._cut(text, 0)
            if start < len(text):
                self.feed(text, start)
        self._reduce_before(END)

    def first_token(self, terminals: Sequence[str], text: str, place: int) -> tuple[str | None, int]:
        """The token that begins at a place if these terminals came before, and its end; None where there is none."""
        lexer = self._lexers[self._stack_behind(terminals)[-1]]
        state, found, end = lexer.start, None, place
        for index in range(place, len(text)):
            following = state.next.get(text[index]) or lexer.step(state, text[index])
            if following is DEAD:
                break
            state = following  # type: ignore[assignment]  # a lexer makes no other states
            if state.terminal is not None:
                found, end = state.terminal, index + 1
        return found, end

    def token(self, terminal: str, text: str) -> None:
        """Take a whole token."""
        if terminal in self._listener.renamed:
            terminal = self._listener.retype(terminal, text, self.offset)
        stack, shifts = self.stack, self._table.shifts
        if terminal not in shifts[stack[-1]]:
            self._reduce_before(terminal)
        stack.append(shifts[stack[-1]][terminal])
        offset, shown = self.offset, self._shown
        self.offset += len(text)
        self._listener.shift(terminal, text, offset, shown)
        self._settle()

    def _stack_behind(self, terminals: Sequence[str]) -> list[int]:
        stack = [self._table.start]
        for terminal in terminals:
            while terminal not in self._table.shifts[stack[-1]]:
                rule = self._table.reduces[stack[-1]][terminal]
                del stack[len(stack) - rule.length :]
                stack.append(self._table.shifts[stack[-1]][rule.name])
            stack.append(self._table.shifts[stack[-1]][terminal])
        return stack

    def _scan(self, text: str, start: int, place: int) -> int:
        """Let the token grow; the index of the first character that it cannot take."""
        state, step = self._state, self._lexer.step
        terminal, accepted = None, 0
        end = len(text)
        while place < end:
            char = text[place]
            following = state.next.get(char) or step(state, char)
            if following is DEAD:
                break
            place += 1
            if following is state and state.run is not None:
                place = state.run.match(text, place).end()  # type: ignore[union-attr]  # it matches the empty text
            state = following  # type: ignore[assignment]  # a lexer makes no other states
            if state.terminal is not None:
                terminal, accepted = state.terminal, place
        self._state = state
        if terminal is not None:
            self._terminal, self._accepted = terminal, self._length - start + accepted
        return place

    def _cut(self, text: str, start: int) -> tuple[str, int]:
        """Take the longest token that was seen; the text that is left, and where it begins."""
        terminal, accepted = self._terminal, self._accepted
        assert terminal is not None
        if accepted < self._length:
            text, start = "".join([*self._pieces, text[start:]]), 0
            self._pieces, self._length = [], 0
        end = start + accepted - self._length
        token = text[start:end]
        if self._length:
            token = "".join([*self._pieces, token])
            self._pieces, self._length = [], 0
        self.token(terminal, token)
        if terminal == "KEY" and text[end : end + 1] in ("[", "{"):
            value_end = self._listener.value(text, end, self.offset)
            if value_end is not None:
                self.offset += value_end - end
                self.stack[-1] = self._table.shifts[self.stack[-2]]["argument"]
                self._settle()
                end = value_end
        return text, end

    def _settle(self) -> None:
        """Reduce all that no further text can change, and begin the next token."""
        stack, defaults, shifts = self.stack, self._table.defaults, self._table.shifts
        while (rule := defaults[stack[-1]]) is not None:
            del stack[len(stack) - rule.length :]
            stack.append(shifts[stack[-1]][rule.name])
            if rule.is_told:
                self._listener.reduce(rule.name)
        self._begin_token()

    def _reduce_before(self, terminal: str) -> None:
        """Reduce all that ends before the terminal; raises Fault where the terminal cannot stand."""
        while terminal not in self._table.shifts[self.stack[-1]]:
            rule = self._table.reduces[self.stack[-1]].get(terminal)
            if rule is None:
                if terminal == END and self.stack[-1] == self._table.end:
                    return
                self._fail()
            self._reduce(rule)

    def _reduce(self, rule: Rule) -> None:
        del self.stack[len(self.stack) - rule.length :]
        self.stack.append(self._table.shifts[self.stack[-1]][rule.name])
        if rule.is_told:
            self._listener.reduce(rule.name)

    def _keep(self, text: str) -> None:
        """Keep the beginning of a token that is not whole, and tell of it as far as it is certain what it will be."""
        self._pieces.append(text)
        self._length += len(text)
        alive = self._state.alive
        if self._terminal is not None and not self._lexer.certain(self._state):
            alive |= {self._terminal}
        while (rule := self._table.common(self.stack[-1], alive)) is not None:
            self._reduce(rule)
        if self._listener.takes(alive):
            self._listener.partial("".join(self._pieces[self._shown_pieces :]), self.offset + self._shown)
            self._shown, self._shown_pieces = self._length, len(self._pieces)

    def _fail(self) -> NoReturn:
        alive = self._state.alive if self._length else frozenset[str]()
        raise Fault(self.offset + self._length, self.offset, self._table.acceptable(self.stack[-1]), alive)


class _Lexers(dict[int, Lexer]):
    """For each state of a table the lexer of what it accepts; states that accept the same share one."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._table = table
        self._by_terminals: dict[frozenset[str], Lexer] = {}

    def __missing__(self, state: int) -> Lexer:
        acceptable = self._table.acceptable(state)
        lexer = self._by_terminals.get(acceptable)
        if lexer is None:
            lexer = Lexer({name: self._table.terminals[name] for name in sorted(acceptable)})
            self._by_terminals[acceptable] = lexer
        self[state] = lexer
        return lexer


@lru_cache(maxsize=8)
def _lexers(table: Table) -> _Lexers:
    return _Lexers(table)
