"""What was made last, kept in memory by the content that it was made from."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable
from hashlib import sha256
from threading import Lock
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """The values that were used last, by key; several threads may ask at once.

    Args:
        limit: how much they may weigh together; the last one is kept whatever it weighs.
        weigh: how much a value weighs; all alike where it is left out. What is kept costs time as well as memory:
            Python's collector of garbage goes through all of it again and again.
    """

    def __init__(self, limit: int, weigh: Callable[[Value], int] = lambda _: 1) -> None:
        self._limit = limit
        self._weigh = weigh
        self._weight = 0
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value under a key, made where it is not there. Where two threads make one at once, both get the same."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        made = make()
        with self._lock:
            if key not in self._values:
                self._values[key] = made
                self._weight += self._weigh(made)
            value = self._values[key]
            while self._weight > self._limit and len(self._values) > 1:
                self._weight -= self._weigh(self._values.popitem(last=False)[1])
        return value

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()
            self._weight = 0


def digest(*parts: Any) -> str:
    """A key for plain data, the same in every process; the order of an object's keys counts."""
    return sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()
