"""`typing.TypedDict` for pydantic, which before Python 3.12 takes only that of typing_extensions."""

from __future__ import annotations

import sys
import types
import typing
from typing import Any


def portable(annotation: Any) -> Any:
    """The annotation with each `typing.TypedDict` in it made anew, where this Python needs it."""
    return annotation if sys.version_info >= (3, 12) else _portable(annotation, {})


def _portable(annotation: Any, done: dict[Any, Any]) -> Any:
    if typing.is_typeddict(annotation) and type(annotation).__module__ == "typing":
        return _rebuilt(annotation, done)
    origin = typing.get_origin(annotation)
    if origin is None or origin is typing.Literal:
        return annotation
    if origin is typing.Annotated:
        return typing.Annotated[(_portable(annotation.__origin__, done), *annotation.__metadata__)]
    arguments = tuple(_portable(argument, done) for argument in annotation.__args__)
    if arguments == annotation.__args__:
        return annotation
    if isinstance(annotation, types.UnionType):
        return typing.Union[arguments]  # noqa: UP007
    if isinstance(annotation, types.GenericAlias):
        return types.GenericAlias(origin, arguments)
    return annotation.copy_with(arguments)


def _rebuilt(typed_dict: Any, done: dict[Any, Any]) -> Any:
    from typing_extensions import TypedDict

    if typed_dict not in done:
        fields = dict.fromkeys(typed_dict.__annotations__, Any)
        # The fields come afterwards, for they may mention the type itself.
        rebuilt = done[typed_dict] = TypedDict(typed_dict.__name__, fields)  # type: ignore[operator]
        rebuilt.__required_keys__ = typed_dict.__required_keys__
        rebuilt.__optional_keys__ = typed_dict.__optional_keys__
        rebuilt.__doc__ = typed_dict.__doc__
        hints = typing.get_type_hints(typed_dict, include_extras=True)
        rebuilt.__annotations__ = {name: _portable(hint, done) for name, hint in hints.items()}
    return done[typed_dict]
