"""The one way in which numbers are written, which grammars ask for and rendering keeps to."""

from __future__ import annotations

from typing import Any

INTEGER_DIGITS = 20
"""How many digits a whole number may have in a grammar, so that it does not run on and on."""


def canonical(value: Any) -> Any:
    """The value with whole numbers as integers, at every depth: 1.0 is written 1, as RFC 8785 has it.

    Numbers of more than `INTEGER_DIGITS` digits stay as they are.
    """
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 10**INTEGER_DIGITS else value
    if isinstance(value, dict):
        return {key: canonical(inner) for key, inner in value.items()}
    return [canonical(item) for item in value] if isinstance(value, (list, tuple)) else value
