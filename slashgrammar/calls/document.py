"""Whether a text is one JSON document that meets a schema, for answers that are nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from slashgrammar.calls.locate import locate
from slashgrammar.calls.places import Places
from slashgrammar.calls.rules import expectation, path_text, shown
from slashgrammar.calls.validate import validator_of
from slashgrammar.calls.values import FlawedValue, decode_at
from slashgrammar.errors import InvalidArgument, SlashSyntaxError
from slashgrammar.grammar.schema.closed import closed

if TYPE_CHECKING:
    from slashgrammar.errors import TextError

_BLANKS = " \t\r\n"

Check: TypeAlias = "Callable[[str], TextError | None]"


def document_check(schema: Any, *, name: str = "schema", open_objects: bool = True) -> Check:
    """A function that says what is wrong first with a document; None where nothing is.

    Args:
        schema: the schema.
        name: what errors call it.
        open_objects: as in `ToolSet`.

    Raises:
        ToolError: the schema is none.
    """
    validator = validator_of(closed(schema, open_objects, tool=name))

    def check(text: str) -> TextError | None:
        places = Places(text)
        content = text.strip(_BLANKS)
        start = len(text) - len(text.lstrip(_BLANKS))
        try:
            whole = decode_at(content, 0)
        except FlawedValue as error:
            return places.error(InvalidArgument, error.flaw.problem, start, expected=error.flaw.expected)
        if whole is None or whole[1] < len(content):
            offset = start + _end_of_json(content)
            return places.error(SlashSyntaxError, "this is no JSON", offset, expected="one JSON document")
        for found in validator.iter_errors(whole[0]):
            path = list(found.instance_path)
            problem = f"the value {shown(found.instance)} does not fit"
            return places.error(
                InvalidArgument, problem, locate(text, start, path), path=path_text(path), expected=expectation(found)
            )
        return None

    return check


def _end_of_json(text: str) -> int:
    """Where a text that is not one JSON document stops being one."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        return getattr(error, "pos", 0)
    return 0  # Python reads it all the same, such as NaN.
