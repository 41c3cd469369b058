"""What would take too long is kept less exactly, said in the report, and never narrower."""

from __future__ import annotations

from typing import Any

from slashgrammar.grammar.schema import compile_arguments
from slashgrammar.grammar.schema.writer import TEXT_LIMIT
from slashgrammar.tools import Tool, ToolSet
from tests.grammar import engines
from tests.grammar.schema.membership import Calls


def calls(schema: dict[str, Any]) -> tuple[Calls, set[str]]:
    """The calls of a tool with these parameters, and the keywords that are taken more widely."""
    arguments = compile_arguments(Tool("t", schema), open_objects=True)
    return Calls(schema, arguments), {entry.keyword for entry in arguments.report if "repeat" not in entry.reason}


def test_alternatives_that_may_overlap_everywhere() -> None:
    def builder(number: int) -> dict[str, Any]:
        options = {f"option{number}-{i}": {"type": ["string", "boolean"]} for i in range(40)}
        closed = {"type": "object", "properties": options, "additionalProperties": False}
        properties = {"builder": {"pattern": f"{number}$"}, "options": closed, "all": {"additionalProperties": closed}}
        return {"type": "object", "properties": properties}

    target = {"oneOf": [builder(number) for number in range(12)]}
    known, wider = calls({"properties": {f"v{i}": {"allOf": [target], "title": str(i)} for i in range(3)}})
    assert "oneOf" in wider
    assert known.take({"v0": {"builder": "b3", "options": {"option3-1": True}}})
    assert not known.take({"v0": {"builder": "b3", "options": {"option3-1": 1}}})


def test_strings_of_many_patterns_and_lengths() -> None:
    patterns = [f"{a}.*{b}.*{a}" for a in "abcdefgh" for b in "xyz"]
    strings = {f"v{i}": {"pattern": pattern, "minLength": 10, "maxLength": 90} for i, pattern in enumerate(patterns)}
    arguments = compile_arguments(Tool("t", {"properties": strings}), open_objects=True)
    assert len(arguments.rules) < 2 * TEXT_LIMIT
    known, wider = calls({"properties": strings})
    assert wider == {"pattern", "minLength", "maxLength"}
    assert known.take({"v0": "a-----x-----a", "v23": "h---z----h"})
    assert not known.take({"v0": "a-x-a"})


def test_bounds_beside_a_key_that_has_to_be_there() -> None:
    some_odd = {"not": {"propertyNames": {"enum": ["2", "4"]}}}
    bounded, wider = calls({**some_odd, "minProperties": 3, "maxProperties": 4})
    assert not wider
    for keys in ("124", "214", "241", "1234", "4231"):
        assert bounded.take(dict.fromkeys(keys, 0))
    for keys in ("12", "242", "12435"):
        assert not bounded.take_text("/t" + "".join(f'\n"{key}"=0' for key in keys))
    free, wider = calls({**some_odd, "minProperties": 500})
    assert wider == {"minProperties"}
    assert free.take(dict.fromkeys("21", 0))


def test_two_keys_that_have_to_be_there() -> None:
    odd_and_high = {"allOf": [{"not": {"propertyNames": {"enum": names}}} for names in (["2", "4"], ["1", "2"])]}
    known, wider = calls(odd_and_high)
    assert wider == {"propertyNames"}
    assert known.take({"2": 0, "3": 0})
    assert known.take({"1": 0, "4": 0})
    assert not known.take({"2": 0})


def test_numbers_of_many_kinds() -> None:
    steps = {"a": 2, "b": 6.5, "c": 5, "d": 7, "e": 11}
    kinds = {name: {"not": {"multipleOf": step}, "minimum": -(10**9)} for name, step in steps.items()}
    arguments = compile_arguments(Tool("t", {"patternProperties": kinds}), open_objects=True)
    assert len(arguments.rules) < 2 * TEXT_LIMIT
    known, wider = calls({"patternProperties": kinds})
    assert wider
    assert wider <= {"minimum", "multipleOf", "not", "pattern"}
    assert known.take({"a": 3, "abcde": 1})


def test_items_that_count_leave_engines_one_way() -> None:
    pairs = {"type": "array", "items": {"type": "array", "contains": {"const": 0}}, "contains": {"maxItems": 2}}
    grammar = ToolSet([Tool("t", {"properties": {"v": pairs}, "required": ["v"]})]).compile(tool_choice="required")
    text = "/t\nv=[" + ", ".join(["[1, 2, 0, 3]"] * 20 + ["[0]"]) + "]"
    assert max(engines.llama_stacks(grammar.gbnf, text)) < 60
    assert grammar.matches(text)
