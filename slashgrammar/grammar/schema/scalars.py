"""Constants as JSON text."""

from __future__ import annotations

import json
import re
from typing import Any

from slashgrammar.grammar.ir import NOTHING, Literal, Node, Reference, alt
from slashgrammar.grammar.schema.facts import exact

_SURROGATE = re.compile("[\ud800-\udfff]")


def quoted(text: str) -> str:
    """A string as JSON, in the one way in which it is rendered."""
    return json.dumps(text, ensure_ascii=False)


def constant(value: Any) -> Node:
    """One value as JSON; NOTHING for a text that is no Unicode."""
    if isinstance(value, str):
        return NOTHING if _SURROGATE.search(value) else Literal(quoted(value))
    if isinstance(value, bool) or value is None:
        return Literal(json.dumps(value))
    number = exact(value)
    ways = [Literal(json.dumps(value))]
    if number.denominator == 1 and abs(number) < 10**16:
        ways += [Literal(str(int(number))), Literal(f"{int(number)}.0")]
    return alt(*ways)


def constants(values: list[bool | None]) -> Node:
    """Some of null, true and false."""
    if True in values and False in values:
        return alt(Reference("boolean"), *(Literal("null") for value in values if value is None))
    return alt(*(constant(value) for value in values))
