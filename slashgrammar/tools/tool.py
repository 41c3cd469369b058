"""One tool that a model may call."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from slashgrammar.errors import ToolError
from slashgrammar.tools.normalise import SURROGATE, normalise


@dataclass(frozen=True)
class Tool:
    """A tool: what it is called, what it takes, what it does.

    Attributes:
        name: any text without white space and control characters.
        parameters: the JSON Schema of its arguments, an object; `{}` for a tool without arguments. Kept as a copy with
            `type` and `properties` at its root and the names of types that some lists use (`dict`, `float`, `any`)
            translated. Not to be changed.
        description: what it does, for the model.
        returns: what it gives back, in a few words.
        function: what `ToolSet.call` runs, or None.

    Raises:
        ToolError: the name cannot be written as a slash command, or the parameters are no JSON Schema of an object.
    """

    name: str
    parameters: dict[str, Any] = field(default_factory=dict, hash=False)
    description: str = ""
    returns: str = ""
    function: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        check_name(self.name)
        for attribute in ("description", "returns"):
            value = getattr(self, attribute)
            if not isinstance(value, str) or SURROGATE.search(value):
                raise ToolError(f"expected a text, found {value!r}", tool=self.name, path=attribute)
        object.__setattr__(self, "parameters", normalise(self.parameters, tool=self.name))

    def signature(self, *, descriptions: bool = False) -> str:
        """The tool as a line of signature text, such as `read(path:str, from:int=0)->file content`.

        Args:
            descriptions: also list the descriptions of the parameters, on lines of their own.
        """
        from slashgrammar.tools.signature_writer import write_signature

        return write_signature(self, descriptions=descriptions)


def check_name(name: object, *, path: str = "") -> str:
    """The name, if it can stand in a head line; `path` is where it was found, for the error."""
    if not isinstance(name, str) or not name:
        raise ToolError(f"a tool needs a name, found {name!r}; give it a text without white space", path=path)
    for char in name:
        if char.isspace() or unicodedata.category(char) in ("Cc", "Cs"):
            raise ToolError(f"a name may not hold {char!r}; use a text without white space", tool=name, path=path)
    return name
