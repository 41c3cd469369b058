"""Makes tools of what `grammars/signature.lark` matches, rule by rule while Lark parses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

from lark import Token, Transformer, v_args

from slashgrammar.errors import ToolError
from slashgrammar.tools.signature_types import Literal, Problem, named, number, union
from slashgrammar.tools.tool import Tool

Schema: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True)
class _Field:
    name: Token
    schema: Schema
    required: bool


@dataclass(frozen=True)
class _Others:
    schema: Schema | bool


@dataclass(frozen=True)
class _Meaning:
    path: tuple[Token, ...]
    text: str


@v_args(inline=True)
class Builder(Transformer[Token, "list[Tool]"]):
    """The callbacks, one a rule: types become JSON Schemas, literals stay apart until their union is known."""

    def start(self, *tools: Tool) -> list[Tool]:
        return list(tools)

    def tool(
        self, name: Token, record: Schema | None, returns: str | None, description: str | None, *meanings: _Meaning
    ) -> Tool:
        parameters = record or self.record(None)
        for meaning in meanings:
            if not _describe(parameters, meaning.path, meaning.text):
                known = ", ".join(parameters["properties"]) or "none, for there are no parameters"
                raise Problem(f"{name} has no parameter like this", meaning.path[0], f"one of {known}")
        try:
            return Tool(str(name), parameters, (description or "")[1:].strip(), str(returns or ""))
        except ToolError as error:
            raise Problem(str(error), name, "") from error

    def head(self, token: Token) -> Token:
        return _unquoted(token)

    def meaning(self, path: tuple[Token, ...], text: Token) -> _Meaning:
        return _Meaning(path, str(text))

    def path(self, *steps: Token) -> tuple[Token, ...]:
        return tuple(map(_unquoted, steps))

    def fields(self, *fields: _Field | _Others | None) -> Schema:
        properties: dict[str, Schema] = {}
        required: list[str] = []
        others: Schema | bool = False
        for field in fields:
            if isinstance(field, _Others):
                others = field.schema
            elif field is not None:
                if field.name in properties:
                    raise Problem(f"{str(field.name)!r} is there twice", field.name, "another name")
                properties[str(field.name)] = field.schema
                if field.required:
                    required.append(str(field.name))
        schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": others}
        return schema if required else {key: value for key, value in schema.items() if key != "required"}

    def field(self, name: Token, optional: Token | None, schema: Schema, default: Literal | None) -> _Field:
        if default is None:
            return _Field(name, schema, required=optional is None)
        return _Field(name, {**schema, "default": default.value}, required=False)

    def others(self, schema: Schema | None) -> _Others:
        return _Others(schema or True)

    def name(self, token: Token) -> Token:
        return _unquoted(token)

    def type(self, *alternatives: Schema | Literal | tuple[Schema | Literal, ...]) -> Schema:
        return union(each for some in alternatives for each in (some if isinstance(some, tuple) else (some,)))

    def nullable(self, alternative: Schema | Literal) -> tuple[Schema | Literal, ...]:
        return alternative, Literal(None)

    def named(self, name: Token, inner: Schema | None, *bounds: tuple[Token, ...] | None) -> Schema:
        return named(name, inner, [bound for bound in bounds if bound is not None])

    def bound(self, *tokens: Token) -> tuple[Token, ...]:
        return tokens

    def row(self, *types: Schema) -> Schema:
        prefix = {"prefixItems": list(types)} if types else {}  # no list of schemas may be empty
        return {"type": "array", **prefix, "minItems": len(types), "maxItems": len(types)}

    def record(self, fields: Schema | None) -> Schema:
        return fields or self.fields()

    def literal(self, token: Token) -> Literal:
        return Literal(_scalar(token))

    def default(self, value: Any) -> Literal:
        return Literal(value)

    def scalar(self, token: Token) -> Any:
        return _scalar(token)

    def array(self, *values: Any) -> list[Any]:
        return list(values)

    def object(self, *members: tuple[str, Any]) -> dict[str, Any]:
        return dict(members)

    def member(self, key: Token, value: Any) -> tuple[str, Any]:
        return str(_unquoted(key)), value


def _scalar(token: Token) -> Any:
    return number(token) if token.type == "NUMBER" else json.loads(token)


def _unquoted(token: Token) -> Token:
    return Token.new_borrow_pos("NAME", json.loads(token), token) if token.type == "STRING" else token


def _describe(schema: Any, path: tuple[Token, ...], text: str) -> bool:
    """Put a description to the properties that a path leads to; False where it leads nowhere."""
    if not isinstance(schema, dict):
        return False
    step, *rest = path
    found = [_describe(alternative, path, text) for alternative in schema.get("anyOf", ())]
    if step == "[]":
        inner = schema.get("items")
    elif step.type == "ITEMS":
        inner = dict(enumerate(schema.get("prefixItems", ()))).get(int(step[1:-1]))
    elif step.type == "VALUES":
        inner = schema.get("additionalProperties")
    else:
        inner = schema.get("properties", {}).get(step)
    if rest:
        found.append(_describe(inner, tuple(rest), text))
    elif isinstance(inner, dict):
        inner["description"] = text
        found.append(True)
    return any(found)
