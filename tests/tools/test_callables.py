"""Tools from functions and types. Names are resolved from text here: the module postpones its annotations."""

from __future__ import annotations

import asyncio
import datetime
import enum
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Optional, TypedDict

import pytest
from pydantic import BaseModel, Field
from typing_extensions import Required, Unpack

from slashgrammar.calls import Call
from slashgrammar.errors import ToolError
from slashgrammar.tools import Tool, ToolSet


class Unit(enum.Enum):
    CELSIUS = "c"
    FAHRENHEIT = "f"


class Place(BaseModel):
    """A place on earth.

    Attributes:
        name: as people call it
    """

    name: str = Field(min_length=1)
    inside: Optional[Place] = None  # noqa: UP045


@dataclass
class Point:
    x: float
    y: float = 0.0
    tags: list[str] = field(default_factory=list)


class Filter(TypedDict, total=False):
    """What to keep.

    Args:
        since: the first day
    """

    since: Required[datetime.date]
    parts: list[Filter]


def forecast(
    place: Place,
    days: Annotated[int, Field(ge=1, le=14, description="how many days")] = 3,
    unit: Unit = Unit.CELSIUS,
    *,
    detail: Literal["low", "high", 1] = "low",
    near: Optional[Point] = None,  # noqa: UP045
    only: Filter | None = None,
    extra: Any = None,
    marker: object = object(),
    untyped=7,  # type: ignore[no-untyped-def]
) -> list[str]:
    """Tells the weather.

    For some days.

    Args:
        place: where
        days: not shown, the annotation has one
        unit (Unit): the unit
            of temperature

    Returns:
        one line a day

    Raises:
        ValueError: never
    """
    return [repr(value) for value in (place, days, unit, detail, near, only, extra, untyped)]


def test_a_function_with_all_that_annotations_can_say() -> None:
    (tool,) = ToolSet([forecast])
    assert tool.function is forecast
    assert tool.description == "Tells the weather.\n\nFor some days."
    assert tool.signature(descriptions=True) == (
        "forecast(place:{name:str(1..), inside:object|null=null}, days:int(1..14)=3, "
        'unit:"c"|"f"="c", detail:"low"|"high"|1="low", near:{x:number, y:number=0.0, tags?:Array[str]}|null=null, '
        "only:{since:str(date), parts?:Array[object]}|null=null, extra:any=null, marker?:any, untyped:any=7)"
        "->one line a day # Tells the weather. For some days.\n"
        "  place: where\n"
        "  place.name: as people call it\n"
        "  days: how many days\n"
        "  unit: the unit of temperature\n"
        "  only.since: the first day"
    )
    assert "title" not in str(tool.parameters["properties"])


def google(path: str, start: int = 0) -> str:
    """Reads a file.

    Args:
        path: where it is
        start: first line
    """
    return f"{path}:{start}"


def numpy(path: str, start: int = 0) -> str:
    """Reads a file.

    Parameters
    ----------
    path : str
        where it is
    start : int, optional
        first line
    """
    return f"{path}:{start}"


def sphinx(path: str, start: int = 0) -> str:
    """Reads a file.

    :param path: where it is
    :param int start: first line
    """
    return f"{path}:{start}"


@pytest.mark.parametrize("function", [google, numpy, sphinx])
def test_styles_of_docstrings(function: Callable[..., str]) -> None:
    (tool,) = ToolSet([function])
    expected = (
        f"{function.__name__}(path:str, start:int=0)->str # Reads a file.\n  path: where it is\n  start: first line"
    )
    assert tool.signature(descriptions=True) == expected


def positional(a: int, b: int = 2, /, *rest: int, c: int = 3) -> tuple[int, ...]:
    return (a, b, *rest, c)


def keywords(a: int, **others: Unit) -> dict[str, Any]:
    return {"a": a, **others}


def bare(a, b=[]):  # type: ignore[no-untyped-def] # noqa: B006
    return a, b


async def later(a: int) -> int:
    return a + 1


class Counter:
    """Counts."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, n: int) -> int:
        self.total += n
        return self.total

    def __call__(self, n: int) -> None:
        """Adds."""
        self.total += n


COUNTER = Counter()


@pytest.mark.parametrize(
    ("function", "signature"),
    [
        (positional, "positional(a:int, b:int=2, c:int=3)->Array[int]"),
        (keywords, 'keywords(a:int, ...:"c"|"f")->object'),
        (bare, "bare(a:any, b:any=[])"),
        (later, "later(a:int)->int"),
        (COUNTER.add, "add(n:int)->int"),
        (COUNTER, "Counter(n:int) # Adds."),
        (functools.partial(google, start=5), "google(path:str, start:int=5)->str # Reads a file."),
        (functools.partial(google, "x"), "google(start:int=0)->str # Reads a file."),
        (Place, "Place(name:str(1..), inside:{name:str(1..), inside:object|null=null}|null=null) # A place on earth."),
        (Point, "Point(x:number, y:number=0.0, tags?:Array[str])"),
        (
            Filter,
            "Filter(since:str(date), parts?:Array[{since:str(date), parts?:Array[object]}]) # What to keep.",
        ),
    ],
)
def test_other_callables_and_types(function: Callable[..., Any], signature: str) -> None:
    (tool,) = ToolSet([function])
    assert tool.signature() == signature


def unknown(a: Nowhere) -> None:  # type: ignore[name-defined] # noqa: F821
    pass


def unwritable(a: Callable[[int], int]) -> None:
    pass


def unpacked(**others: Unpack[Filter]) -> None:
    pass


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (lambda a: a, "a lambda has no name"),
        (unknown, "tool 'unknown': no JSON Schema can be made of its annotations .*Nowhere"),
        (unwritable, "tool 'unwritable': no JSON Schema can be made"),
        (unpacked, "tool 'unpacked': .*write the parameters out"),
        (int, "tool 'int': expected a function, a pydantic model"),
        (Counter, "tool 'Counter': expected a function, a pydantic model"),
        (3, "item 0: expected a Tool, a function, a type or an entry of a list, found int"),
        ("read()", "item 0: expected a Tool"),
        (None, "item 0: expected a Tool"),
    ],
)
def test_items_that_are_no_tools(item: Any, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        ToolSet([item])


@pytest.mark.parametrize(
    ("function", "arguments", "result"),
    [
        (google, {"path": "a"}, "a:0"),
        (positional, {"a": 1}, (1, 2, 3)),
        (positional, {"a": 1, "b": 5, "c": 6}, (1, 5, 6)),
        (keywords, {"a": 1, "x": "f"}, {"a": 1, "x": Unit.FAHRENHEIT}),
        (bare, {"a": None}, (None, [])),
        (functools.partial(google, start=5), {"path": "a"}, "a:5"),
        (Point, {"x": 1, "tags": ["a"]}, Point(1.0, 0.0, ["a"])),
        (Place, {"name": "Rome", "inside": {"name": "Italy"}}, Place(name="Rome", inside=Place(name="Italy"))),
        (Filter, {"since": "2026-05-17"}, {"since": datetime.date(2026, 5, 17)}),
    ],
)
def test_calling(function: Callable[..., Any], arguments: dict[str, Any], result: Any) -> None:
    (tool,) = tools = ToolSet([function])
    assert tools.call(Call(tool.name, arguments)) == result


def test_calling_converts_what_annotations_name() -> None:
    arguments = {"place": {"name": "Rome"}, "unit": "f", "near": {"x": 1}, "only": {"since": "2026-05-17"}}
    lines = ToolSet([forecast]).call(Call("forecast", arguments))
    assert lines[0] == "Place(name='Rome', inside=None)"
    assert lines[2] == "<Unit.FAHRENHEIT: 'f'>"
    assert lines[4] == "Point(x=1.0, y=0.0, tags=[])"
    assert lines[5] == "{'since': datetime.date(2026, 5, 17)}"


def test_calling_an_async_function_gives_its_coroutine() -> None:
    assert asyncio.run(ToolSet([later]).call(Call("later", {"a": 1}))) == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (Call("goggle", {}), "did you mean 'google'?"),
        (Call("google", {}), "tool 'google' at path: Missing required"),
        (Call("google", {"path": 3}), "tool 'google' at path: Input should be a valid string"),
        (Call("google", {"path": "a", "end": 3}), "tool 'google' at end: Unexpected keyword argument"),
        (Call("listed", {}), "no function came with this tool"),
    ],
)
def test_calls_that_cannot_be_made(call: Call, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        ToolSet([google, Tool("listed", {})]).call(call)


def test_what_a_function_raises_is_passed_on() -> None:
    def fail(a: int) -> None:
        raise KeyError(a)

    with pytest.raises(KeyError):
        ToolSet([fail]).call(Call("fail", {"a": 1}))
