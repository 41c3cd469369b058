"""Cuts a text into terminals, in pieces of any size: the longest match among those that the parser can take.

The terminals that a parser state takes become one automaton, built as texts reach its states. A terminal is its regular
language, as in `slash.lark`; no two of them share a text where both can stand, which a test has Lark verify.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from slashgrammar.grammar.ir import ANY_CHAR, SURROGATES, Grammar, Literal, Node, Sequence, alt, seq
from slashgrammar.grammar.matcher import Automaton
from slashgrammar.grammar.stacks import Entry, State, Tail


class LexerState(State):
    """A position in a token.

    Attributes:
        terminal: what the text so far is, or None.
        alive: what it is or may become.
        is_final: whether it is a terminal that no character can make longer.
        is_certain: whether it becomes a terminal whatever follows; None where that was not asked yet.
    """

    __slots__ = ("alive", "is_certain", "is_final", "terminal")

    def __init__(
        self, entries: tuple[Entry, ...], terminal: str | None, alive: frozenset[str], *, is_final: bool
    ) -> None:
        super().__init__(entries, accepts=terminal is not None)
        self.terminal = terminal
        self.alive = alive
        self.is_final = is_final
        self.is_certain: bool | None = None


class Lexer(Automaton):
    """The automaton of some terminals.

    Each terminal's language is closed by a mark of its own: a surrogate, which no class holds and no text gets past.
    """

    start: LexerState

    def __init__(self, terminals: Mapping[str, Node]) -> None:
        self._names = {chr(SURROGATES[0] + index): name for index, name in enumerate(terminals)}
        marked = (seq(terminals[name], Literal(mark)) for mark, name in self._names.items())
        super().__init__(Grammar({"start": alt(*marked)}))

    def certain(self, state: LexerState) -> bool:
        """Whether the token becomes a terminal whatever follows: each character keeps it as it is, or completes it."""
        if state.is_certain is None:
            everything = state.next_chars() == ANY_CHAR
            state.is_certain = everything and all(
                following is state or following.accepts
                for following in (self.step(state, chr(kind.ranges[0][0])) for kind in self.kinds(state))
            )
        return state.is_certain

    def _make_state(self, entries: tuple[Entry, ...], accepts: bool) -> LexerState:
        terminals = [
            self._names[node.text] for node, _ in entries if isinstance(node, Literal) and node.text in self._names
        ]
        alive = {mark for node, tail in entries for mark in self._marks(node, tail, set())}
        terminal = terminals[0] if terminals else None
        return LexerState(entries, terminal, frozenset(alive), is_final=len(terminals) == len(entries))

    def _marks(self, node: Node, tail: Tail, seen: set[int]) -> Iterator[str]:
        """The terminals whose marks lie in a node or below it: all that a stack can come to."""
        last = node.items[-1] if isinstance(node, Sequence) else node
        if isinstance(last, Literal) and last.text[-1:] in self._names:
            yield self._names[last.text[-1]]
            return
        for below, rest in tail.frames:
            if (key := id(below) ^ id(rest) << 1) not in seen:
                seen.add(key)
                yield from self._marks(below, rest, seen)
