from __future__ import annotations

import pytest

from slashgrammar.prompts.example import example_call
from slashgrammar.prompts.mentioned import mentioned
from slashgrammar.tools import ToolSet


@pytest.mark.parametrize(
    ("description", "value"),
    [
        ("The city, such as 'Berkeley, CA' or 'New York, NY'.", "Berkeley, CA"),
        ('A version (e.g., "v1.0.0").', "v1.0.0"),
        ("E.g. `src/` for the sources", "src/"),
        ("The platform, e.g. PC, Xbox", "PC"),
        ("Where it is, for example: San Francisco.", "San Francisco"),
        ("A version, e.g. 1.5.2. Newer ones are refused.", "1.5.2"),
        ("Either 'created' or 'updated'", "created"),
        ("Options are:\n- 'add' - adds one\n- 'remove'", "add"),
        ("How much. Can be one of: 'little', 'all'", "little"),
        # What does not stand in quotes must look like a value, and be short.
        ("A contact, such as an account number", None),
        ("For example, a b c D", None),
        ("e.g. The whole of what was said there", None),
        ("The traveller's name, like the driver's", None),
        ("", None),
        (None, None),
        # Patterns of dates and times, also where they are mentioned as an example.
        ("In the format MM/DD/YYYY.", "05/17/2026"),
        ("Format: yyyy-mm-dd", "2026-05-17"),
        ("ISO 8601: YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD", "2026-05-17T09:30:00Z"),
        ("such as 'HH:MM'", "09:30"),
        ("The date in the format 'YYYY-MM-DD', such as '2023-06-01'.", "2023-06-01"),
        ("A DD of MM", None),
    ],
)
def test_mentioned_values(description: object, value: str | None) -> None:
    assert mentioned(description) == value


def test_long_descriptions_give_short_values() -> None:
    for part in ("e.g. ", "such as '", 'one of `"', "YYYY-", "e.g. A B C ", "e.g. A", "like '"):
        assert len(mentioned(part * 20_000) or "") <= 80


def test_examples_have_the_values_that_descriptions_mention() -> None:
    tools = ToolSet.from_signatures("""\
book(day:str, city:str, mail:str(email), code:str(..3), mood:"low"|"high")
  day: the day, in the format MM/DD/YYYY
  city: such as 'Berkeley, CA'
  mail: such as 'x'
  code: such as 'ABCDE'
  mood: such as 'high'""")
    assert example_call(tools).arguments == {
        "day": "05/17/2026", "city": "Berkeley, CA", "mail": "maria@example.com", "code": "ABC", "mood": "low"
    }  # fmt: skip
