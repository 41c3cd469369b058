"""Every text of the case files means what stands there, whole and in pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from slashgrammar.calls import StreamParser, check, parse
from slashgrammar.errors import TextError
from tests.spec.examples import Example, read_examples, segments

CASES = [example for path in sorted((Path(__file__).parent / "cases").glob("*.md")) for example in read_examples(path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_case(case: Example) -> None:
    errors = check(case.tools, case.text, reasoning=case.reasoning)
    if case.is_error:
        found = [{"error": error.code, **error.to_dict()} for error in errors]
        assert [{key: one.get(key) for key in wanted} for one, wanted in zip(found, case.expected, strict=True)] == (
            case.expected
        ), [str(error) for error in errors]
        with pytest.raises(TextError) as raised:
            parse(case.text, case.tools, reasoning=case.reasoning)
        assert str(raised.value) == str(errors[0])
    else:
        assert segments(parse(case.text, case.tools, reasoning=case.reasoning)) == case.expected
        assert not errors


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
