"""What was made last, kept in memory by the content that it was made from."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """The values that were used last, so many of them, by key; several threads may ask at once."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: OrderedDict[str, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, make: Callable[[], Value]) -> Value:
        """The value under a key, made where it is not there. Where two threads make one at once, both get the same."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        made = make()
        with self._lock:
            value = self._values.setdefault(key, made)
            while len(self._values) > self._limit:
                self._values.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()


def digest(*parts: Any) -> str:
    """A key for plain data, the same in every process; the order of an object's keys counts."""
    return sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()
