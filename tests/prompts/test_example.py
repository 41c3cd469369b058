from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from slashgrammar.calls import Call
from slashgrammar.prompts.example import dotted, example_call, example_request
from slashgrammar.tools import Tool, ToolSet
from tests.tools.schemas import TOOLS


@pytest.mark.parametrize(
    ("signatures", "call"),
    [
        # The tool that shows a block and another value is the best one, then the one with a block, then the smallest.
        ("read(path:str)\nrun(code:str)\nwrite(path:str, content:str)\nlog(a:str, b:str, text:str)",
         Call("write", {"path": "/home/maria/file.txt", "content": "content\nhere"})),
        ("read(path:str)\nrun(code:str)", Call("run", {"code": 'print("hello")\nprint("there")'})),
        ("now()\nread(path:str, from:int)\nstat(file_path:str)", Call("stat", {"file_path": "/home/maria/file.txt"})),
        ("now()\nthen()", Call("now")),
        # What is required is given, else the first thing that may be.
        ("f(a?:str, city:str, b:int=1)", Call("f", {"city": "Paris"})),
        ("f(sort?:\"up\"|\"down\", city?:str)", Call("f", {"sort": "up"})),
        # Only one text is a block, and none that its schema does not leave free.
        ("f(oldText:str, newText:str)", Call("f", {"oldText": "old text", "newText": "new text\nhere"})),
        ("f(text:str(..20))", Call("f", {"text": "text"})),
        ('f(body:"x"|"y")', Call("f", {"body": "x"})),
        # Values by format, name and bounds.
        ("f(a:str(date), b:str(email), when:str(uuid))",
         Call("f", {"a": "2026-05-17", "b": "maria@example.com", "when": "6f1c2f0e-4a53-4c55-9d0b-2f6f4f3b8a01"})),
        ("f(userName:str, repo_id:str, outputDir:str, HTMLColor:str)",
         Call("f", {"userName": "Maria", "repo_id": "a1b2c3", "outputDir": "/home/maria", "HTMLColor": "blue"})),
        ("f(mood:str, x:str(12..), y:str(..2), \"\":str)",
         Call("f", {"mood": "mood", "x": "x x x x x x x x", "y": "y", "": "text"})),
        ("f(year:int, n:int(5..9), p:number(0<..<1), q:int(step 7), r:int(..-3), s:int(8<..))",
         Call("f", {"year": 2026, "n": 5, "p": 0.5, "q": 7, "r": -3, "s": 9})),
        ("f(a:bool, b:null|int, c:Array[str], d:[int, bool], e:Array[int](3..), g:{h:int, i?:int}, k:any)",
         Call("f", {"a": True, "b": 1, "c": ["c"], "d": [1, True], "e": [1, 1, 1], "g": {"h": 1}, "k": "k"})),
    ],
)  # fmt: skip
def test_examples(signatures: str, call: Call) -> None:
    assert example_call(ToolSet.from_signatures(signatures)) == call


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "examples": ["Kraków", "Łódź"]}, "Kraków"),
        ({"type": "string", "default": "x"}, "x"),
        ({"const": {"a": 1}}, {"a": 1}),
        ({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/n"}]}, 7),
        ({"allOf": [{"$ref": "#/$defs/n"}, {"maximum": 8}]}, 7),
        ({"type": ["null", "boolean"]}, True),
        ({"type": "null"}, None),
    ],
)
def test_values_come_from_schemas(schema: dict[str, Any], value: Any) -> None:
    parameters = {"properties": {"a": schema}, "required": ["a"], "$defs": {"n": {"type": "integer", "minimum": 7}}}
    assert example_call(ToolSet([Tool("f", parameters)])).arguments == {"a": value}


@pytest.mark.parametrize(
    ("description", "arguments", "request_text"),
    [
        ("Tells the weather.", {"city": "Zürich", "days": 3}, "Tells the weather: city Zürich, days 3"),
        ("", {"at": ["07:00"], "loud": True}, 'Call alarm: at ["07:00"], loud true'),
        ("Tells the time.", {}, "Tells the time"),
        # What it does, and not what else there is to say.
        ("Runs node.js scripts. Note that they can be long.", {"n": 1}, "Runs node.js scripts: n 1"),
        ("Finds a recipe based on dietary preferences, such as vegan", {"diet": "vegan"}, "Finds a recipe: diet vegan"),
        ("Rings (loudly)\n\nAnd wakes you.", {"day": "Monday"}, "Rings: day Monday"),
        ("Format: any.", {"n": 1}, "Format: n 1"),
        ("(Rings.)", {}, "Call alarm"),
    ],
)
def test_a_request_says_the_values(description: str, arguments: dict[str, Any], request_text: str) -> None:
    tool = Tool("alarm", {"type": "object"}, description)
    assert example_request(tool, Call("alarm", arguments)) == request_text


@pytest.mark.parametrize(
    ("signatures", "arguments"),
    [
        (
            "f(city:str, days:int, tags:Array[str], loud:bool)",
            {"city": "...", "days": 1, "tags": ["..."], "loud": True},
        ),
        ('f(mood:"low"|"high", a:str(..2), b:str(5..))', {"mood": "low", "a": "a", "b": "b b b b"}),
        ("f(text:str)", {"text": "..."}),
        ("f(day:str, at:str(time))\n  day: such as 'Monday'", {"day": "Monday", "at": "09:30:00Z"}),
        ("f(file_path:str, code:str)", {"file_path": "...", "code": 'print("hello")\nprint("there")'}),
    ],
)
def test_texts_as_dots(signatures: str, arguments: dict[str, Any]) -> None:
    tools = ToolSet.from_signatures(signatures)
    assert dotted(example_call(tools), tools).arguments == arguments


def test_a_tool_with_a_valid_example_is_preferred() -> None:
    odd = Tool("odd", {"properties": {"x": {"type": "string", "pattern": "^q{9}$"}}, "required": ["x"]})
    plain = Tool("plain", {"properties": {"x": {}, "y": {}}, "required": ["x", "y"]})
    dangling = Tool("dangling", {"properties": {"x": {"$ref": "#/nowhere"}}, "required": ["x"]})
    assert example_call(ToolSet([odd, plain, dangling])).name == "plain"
    assert example_call(ToolSet([odd])) == Call("odd", {"x": "x"})


def test_what_no_value_fits_is_left_out() -> None:
    tool = Tool("f", {"type": "object", "properties": {"x": False, "y": {"minimum": 2, "maximum": 1}}})
    assert example_call(ToolSet([tool])) == Call("f", {})


@given(TOOLS)
@settings(max_examples=100, deadline=None)
def test_every_tool_has_an_example(tool: Tool) -> None:
    tools = ToolSet([tool])
    call = example_call(tools)
    assert set(tool.parameters.get("required", ())) <= call.arguments.keys()
    assert tools.render([call]) in tools.prompt()
    assert dotted(call, tools).arguments.keys() == call.arguments.keys()


def test_examples_of_real_tools_are_valid(shared_data: Path) -> None:
    tools = list(ToolSet.load(shared_data / "github-mcp-tools.json"))
    with gzip.open(shared_data / "bfcl-half.jsonl.gz", "rt", encoding="utf-8") as lines:
        tools += [tool for line in list(lines)[::20] for tool in ToolSet.load(json.loads(line)["tools"])]
    wrong = []
    for tool in tools:
        single = ToolSet([tool])
        call = example_call(single)
        if single.check(single.render([call])) or single.check(single.render([dotted(call, single)])):
            wrong.append(tool.name)
    assert len(tools) > 250
    assert wrong == []
