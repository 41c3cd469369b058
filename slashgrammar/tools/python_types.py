"""JSON Schemas of Python types, by pydantic."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from slashgrammar.tools.typed_dicts import portable

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaWarningKind


def adapter(annotation: Any) -> TypeAdapter[Any]:
    """pydantic's validator of a type; what pydantic raises for a type that it cannot take is passed on."""
    from pydantic import TypeAdapter

    return TypeAdapter(portable(annotation))


def schema_of(types: TypeAdapter[Any], mode: JsonSchemaMode = "validation") -> dict[str, Any]:
    """The JSON Schema of what a validator takes, or with `mode="serialization"` of what it gives back."""
    return types.json_schema(schema_generator=_generator(), mode=mode)


@lru_cache(maxsize=1)
def _generator() -> type[GenerateJsonSchema]:
    from pydantic.json_schema import GenerateJsonSchema

    class WithoutTitles(GenerateJsonSchema):
        # A default that JSON cannot say is left out of the schema; the parameter is optional all the same.
        ignored_warning_kinds: set[JsonSchemaWarningKind] = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012

        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

    return WithoutTitles
