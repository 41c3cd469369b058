from __future__ import annotations

from typing import Any

import pytest

from benchmarks.matching import right, same
from slashgrammar import Call, Tool

TOOL = Tool(
    "book",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "nights": {"type": "integer"}, "pets": {"default": False}},
        "required": ["city"],
    },
)
EXPECTED = Call("book", {"city": "St. John's", "nights": 2})


@pytest.mark.parametrize(
    ("value", "expected", "alike"),
    [
        ("new york, NY", "New York NY", True),
        ("2024-01-02", "2024/01/02", True),
        ("New York", "Newark", False),
        (5, 5.0, True),
        (5, "5", False),
        (True, 1, False),
        (["A b"], ["ab"], True),
        (["a", "b"], ["b", "a"], False),
        ({"x": "A"}, {"x": "a"}, True),
        ({"x": "A"}, {"y": "a"}, False),
    ],
)
def test_values(value: Any, expected: Any, alike: bool) -> None:
    assert same(value, expected) is alike


@pytest.mark.parametrize(
    ("arguments", "good"),
    [
        ({"city": "st johns", "nights": 2}, False),  # the quote counts
        ({"city": "ST JOHN'S", "nights": 2}, True),
        ({"city": "St. John's"}, True),
        ({"nights": 2}, False),
        ({"city": "St. John's", "nights": 3}, False),
        ({"city": "St. John's", "pets": False}, True),
        ({"city": "St. John's", "pets": True}, False),
        ({"city": "St. John's", "stars": 5}, False),
    ],
)
def test_calls(arguments: dict[str, Any], good: bool) -> None:
    assert right([Call("book", arguments)], EXPECTED, TOOL) is good


def test_one_call_of_the_right_tool() -> None:
    assert right([EXPECTED], EXPECTED, TOOL)
    assert not right([], EXPECTED, TOOL)
    assert not right([EXPECTED, EXPECTED], EXPECTED, TOOL)
    assert not right([Call("cancel", EXPECTED.arguments)], EXPECTED, TOOL)
