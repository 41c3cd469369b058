"""How much of a course of events was told, however its deltas are cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from slashgrammar.calls.events import ArgumentDelta, Event, ReasoningDelta, TextDelta


class Told:
    """Counts events; deltas of one kind in a row are one, of which so many characters were told."""

    def __init__(self) -> None:
        self._groups = 0
        self._kind: type[Event] | None = None
        self._length = 0

    def add(self, events: Iterable[Event]) -> None:
        """These events are told."""
        for event in events:
            self._advance(event)

    def rest(self, events: Iterable[Event]) -> Iterator[Event]:
        """What is left of the whole course."""
        other = Told()
        for event in events:
            other._advance(event)
            if other._groups > self._groups:
                yield event
            elif other._groups == self._groups and isinstance(event, TextDelta | ReasoningDelta | ArgumentDelta):
                surplus = other._length - self._length
                if surplus > 0:
                    yield type(event)(event.text[-surplus:])

    def _advance(self, event: Event) -> None:
        is_delta = isinstance(event, TextDelta | ReasoningDelta | ArgumentDelta)
        if not is_delta or type(event) is not self._kind:
            self._groups += 1
            self._length = 0
        self._kind = type(event) if is_delta else None
        if isinstance(event, TextDelta | ReasoningDelta | ArgumentDelta):
            self._length += len(event.text)
