"""Bytes that grow into UTF-8 text."""

from __future__ import annotations

import codecs


def unfinished(data: bytes) -> bytes | None:
    """The bytes at the end that only begin a character; None where the data is the beginning of no UTF-8 text."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(data)
    except UnicodeDecodeError:
        return None
    rest = decoder.getstate()[0]
    # The decoder notices only at the third byte that a surrogate has begun.
    return None if len(rest) > 1 and rest[0] == 0xED and rest[1] >= 0xA0 else rest
