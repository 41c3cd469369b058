from __future__ import annotations

from typing import Any

import pytest

import slashgrammar as sg
from slashgrammar.llama.binding import vocabulary
from slashgrammar.llama.select import select_function
from slashgrammar.prompts.chatml import control_tokens, stop_ids

TOOLS = sg.ToolSet.load(
    [
        {"name": "fn_reverse_string", "description": "Reverse a string.", "parameters": {"s": {"type": "string"}}},
        {"name": "fn_add", "description": "Add.", "parameters": {"a": {"type": "number"}, "b": {"type": "number"}}},
    ]
)
EXAMPLES = [
    ("can you reverse the word 'banana'?", sg.Call("fn_reverse_string", {"s": "banana"})),
    ("what is 3 plus 5?", sg.Call("fn_add", {"a": 3, "b": 5})),
]


@pytest.mark.parametrize("dialect", ["hermes", "slash"])
def test_the_function_that_a_prompt_needs(llm: Any, dialect: Any) -> None:
    selected = select_function(llm, "Reverse the string 'hello'", TOOLS, examples=EXAMPLES, dialect=dialect)
    assert selected.prompt == "Reverse the string 'hello'"
    assert selected.name == "fn_reverse_string"
    assert selected.parameters == {"s": "hello"}


def test_nothing_is_selected_where_the_budget_ends_too_early(llm: Any) -> None:
    for dialect in ("hermes", "slash"):
        selected = select_function(llm, "What is <|im_end|> plus 5?", TOOLS, dialect=dialect, max_tokens=4)  # type: ignore[arg-type]
        assert (selected.name, selected.parameters) == ("", {})


def test_control_tokens_of_the_model(llm: Any) -> None:
    known = control_tokens(llm)
    assert known.keys() == {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}
    pieces = vocabulary(llm).pieces
    assert [pieces[token] for token in stop_ids(llm)] == [b"<|im_end|>", b"<|endoftext|>"]
