"""Short cuts for tests that look at one value: a tool whose only argument, `v`, has the schema."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from slashgrammar.grammar.ir import Grammar
from slashgrammar.grammar.matcher import Automaton, Matcher
from slashgrammar.grammar.schema import Arguments, compile_arguments
from slashgrammar.tools.tool import Tool
from tests.grammar.schema.membership import Calls


def parameters(schema: Any, **more: Any) -> dict[str, Any]:
    """The parameters of a tool with that argument."""
    return {"type": "object", "properties": {"v": schema}, "required": ["v"], **more}


def combined(keywords: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas with some of the keywords, and up to two of these below `allOf`, `anyOf` or `oneOf`."""
    simple = st.fixed_dictionaries({}, optional=keywords)
    return simple | st.builds(
        lambda key, each: {key: each},
        st.sampled_from(["allOf", "anyOf", "oneOf"]),
        st.lists(simple, min_size=1, max_size=2),
    )


def compiled(schema: Any, *, open_objects: bool = False, **more: Any) -> Arguments:
    """The arguments of that tool."""
    return compile_arguments(Tool("t", parameters(schema, **more)), open_objects=open_objects)


def calls(schema: Any, *, open_objects: bool = False, **more: Any) -> Calls:
    """The calls of that tool."""
    return Calls(parameters(schema, **more), compiled(schema, open_objects=open_objects, **more))


def taken(schema: Any, candidates: list[Any], *, open_objects: bool = False, **more: Any) -> list[Any]:
    """Those of some values that the grammar takes."""
    known = calls(schema, open_objects=open_objects, **more)
    return [value for value in candidates if known.take({"v": value})]


def remarks(schema: Any, *, open_objects: bool = False, **more: Any) -> list[str]:
    """The keywords that are taken more widely, other than that keys may repeat."""
    report = compiled(schema, open_objects=open_objects, **more).report
    return [entry.keyword for entry in report if "repeat" not in entry.reason]


def texts_of(grammar: Grammar, texts: Iterable[str]) -> list[str]:
    """Those of some texts that a grammar takes."""
    automaton = Automaton(grammar)
    matchers = ((Matcher(automaton), text) for text in texts)
    return [text for matcher, text in matchers if matcher.feed(text) and matcher.is_member]
