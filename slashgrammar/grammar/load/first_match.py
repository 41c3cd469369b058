"""What a regular expression matches when it takes the first way that works, as `re.match` and so Lark's lexers do.

`a|ab` matches `ab` in full, but of a text that begins with `ab` it takes only `a`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton import Automaton, explore
from slashgrammar.grammar.automaton.alphabet import partition
from slashgrammar.grammar.automaton.positions import MAX_STATES, AutomatonTooLarge
from slashgrammar.grammar.ir import CharClass
from slashgrammar.grammar.regex import UNBOUNDED, Tree, parse_tree, scoped_flags, single_character

_MATCH: Final = 0


def first_matches(pattern: str) -> Automaton:
    """The texts of which the expression takes all, where no other text follows.

    Conditions on the text around are taken to hold.

    Raises:
        GrammarError: the pattern is not valid, or has a back reference.
        AutomatonTooLarge: it needs more than `MAX_STATES` states.
    """
    program = _Program()
    start = program.write(*parse_tree(pattern), _MATCH)
    parts = partition(program.reads.values())
    readers = {index: 1 << place for place, index in enumerate(program.reads)}

    def step(state: tuple[int, ...], symbol: int) -> tuple[int, ...]:
        members = parts[symbol][1]
        return program.ready(program.then[index] for index in state if index and members & readers[index])

    first = program.ready([start])
    return explore([chars for chars, _ in parts], first, step, lambda state: _MATCH in state)


class _Program:
    """An expression as numbered instructions.

    Attributes:
        reads: the class of each instruction that reads a character.
        then: the instruction after such a one.
        ways: for other instructions those that they lead to, the preferred one first.
        exits: for the entrances of loops without bound the instruction behind the loop.
    """

    def __init__(self) -> None:
        self.reads: dict[int, CharClass] = {}
        self.then: dict[int, int] = {}
        self.ways: dict[int, list[int]] = {}
        self.exits: dict[int, int] = {}
        self._size = _MATCH

    def ready(self, starts: Iterable[int]) -> tuple[int, ...]:
        """The reading instructions that the given ones lead to, in order, up to the first way to a match."""
        found: dict[int, None] = {}
        seen: set[int] = set()
        stack = list(starts)[::-1]
        while stack:
            index = stack.pop()
            if index in seen:
                # A turn of a loop that reads nothing is its last one.
                if index in self.exits:
                    stack.append(self.exits[index])
                continue
            seen.add(index)
            if index in self.ways:
                stack.extend(reversed(self.ways[index]))
                continue
            found[index] = None
            if index == _MATCH:
                break
        return tuple(found)

    def write(self, tree: Tree, flags: int, then: int) -> int:
        """Adds the instructions for a sequence of operations; returns the first one."""
        for operation, argument in reversed(list(tree)):
            then = self._operation(str(operation), argument, flags, then)
        return then

    def _operation(self, operation: str, argument: Any, flags: int, then: int) -> int:
        chars = single_character(operation, argument, flags)
        if chars is not None:
            index = self._next()
            self.reads[index], self.then[index] = chars, then
            return index
        match operation:
            case "BRANCH":
                return self._choose([self.write(branch, flags, then) for branch in argument[1]])
            case "SUBPATTERN":
                _, added, removed, item = argument
                return self.write(item, scoped_flags(flags, added, removed), then)
            case "ATOMIC_GROUP":
                return self.write(argument, flags, then)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeat(argument, flags, then, lazy=operation == "MIN_REPEAT")
            case "AT" | "ASSERT" | "ASSERT_NOT":
                return then
            case "FAILURE":
                return self._choose([])
        raise GrammarError("a back reference to a group is not regular")

    def _repeat(self, repetition: tuple[Any, Any, Tree], flags: int, then: int, *, lazy: bool) -> int:
        low, high, item = int(repetition[0]), int(repetition[1]), list(repetition[2])
        if high == UNBOUNDED:
            entrance = self._choose([])
            body = self.write(item, flags, entrance)
            self.ways[entrance] = [then, body] if lazy else [body, then]
            self.exits[entrance] = then
        else:
            entrance = then
            for _ in range(high - low):
                body = self.write(item, flags, entrance)
                entrance = self._choose([then, body] if lazy else [body, then])
        for _ in range(low):
            entrance = self.write(item, flags, entrance)
        return entrance

    def _choose(self, ways: list[int]) -> int:
        index = self._next()
        self.ways[index] = ways
        return index

    def _next(self) -> int:
        self._size += 1
        if self._size > MAX_STATES:
            raise AutomatonTooLarge
        return self._size
