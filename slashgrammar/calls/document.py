"""Whether a text is one JSON document that meets a schema, for answers that are nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from slashgrammar.calls.locate import locate
from slashgrammar.calls.places import Places
from slashgrammar.calls.rules import expectation, path_text, shown
from slashgrammar.calls.validate import validator_of
from slashgrammar.calls.values import FlawedValue, decode
from slashgrammar.errors import InvalidArgument, SlashSyntaxError
from slashgrammar.grammar.schema.closed import closed

if TYPE_CHECKING:
    from slashgrammar.errors import TextError

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
        try:
            value = decode(text.strip())
        except FlawedValue as error:
            return places.error(InvalidArgument, error.flaw.problem, 0, expected=error.flaw.expected)
        except (json.JSONDecodeError, IndexError, RecursionError) as error:
            offset = getattr(error, "pos", 0)
            return places.error(SlashSyntaxError, "this is no JSON", offset, expected="one JSON document")
        for found in validator.iter_errors(value):
            path = list(found.instance_path)
            start = len(text) - len(text.lstrip())
            problem = f"the value {shown(found.instance)} does not fit"
            return places.error(
                InvalidArgument, problem, locate(text, start, path), path=path_text(path), expected=expectation(found)
            )
        return None

    return check
