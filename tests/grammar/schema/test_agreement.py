"""The grammar against validation, over all keywords."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slashgrammar.errors import ToolError
from slashgrammar.grammar.schema import closed, compile_arguments
from slashgrammar.tools.tool import Tool
from tests.grammar.schema.membership import Calls
from tests.grammar.schema.schemas import documents, instances

SLOW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@SLOW
@pytest.mark.parametrize("open_objects", [True, False])
@given(data=st.data())
def test_nothing_valid_is_refused_and_what_is_wider_is_reported(data: st.DataObject, open_objects: bool) -> None:
    schema = data.draw(documents())
    values = [data.draw(instances(schema)) for _ in range(8)]
    check(schema, values, open_objects=open_objects)


@pytest.mark.slow
@settings(SLOW, max_examples=200)
@pytest.mark.parametrize("open_objects", [True, False])
@given(data=st.data())
def test_the_same_for_many_schemas_and_instances(data: st.DataObject, open_objects: bool) -> None:
    schema = data.draw(documents())
    check(schema, [data.draw(instances(schema)) for _ in range(20)], open_objects=open_objects)


def check(schema: dict[str, Any], values: list[dict[str, Any]], *, open_objects: bool) -> None:
    validator = jsonschema_rs.Draft202012Validator(closed(schema, open_objects), validate_formats=True)
    try:
        arguments = compile_arguments(Tool("t", schema), open_objects=open_objects)
    except ToolError:
        assert not any(map(validator.is_valid, values)), "valid arguments of a tool that is said to have none"
        return
    calls = Calls(schema, arguments)
    wider = [entry for entry in arguments.report if "repeat" not in entry.reason]
    for value in values:
        taken, valid = calls.take(value), validator.is_valid(value)
        assert taken or not valid, f"refused: {calls.text(value)}"
        assert valid or not taken or wider, f"taken, and not reported: {calls.text(value)}"
