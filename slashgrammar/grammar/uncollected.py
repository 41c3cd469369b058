"""Work during which Python's collector of cycles rests."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Let the collector rest while a grammar is made.

    Nodes are in no cycles, and what is no longer needed of them goes at once. The collector would walk through all of
    them again and again, a third of the time that a large schema takes, and find nothing. Threads that do such work at
    once may wake it for each other, which costs that time and nothing else.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
