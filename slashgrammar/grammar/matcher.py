"""Exact membership on the IR, one character at a time: which texts belong, what may follow, what must follow.

A position in a grammar is a set of stacks: on top what the next character has to match, below it what has to come
after. The stacks of one position are kept as a graph that shares their tails, as in a generalised LR parser (Tomita,
1985), and positions are made only when a text reaches them and then remembered, as in a lazily built automaton. So text
that was seen before costs one look-up a character, nested text grows a stack and nothing else, and memory has a bound.

The grammar must have no left recursion; `slashgrammar.grammar.rewrite.prepare` sees to that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from slashgrammar.grammar.beginnings import expand
from slashgrammar.grammar.ir import (
    EMPTY,
    NOTHING,
    SURROGATES,
    CharClass,
    Grammar,
    Literal,
    Node,
    Reference,
    chars,
)
from slashgrammar.grammar.stacks import DEAD, Entry, State, Tail

STATE_LIMIT = 50_000
"""How many positions an automaton remembers before it forgets all of them."""

CHARS_LIMIT = 4_096
"""How many characters a position remembers the way of."""


_EMPTY_RUN: Final = re.compile("")


class Automaton:
    """The positions of one grammar, made as texts reach them; shared by all its matchers."""

    def __init__(self, grammar: Grammar, state_limit: int = STATE_LIMIT) -> None:
        self._rules = grammar.rules
        self._limit = state_limit
        self._nodes: dict[Node, Node] = {}
        self._tails: dict[object, Tail] = {}
        self._unions: dict[tuple[int, int], tuple[Tail, Tail, Tail]] = {}
        self._states: dict[object, State] = {}
        self._needed = 0  # by the step after everything was forgotten
        self.start = self._close([(Reference(grammar.start), self._tail((), end=True))])

    def step(self, state: State, char: str) -> State:
        """The position behind the character; `DEAD` where the character may not follow."""
        if SURROGATES[0] <= ord(char) <= SURROGATES[1]:
            return DEAD
        starts: list[tuple[Node, Tail]] = []
        for node, tail in state.entries:
            if isinstance(node, CharClass):
                if char in node:
                    starts.append((EMPTY, tail))
            elif node.text[0] == char:
                starts.append((Literal(node.text[1:]), tail))
        if is_full := len(self._states) > self._limit or self._size() > 4 * self._limit + self._needed:
            self._forget(state)
        result = self._close(starts) if starts else DEAD
        if is_full:
            self._needed = self._size()
        if len(state.next) >= CHARS_LIMIT:
            state.next.clear()
        state.next[char] = result
        if result is state and state.run is None and state is not DEAD:
            state.run = self._run(state)
        return result

    def kinds(self, state: State) -> list[CharClass]:
        """The characters that may follow, parted so that all of a part lead to the same position."""
        kinds = [state.next_chars()]
        for node, _ in state.entries:
            one = node if isinstance(node, CharClass) else chars(node.text[0])
            kinds = [part for kind in kinds for part in (kind & one, kind - one) if part]
        return kinds

    def _run(self, state: State) -> re.Pattern[str]:
        """A pattern for the characters that lead from a position back to itself."""
        state.run = _EMPTY_RUN
        same = NOTHING
        for kind in self.kinds(state):
            if self.step(state, chr(kind.ranges[0][0])) is state:
                same |= kind
        if not same:  # the position was forgotten on the way
            return _EMPTY_RUN
        ranges = "".join(f"{re.escape(chr(low))}-{re.escape(chr(high))}" for low, high in same.ranges)
        return re.compile(f"[{ranges}]*")

    def forced(self, state: State) -> str:
        """The text that must follow: up to where two characters may, or the text may end."""
        if state.forced is None:
            text: list[str] = []
            place = state
            while not place.accepts and len(place.next_chars()) == 1:
                (char,) = place.next_chars()
                text.append(char)
                place = place.next.get(char) or self.step(place, char)
            state.forced = "".join(text)
        return state.forced

    def _close(self, starts: list[tuple[Node, Tail]]) -> State:
        """Follow everything that matches no character until only literals and classes are on top."""
        entries: dict[Literal | CharClass, Tail] = {}
        accepts = False
        seen: set[tuple[int, int]] = set()
        work = [(self._intern(node), tail) for node, tail in starts]
        while work:
            node, tail = work.pop()
            if (key := (id(node), id(tail))) in seen:
                continue
            seen.add(key)
            if node is self._intern(EMPTY):
                accepts = accepts or tail.end
                work += tail.frames
            elif node == NOTHING:
                continue
            elif isinstance(node, (Literal, CharClass)):
                entries[node] = self._union(entries[node], tail) if node in entries else tail
            else:
                work += ((self._intern(top), self._push(rest, tail)) for top, rest in expand(node, self._rules))
        if not entries and not accepts:
            return DEAD
        return self._state(tuple(entries.items()), accepts)

    def _push(self, node: Node, tail: Tail) -> Tail:
        return tail if node == EMPTY else self._tail(((self._intern(node), tail),), end=False)

    def _union(self, left: Tail, right: Tail) -> Tail:
        """Both sets of stacks in one: frames with equal nodes become one, upon the union of what is below them."""
        work = [(left, right)]
        while work:
            one, other = work[-1]
            frames = dict(one.frames)
            missing: list[tuple[Tail, Tail]] = []
            for node, tail in other.frames:
                own = frames.setdefault(node, tail)
                if own is not tail:
                    known = self._unions.get((id(own), id(tail)))
                    if known is None:
                        missing.append((own, tail))
                    else:
                        frames[node] = known[2]
            if missing:
                work += missing
                continue
            work.pop()
            union = one if one is other else self._tail(frames.items(), one.end or other.end)
            self._unions[id(one), id(other)] = (one, other, union)
        return self._unions[id(left), id(right)][2]

    def _intern(self, node: Node) -> Node:
        return self._nodes.setdefault(node, node)

    def _tail(self, frames: Iterable[tuple[Node, Tail]], end: bool) -> Tail:
        frames = tuple(frames)
        key = _identity(frames, end)
        tail = self._tails.get(key)
        if tail is None:
            tail = self._tails[key] = Tail(frames, end)
        return tail

    def _state(self, entries: tuple[Entry, ...], accepts: bool) -> State:
        key = (accepts, frozenset((id(self._intern(node)), id(tail)) for node, tail in entries))
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = self._make_state(entries, accepts)
        return state

    def _make_state(self, entries: tuple[Entry, ...], accepts: bool) -> State:
        return State(entries, accepts)

    def _size(self) -> int:
        return len(self._tails) + len(self._unions)

    def _forget(self, current: State) -> None:
        """Drop what is remembered, but for the stacks of a position; others that are in use keep what they need.

        If new stacks were no longer found equal to those, a text with many readings would be followed once for each.
        """
        for state in self._states.values():
            state.next.clear()
        self._states.clear()
        self._tails.clear()
        self._unions.clear()
        self._nodes.clear()
        work = [(self._intern(node), tail) for node, tail in current.entries]
        while work:
            _, tail = work.pop()
            key = _identity(tail.frames, tail.end)
            if key not in self._tails:
                self._tails[key] = tail
                work += ((self._intern(node), rest) for node, rest in tail.frames)


def _identity(frames: tuple[tuple[Node, Tail], ...], end: bool) -> object:
    """What equal sets of stacks have in common, where equal nodes and equal tails are one object each."""
    return end, frozenset((id(node), id(tail)) for node, tail in frames)


class Matcher:
    """A text on its way through a grammar.

    Feed it the text in pieces of any size; at every moment ask whether the text so far is a member of the language,
    which characters may follow, and which text must. A text that left the language stays out: nothing may follow it.
    """

    __slots__ = ("_automaton", "_state")

    def __init__(self, grammar: Grammar | Automaton) -> None:
        self._automaton = grammar if isinstance(grammar, Automaton) else Automaton(grammar)
        self._state = self._automaton.start

    def feed(self, text: str) -> bool:
        """Take more text; False as soon as no member of the language begins like the text so far."""
        if not isinstance(text, str):
            raise TypeError(f"expected text, not {type(text).__name__}")
        state = self._state
        step = self._automaton.step
        place, end = 0, len(text)
        while place < end:
            char = text[place]
            place += 1
            following = state.next.get(char) or step(state, char)
            if following is state:
                if state.run is not None:
                    place = state.run.match(text, place).end()  # type: ignore[union-attr]  # it matches the empty text
                elif state is DEAD:
                    break
            state = following
        self._state = state
        return state is not DEAD

    @property
    def is_member(self) -> bool:
        """Whether the text so far is a whole member of the language."""
        return self._state.accepts

    @property
    def is_alive(self) -> bool:
        """Whether some member of the language begins like the text so far."""
        return self._state is not DEAD

    def next_chars(self) -> CharClass:
        """The characters that may follow; it answers `in`, `len` and iteration."""
        return self._state.next_chars()

    def forced(self) -> str:
        """The text that every continuation begins with, "" where there is a choice or the text may end here."""
        return self._automaton.forced(self._state)

    def copy(self) -> Matcher:
        """A second matcher at the same position."""
        other = Matcher(self._automaton)
        other._state = self._state
        return other
