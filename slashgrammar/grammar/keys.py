"""Keys of arguments, as they are written before the `=`."""

from __future__ import annotations

import json
import re

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")


def write_key(name: str) -> str:
    """The name itself where it is a plain word, else as a JSON string."""
    return name if _WORD.fullmatch(name) else json.dumps(name, ensure_ascii=False)
