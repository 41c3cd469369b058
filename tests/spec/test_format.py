"""The examples of the page that describes the format."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.examples import Example, check_example, read_examples

EXAMPLES = read_examples(Path(__file__).resolve().parents[2] / "docs" / "format.md")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.place)
def test_example(example: Example) -> None:
    check_example(example)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 30
