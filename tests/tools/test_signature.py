"""Signature text: what it means, how it is written, and that both are one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import is_valid

from slashgrammar.errors import SignatureError, ToolError
from slashgrammar.tools import Tool, ToolSet
from slashgrammar.tools.signature_reader import read_signatures
from slashgrammar.tools.signature_writer import write_type
from tests.tools.schemas import TOOLS

STRING, INTEGER, NUMBER, BOOLEAN, NULL = ({"type": name} for name in ("string", "integer", "number", "boolean", "null"))

# Types in their canonical writing, and their schemas.
TYPES: list[tuple[str, dict[str, Any]]] = [
    ("str", STRING),
    ("int", INTEGER),
    ("number", NUMBER),
    ("bool", BOOLEAN),
    ("null", NULL),
    ("any", {}),
    ("array", {"type": "array"}),
    ("object", {"type": "object", "additionalProperties": True}),
    ("Array[str]", {"type": "array", "items": STRING}),
    ("Array[Array[int]]", {"type": "array", "items": {"type": "array", "items": INTEGER}}),
    ("Object[bool]", {"type": "object", "additionalProperties": BOOLEAN}),
    ("str|int|null", {"type": ["string", "integer", "null"]}),
    ("Array[int]|null", {"anyOf": [{"type": "array", "items": INTEGER}, NULL]}),
    ('"a"|"b"', {"type": "string", "enum": ["a", "b"]}),
    ("1|2", {"type": "integer", "enum": [1, 2]}),
    ("true", {"type": "boolean", "enum": [True]}),
    ('"a"|1|null', {"enum": ["a", 1, None]}),
    ('"auto"|int(1..)', {"anyOf": [{"type": "string", "enum": ["auto"]}, {"type": "integer", "minimum": 1}]}),
    ("int(1..100)", {"type": "integer", "minimum": 1, "maximum": 100}),
    ("int(..-1)", {"type": "integer", "maximum": -1}),
    ("number(0<..<1.5)", {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5}),
    ("int(7)", {"type": "integer", "minimum": 7, "maximum": 7}),
    ("int(0.., step 5)", {"type": "integer", "minimum": 0, "multipleOf": 5}),
    ("str(1..20)", {"type": "string", "minLength": 1, "maxLength": 20}),
    ("str(date-time)", {"type": "string", "format": "date-time"}),
    (r"str(3, /^\d\/[\/)]$/)", {"type": "string", "minLength": 3, "maxLength": 3, "pattern": "^\\d/[/)]$"}),
    ("Array[str](1..5, unique)", {"type": "array", "items": STRING, "minItems": 1, "maxItems": 5, "uniqueItems": True}),
    ("Object[int](..9)", {"type": "object", "additionalProperties": INTEGER, "maxProperties": 9}),
    ("[int, str]", {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}),
    ("[]", {"type": "array", "minItems": 0, "maxItems": 0}),
    ("{}", {"type": "object", "properties": {}, "additionalProperties": False}),
    (
        '{a:int, b?:str, "c d":bool=true, ...:null}',
        {
            "type": "object",
            "properties": {"a": INTEGER, "b": STRING, "c d": {"type": "boolean", "default": True}},
            "required": ["a"],
            "additionalProperties": NULL,
        },
    ),
]


@pytest.mark.parametrize(("written", "schema"), TYPES, ids=[written for written, _ in TYPES])
def test_types(written: str, schema: dict[str, Any]) -> None:
    (tool,) = read_signatures(f"f(x:{written})")
    assert tool.parameters["properties"]["x"] == schema
    assert write_type(schema) == written


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("string", "str"),
        ("Integer", "int"),
        ("float", "number"),
        ("boolean", "bool"),
        ("None", "null"),
        ("Any", "any"),
        ("list[str]", "Array[str]"),
        ("dict", "object"),
        ("Array[any]", "array"),
        ("Object", "object"),
        ("str?", "str|null"),
        ('"a"?', '"a"|null'),
        ("Array[int?]", "Array[int|null]"),
        ("int|any", "any"),
        ("int|int", "int"),
        ('"b"|int|"a"|null', '"b"|"a"|null|int'),
        ('"a"|"a"', '"a"'),
        ('{"a":1}', "{a:1}"),
        (" Array [ int ] ( 1 .. ) ", "Array[int](1..)"),
        (r'"\u00e9\n"', r'"é\n"'),
    ],
)
def test_other_spellings(written: str, canonical: str) -> None:
    (tool,) = read_signatures(f"f(x:{written})")
    assert tool.signature() == f"f(x:{canonical})"


def test_the_parts_of_a_signature() -> None:
    (tool,) = read_signatures(
        'search(query:str, deep:bool=false, "a b"?:int, ...)->the lines #1 of all # Searches # well.'
    )
    assert tool == Tool(
        "search",
        {
            "type": "object",
            "properties": {"query": STRING, "deep": {"type": "boolean", "default": False}, "a b": INTEGER},
            "required": ["query"],
            "additionalProperties": True,
        },
        description="Searches # well.",
        returns="the lines #1 of all",
    )
    assert tool.signature() == (
        'search(query:str, deep:bool=false, "a b"?:int, ...)->the lines #1 of all # Searches # well.'
    )


def test_descriptions_of_parameters() -> None:
    text = """\
f(a:{b:int, c:Array[{d:str}]}, e:[int, {g:str}], ...:{h:int})
  a: one
  a.c: two
  a.c[].d: three:  and # more
  e[1].g: four
  {}.h: five"""
    (tool,) = read_signatures(text)
    properties = tool.parameters["properties"]
    assert properties["a"]["description"] == "one"
    assert properties["a"]["properties"]["c"]["items"]["properties"]["d"]["description"] == "three:  and # more"
    assert properties["e"]["prefixItems"][1]["properties"]["g"]["description"] == "four"
    assert tool.signature(descriptions=True) == text.replace("  and", " and")
    assert tool.signature() == text.partition("\n")[0]


@pytest.mark.parametrize(
    "name", ["größe", "文件", "a/b", "1st", "=", "x)", "a.b-c", "->", "#a", ".a", "...", 'a"b', "f(x)"]
)
def test_names_of_tools(name: str) -> None:
    signature = Tool(name, {}).signature()
    assert signature == (f"{name}()" if name[0] not in "#." and not set(name) & set('("') else f"{json.dumps(name)}()")
    assert [tool.name for tool in read_signatures(signature)] == [name]


def test_names_with_dots_are_quoted_in_paths() -> None:
    text = 'x.y(a.b:{"":int})\n  "a.b": dotted\n  "a.b"."": nameless'
    (tool,) = read_signatures(text)
    assert tool.parameters["properties"]["a.b"]["description"] == "dotted"
    assert tool.signature(descriptions=True) == text


def test_a_description_reaches_all_alternatives() -> None:
    (tool,) = read_signatures("f(x:{a:int}|{a:str, b:int}|null)\n  x.a: both")
    first, second, _ = tool.parameters["properties"]["x"]["anyOf"]
    assert first["properties"]["a"]["description"] == second["properties"]["a"]["description"] == "both"


def test_lines_between_tools_and_margins_mean_nothing() -> None:
    text = """
        # Tools for files.

        read(path:str)->text \t
          path: where

        ...
        write(path:str,\tcontent:str)
        # The end.
    """
    assert [tool.signature(descriptions=True) for tool in read_signatures(text)] == [
        "read(path:str)->text\n  path: where",
        "write(path:str, content:str)",
    ]
    assert read_signatures(text.replace("\n", "\r\n")) == read_signatures(text)


@pytest.mark.parametrize("text", ["", "\n\n", "...", "# nothing", "   "])
def test_texts_without_tools(text: str) -> None:
    assert read_signatures(text) == []


@given(st.lists(TOOLS, max_size=2))
@settings(max_examples=200, deadline=None)
def test_a_signature_reads_back_as_the_same_tool(tools: list[Tool]) -> None:
    text = "\n".join(tool.signature(descriptions=True) for tool in tools)
    assert read_signatures(text) == tools


# Schemas in other words, with values that they take: a signature may take more, never less.
LOOSENED: list[tuple[dict[str, Any], str, list[Any]]] = [
    ({"const": {"a": [1, None]}}, "{a:[1, null]}", [{"a": [1, None]}]),
    ({"type": "string", "enum": ["a", None]}, '"a"', ["a"]),
    ({"oneOf": [INTEGER, STRING]}, "int|str", [1, "a"]),
    ({"type": "string", "nullable": True}, "str|null", ["a"]),
    ({"allOf": [{"type": "integer", "minimum": 1}, {"maximum": 5}]}, "int(1..5)", [1, 5]),
    ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, "number(0<..)", []),
    ({"type": "number", "minimum": 5, "exclusiveMinimum": 3}, "number(5..)", [5]),
    ({"type": "integer", "minimum": -(2**53) + 1, "maximum": 2**53 - 1}, "int", [2**53 - 1]),
    ({"type": "string", "pattern": "x" * 81}, "str", ["x" * 81]),
    ({"type": "string", "pattern": "a\n\\\n\\/\r"}, r"str(/a\n\n\/\r/)", ["a\n\n/\r"]),
    ({"type": "string", "minLength": 0}, "str", [""]),
    ({"type": "string", "minimum": 3}, "str", ["a"]),
    ({"type": ["string", "null"], "maxLength": 3}, "str(..3)|null", ["abc", None]),
    ({"type": "array", "items": [INTEGER], "$schema": "http://json-schema.org/draft-07/schema#"}, "array", [[1]]),
    ({"type": "array", "prefixItems": [INTEGER]}, "array", [[1, "a"]]),
    ({"type": "array", "items": True}, "array", [[1]]),
    ({"type": "array", "contains": INTEGER}, "array", [[1]]),
    ({"properties": {"a": INTEGER}, "additionalProperties": False}, "{a?:int}", [{}, {"a": 1}]),
    ({"type": "object", "required": ["a"]}, "{a:any}", [{"a": 1}]),
    ({"type": "object", "patternProperties": {"^a": INTEGER}}, "Object[int]", [{"ab": 1}]),
    ({"type": "object", "patternProperties": {"^a": INTEGER}, "additionalProperties": STRING},
     "Object[int|str]", [{"b": ""}]),
    ({"type": "object"}, "object", [{"a": 1}]),
    ({"type": "object", "properties": {"a": INTEGER}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
     "{a?:int, b?:any}", [{"a": 1}, {"b": 1}]),
    ({"anyOf": [{"properties": {"a": INTEGER}, "required": ["a"]}, {"properties": {"b": INTEGER}}]},
     "{a:int}|{b?:int}", [{"a": 1}, {"b": 1}]),
    ({"type": "object", "properties": {"a": INTEGER}, "oneOf": [{"properties": {"a": STRING}}, {"required": ["a"]}]},
     "{a?:int|str}", [{"a": 1}]),
    ({"type": "object", "properties": {"a": INTEGER}, "then": {"properties": {"b": INTEGER}, "required": ["b"]}},
     "{a?:int, b?:int}", [{"a": 1, "b": 1}]),
    ({"type": "object", "properties": {"a": INTEGER}, "dependentSchemas": {"a": {"properties": {"b": INTEGER}}}},
     "{a?:int, b?:int}", [{"a": 1, "b": 1}]),
    ({"type": "object", "properties": {"a": {"type": "integer", "default": None}}}, "{a?:int}", [{}]),
    ({"properties": {"a": {"type": ["integer", "null"], "default": None}}}, "{a:int|null=null}", [{}]),
    ({"properties": {"a": {"type": "integer", "default": 3}}, "required": ["a"]}, "{a:int}", [{"a": 1}]),
    ({}, "any", [1]),
    ({"not": INTEGER}, "any", ["a"]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "written", "taken"), LOOSENED, ids=[written for _, written, _ in LOOSENED])
def test_what_signatures_do_not_say_is_left_out(schema: dict[str, Any], written: str, taken: list[Any]) -> None:
    assert write_type(schema) == written
    (tool,) = read_signatures(f"f(x:{written})")
    for value in taken:
        assert is_valid(schema, value), "the case itself is wrong"
        assert is_valid(tool.parameters, {"x": value})


def test_references_are_followed_but_not_into_themselves() -> None:
    tree = {"type": "object", "properties": {"value": {"$ref": "#/$defs/v"}, "next": {"$ref": "#/$defs/tree"}}}
    tool = Tool("f", {"properties": {"t": {"$ref": "#/$defs/tree"}}, "$defs": {"tree": tree, "v": INTEGER}})
    assert tool.signature() == "f(t?:{value?:int, next?:object})"


@pytest.mark.parametrize("keyword", ["properties", "allOf", "anyOf"])
def test_schemas_that_explode_stay_small(keyword: str) -> None:
    def level(number: int) -> dict[str, Any]:
        references = [{"$ref": f"#/$defs/{number + 1}"}] * 8
        return {
            "type": "object",
            keyword: dict(zip("abcdefgh", references, strict=True)) if keyword == "properties" else references,
        }

    tool = Tool("f", {"properties": {"x": {"$ref": "#/$defs/0"}}, "$defs": {str(n): level(n) for n in range(500)}})
    assert len(tool.signature(descriptions=True)) < 50_000


MISTAKES = [
    ("read", 1, 5, "the line ends too early", '"("'),
    ("read(path:str", 1, 14, "the line ends too early", '")"'),
    ("read(path str)", 1, 11, "'str)' cannot stand here", '":" or "?"'),
    ("read(path:)", 1, 11, "')' cannot stand here", "a type, such as str or int"),
    ("read(path:str=x)", 1, 15, "'x)' cannot stand here", "a JSON value"),
    ("read(path:str,)", 1, 15, "')' cannot stand here", 'a parameter or "..."'),
    ("read(path:str) text", 1, 16, "'text' cannot stand here", '"->"'),
    ("a()\n  b(c:int)", 2, 4, "'(c:int)' cannot stand here", '":"'),
    ("a()\n\nread(path:str, n:itn)", 3, 18, "unknown type 'itn'", "int"),
    ("read(a:str, a:int)", 1, 13, "'a' is there twice", "another name"),
    ("read(a:str[int])", 1, 8, "str holds no other type", "Array or Object"),
    ("read(a:int(date))", 1, 12, "date is no bound of this type", "step 5"),
    ("read(a:bool(1))", 1, 13, "1 is no bound of this type", "a type that has any"),
    ("read(a:int(5..1))", 1, 12, "nothing is in 5..1", "the smaller number first"),
    ("read(a:str(-1..))", 1, 12, "-1.. is no size", "not negative"),
    ("read(a:str(1<..))", 1, 12, "1<.. is no size", "not negative"),
    ("read(a:int(step 0))", 1, 12, "step 0 is no bound", "step 5"),
    ("read(a:int(1..100)", 1, 19, "the line ends too early", '")"'),
    ("read(a:int=1e999)", 1, 12, "1e999 is out of range", "a smaller number"),
    (f"read(a:int={'9' * 5000})", 1, 12, "is out of range", "a smaller number"),
    ('read(a:"x)', 1, 8, "cannot stand here", "a type, such as str or int"),
    ("read(a:int)\n  b: what", 2, 3, "read has no parameter like this", "one of a"),
    ("read(a:[int])\n  a[1].b: what", 2, 3, "read has no parameter like this", "one of a"),
    ('"a b"()', 1, 1, "a name may not hold ' '", "white space"),
    ("    f(a:int)\n    g(b:stt)", 2, 9, "unknown type 'stt'", "str"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "problem", "expected"), MISTAKES, ids=[m[0][:20] for m in MISTAKES])
def test_mistakes_are_placed_and_explained(text: str, line: int, column: int, problem: str, expected: str) -> None:
    with pytest.raises(SignatureError) as raised:
        ToolSet.from_signatures(text)
    assert (raised.value.line, raised.value.column) == (line, column)
    assert f"line {line}, column {column}: " in str(raised.value)
    assert problem in str(raised.value)
    assert expected in str(raised.value)


_PIECES = [
    "f",
    "(",
    ")",
    "a",
    ":",
    "int",
    "str",
    "?",
    "=",
    "1",
    '"x"',
    "[",
    "]",
    "{",
    "}",
    "|",
    ",",
    "...",
    "..",
    "<",
    "->",
]
_PIECES += [
    " ",
    "\n",
    "\n  ",
    "#",
    "/",
    "\\",
    "Array",
    "step",
    "null",
    "\t",
    ".",
    "-",
    '"',
    "é",
    "\x00",
    "true",
    "\ud800",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=25).map("".join) | st.text(max_size=20))
@settings(max_examples=500, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        tools = ToolSet.from_signatures(text)
    except ToolError:
        return
    again = ToolSet.from_signatures("\n".join(tool.signature(descriptions=True) for tool in tools))
    assert [tool.signature() for tool in again] == [tool.signature() for tool in tools]


@pytest.mark.parametrize(
    "text",
    [
        "f(a:" + "Array[" * 10_000 + "int" + "]" * 10_000 + ")",
        "f(a:" + "[" * 10_000 + "]" * 10_000 + ")",
        "f(a:any=" + "[" * 10_000 + "]" * 10_000 + ")",
    ],
)
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(ToolError, match="more than 100 levels deep"):
        ToolSet.from_signatures(text)
