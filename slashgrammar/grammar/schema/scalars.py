"""Constants as JSON text."""

from __future__ import annotations

import json
import re
from typing import Any

from slashgrammar.grammar.ir import NOTHING, Literal, Node, Reference, alt
from slashgrammar.grammar.numerals import canonical

_SURROGATE = re.compile("[\ud800-\udfff]")


def quoted(text: str) -> str:
    """A string as JSON, in the one way in which it is rendered."""
    return json.dumps(text, ensure_ascii=False)


def constant(value: Any) -> Node:
    """One value as JSON, as it is rendered; NOTHING for a text that is no Unicode."""
    if isinstance(value, str):
        return NOTHING if _SURROGATE.search(value) else Literal(quoted(value))
    return Literal(json.dumps(canonical(value)))


def constants(values: list[bool | None]) -> Node:
    """Some of null, true and false."""
    if True in values and False in values:
        return alt(Reference("boolean"), *(Literal("null") for value in values if value is None))
    return alt(*(constant(value) for value in values))
