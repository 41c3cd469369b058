"""Reading lines on trial: whether they are right as they stand, and if not, where the trouble is."""

from __future__ import annotations

from slashgrammar.calls.driver import Driver, Fault
from slashgrammar.calls.modes import FENCES
from slashgrammar.calls.reader import Reader
from slashgrammar.calls.values import MAX_DEPTH

_DEEPER = {"_BEGIN_ARRAY": 1, "_BEGIN_OBJECT": 1, "_END_ARRAY": -1, "_END_OBJECT": -1}


class Trial:
    """The outcome of reading a text where a driver stands, which itself stays there.

    Attributes:
        fault: what stopped the reading, or None.
        head_at: where the last head begins, or None.
        ends: where the arguments end that were read.
        value_at: where the value of the last key begins, or None.
        in_value: whether that value is not whole, and no block.
        in_brackets: whether the text ends inside its brackets.
        closes_block: whether a block that was open was closed.
        awaits_block: whether the text ends where a code block has to begin.
    """

    def __init__(self, driver: Driver, reader: Reader, text: str) -> None:
        self.renamed = reader.renamed
        self.retype = reader.retype
        self.fault: Fault | None = None
        self.head_at: int | None = None
        self.ends: list[int] = []
        self._end = 0
        self.value_at: int | None = None
        self.in_value = False
        self.closes_block = False
        self._depth = 0
        copy = driver.fork(self)
        try:
            copy.feed(text)
        except Fault as fault:
            self.fault = fault
        self.awaits_block = copy.acceptable <= FENCES
        self.in_brackets = self.in_value and self.fault is None and not self.awaits_block

    def end_behind(self, offset: int) -> int | None:
        """Where the first argument ends that ends behind an offset, if one does."""
        return next((end for end in self.ends if end > offset), None)

    def shift(self, terminal: str, text: str, offset: int, shown: int) -> None:
        if terminal == "KEY":
            self.value_at, self.in_value = offset + len(text), True
        elif terminal in FENCES:
            self.in_value = False
        elif terminal == "HEAD":
            self.head_at = offset
        self._end = offset + len(text)
        self._depth += _DEEPER.get(terminal, 0)
        if self._depth > MAX_DEPTH:
            raise Fault(offset, offset, frozenset(), frozenset())

    def reduce(self, rule: str) -> None:
        if rule in ("argument", "block_argument"):
            self.ends.append(self._end)
            self.in_value = False
        elif rule == "block":
            self.closes_block = True

    def takes(self, alive: frozenset[str]) -> bool:
        return False

    def partial(self, text: str, offset: int) -> None:
        raise AssertionError("nothing is taken in parts")

    def value(self, text: str, start: int, offset: int) -> int | None:
        return None
