"""Tools from Python functions and from Python types: pydantic models, dataclasses, TypedDicts."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from functools import partial
from typing import Any

from slashgrammar.errors import ToolError
from slashgrammar.tools.docstrings import Documentation, read_docstring
from slashgrammar.tools.python_types import adapter, schema_of
from slashgrammar.tools.signature_writer import write_type
from slashgrammar.tools.tool import Tool
from slashgrammar.tools.typed_dicts import portable


def from_callable(function: Callable[..., Any]) -> Tool:
    """The tool that a function is: its parameters by annotations and defaults, the texts by its docstring.

    Annotations may be whatever pydantic takes (`Annotated`, `Literal`, `Enum`, models, …). A parameter without one
    takes any value; `*args`, which cannot be given by name, is left out; `**kwargs` allows further arguments.

    Raises:
        ToolError: the function has no name, or pydantic knows no JSON Schema for an annotation.
    """
    name = _name(function)
    documentation = _documentation(function)
    try:
        schema = schema_of(adapter(_keywords_of(function)))
        returns = documentation.returns or _returned_type(function)
    except Exception as error:  # pydantic and the annotations themselves may raise anything
        raise _unusable(name, error) from error
    return Tool(name, _document(schema, documentation), documentation.description, returns, function)


def from_type(cls: type) -> Tool:
    """The tool whose arguments are the fields of a pydantic model, a dataclass or a TypedDict.

    Raises:
        ToolError: the type is something else, or pydantic knows no JSON Schema for one of its fields.
    """
    if not is_record(cls):
        message = "expected a function, a pydantic model, a dataclass or a TypedDict; found another class"
        raise ToolError(message, tool=cls.__name__)
    documentation = _documentation(cls)
    try:
        schema = schema_of(adapter(cls))
    except Exception as error:  # as above
        raise _unusable(cls.__name__, error) from error
    tool = Tool(cls.__name__, schema, documentation.description, function=cls)
    return dataclasses.replace(tool, parameters=_document(tool.parameters, documentation))


def is_record(cls: type) -> bool:
    """Whether a class is a pydantic model, a dataclass or a TypedDict."""
    return typing.is_typeddict(cls) or dataclasses.is_dataclass(cls) or hasattr(cls, "__pydantic_core_schema__")


def bind(name: str, function: Callable[..., Any], arguments: dict[str, Any]) -> Callable[[], Any]:
    """A call of the function, ready to run, with its arguments as its annotations ask for them.

    Raises:
        ToolError: an argument does not fit; `name` is the tool's.
    """
    from pydantic import ValidationError
    from pydantic_core import ArgsKwargs

    try:
        if isinstance(function, type):
            return partial(_identity, adapter(function).validate_python(arguments))
        values: dict[str, Any] = adapter(_keywords_of(function)).validate_python(ArgsKwargs((), arguments))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ToolError(first["msg"], tool=name, path=".".join(map(str, first["loc"]))) from error
    parameters = inspect.signature(function).parameters.values()
    positional = [values.pop(p.name) for p in parameters if p.kind is p.POSITIONAL_ONLY]
    return partial(function, *positional, **values)


def _identity(value: Any) -> Any:
    return value


def _keywords_of(function: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """A function of the same parameters, all of them keywords, that gives its arguments back."""
    parameters = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        if repr(typing.get_origin(parameter.annotation)).endswith(".Unpack"):
            raise TypeError("pydantic makes no right schema of Unpack; write the parameters out")
        if parameter.kind is not parameter.VAR_POSITIONAL:
            kind = parameter.kind if parameter.kind is parameter.VAR_KEYWORD else parameter.KEYWORD_ONLY
            parameters.append(parameter.replace(kind=kind, annotation=portable(parameter.annotation)))

    def keywords(**arguments: Any) -> dict[str, Any]:
        return arguments

    keywords.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    keywords.__annotations__ = {p.name: p.annotation for p in parameters if p.annotation is not p.empty}
    return keywords


def _returned_type(function: Callable[..., Any]) -> str:
    from pydantic.errors import PydanticUserError

    annotation = inspect.signature(function, eval_str=True).return_annotation
    if annotation is inspect.Signature.empty or annotation is None:
        return ""
    try:
        return write_type(schema_of(adapter(annotation), "serialization"))
    except PydanticUserError:  # what a function gives back need not be JSON
        return ""


def _name(function: Callable[..., Any]) -> str:
    function = _inner(function)
    name = getattr(function, "__name__", type(function).__name__)
    if name == "<lambda>":
        raise ToolError("a lambda has no name to call it by; write a def, or make it a Tool(name=…, function=…)")
    return str(name)


def _documentation(source: Callable[..., Any]) -> Documentation:
    source = _inner(source)
    if isinstance(source, type):
        # A dataclass without a docstring is given its signature as one, a model its base's nothing.
        written = source.__doc__ if not (source.__doc__ or "").startswith(f"{source.__name__}(") else None
        return read_docstring(written)
    is_instance = not hasattr(source, "__name__")
    return read_docstring((type(source).__call__.__doc__ or type(source).__doc__) if is_instance else source.__doc__)


def _inner(function: Callable[..., Any]) -> Callable[..., Any]:
    while isinstance(function, partial):
        function = function.func
    return function


def _document(schema: dict[str, Any], documentation: Documentation) -> dict[str, Any]:
    """The schema of a tool with what docstrings say of its parameters, and without what the tool says itself."""
    kept = {key: value for key, value in schema.items() if key not in ("title", "description")}
    for name, inner in kept.get("$defs", {}).items():
        inner_documentation = read_docstring(inner.get("description"))
        described = {"description": inner_documentation.description} if inner_documentation.description else {}
        kept["$defs"] = {**kept["$defs"], name: {**_describe(inner, inner_documentation), **described}}
    return _describe(kept, documentation)


def _describe(schema: dict[str, Any], documentation: Documentation) -> dict[str, Any]:
    """The schema with descriptions of those properties that have none of their own."""
    properties = {
        name: {"description": documentation.parameters[name], **inner} if name in documentation.parameters else inner
        for name, inner in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties} if properties else schema


def _unusable(name: str, error: Exception) -> ToolError:
    reason = str(error).partition("\n")[0]
    return ToolError(f"no JSON Schema can be made of its annotations ({type(error).__name__}: {reason})", tool=name)
