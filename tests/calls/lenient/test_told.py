"""What is left of a course of events, however its deltas were cut when they were told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from slashgrammar.calls import Call
from slashgrammar.calls.events import ArgumentDelta, CallEnd, CallStart, Event, ReasoningDelta, TextDelta
from slashgrammar.calls.lenient.told import Told
from tests.calls.test_stream import merged

KINDS = st.sampled_from([TextDelta, ReasoningDelta, ArgumentDelta])
DELTAS = st.builds(lambda kind, text: kind(text), KINDS, st.text(min_size=1))
EVENTS = st.lists(DELTAS | st.just(CallStart("a")) | st.just(CallEnd(Call("a"))), max_size=12)


@given(EVENTS, st.data())
def test_rest(events: list[Event], data: st.DataObject) -> None:
    whole = [
        type(event)(char) if isinstance(event, TextDelta | ReasoningDelta | ArgumentDelta) else event
        for event in events
        for char in (event.text if isinstance(event, TextDelta | ReasoningDelta | ArgumentDelta) else "x")
    ]
    count = data.draw(st.integers(0, len(whole)))
    told = Told()
    told.add(whole[:count])
    rest = list(told.rest(merged(events)))
    assert merged([*whole[:count], *rest]) == merged(events)
    assert merged([*told.rest(whole)]) == merged(rest)
