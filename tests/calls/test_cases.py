"""Every text of the case files means what stands there, whole and in pieces."""

from __future__ import annotations

import pytest

from slashgrammar.calls import StreamParser
from slashgrammar.errors import TextError
from tests.calls.texts import CASES
from tests.spec.examples import Example, check_example, segments


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_case(case: Example) -> None:
    check_example(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_character_by_character(case: Example) -> None:
    parser = StreamParser(case.tools, reasoning=case.reasoning)
    for char in case.text:
        parser.feed(char)
    if case.is_error:
        with pytest.raises(TextError):
            parser.finish()
    else:
        assert segments(parser.finish()) == case.expected
