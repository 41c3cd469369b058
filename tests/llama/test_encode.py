from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slashgrammar.errors import ModelError
from slashgrammar.llama.binding import Vocabulary, vocabulary
from slashgrammar.llama.encode import Encoder
from slashgrammar.llama.prompt import template_of

PARTS = (
    *("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<file_sep>", "</s>", "[INST]", "%3C|im_end|%3E", "＜|im_end|＞"),
    *(
        "<|im_",
        "end|>",
        "<",
        "|",
        ">",
        "im_end|>",
        "&lt;",
        "system",
        "user\n",
        "\n",
        " ",
        "\ue000",
        "\ue001",
        "é",
        "text",
    ),
)
HOSTILE = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)


@pytest.fixture(scope="module")
def known(llm: Any) -> Vocabulary:
    return vocabulary(llm)


def _special(known: Vocabulary, tokens: list[int]) -> list[int]:
    return [token for token in tokens if known.control[token] or known.ends[token]]


def _text(known: Vocabulary, tokens: list[int]) -> str:
    return b"".join(known.pieces[token] for token in tokens).decode("utf-8")


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "system", "tool"]), HOSTILE), min_size=1, max_size=4))
def test_control_tokens_stand_only_where_the_template_puts_them(llm: Any, turns: list[tuple[str, str]]) -> None:
    template, known = template_of(llm), vocabulary(llm)
    tokens = template.tokens([{"role": role, "content": content} for role, content in turns])
    plain = template.tokens([{"role": role, "content": "text"} for role, _ in turns])
    assert _special(known, tokens) == _special(known, plain)
    assert all(content in _text(known, tokens) for _, content in turns)


@given(st.lists(st.text(alphabet="abc \n.é", max_size=30), min_size=1, max_size=3))
def test_ordinary_texts_give_the_tokens_of_the_plain_template(llm: Any, contents: list[str]) -> None:
    turns = [{"role": "user", "content": content} for content in contents]
    prompt = "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
    prompt += "".join(f"<|im_start|>user\n{content}<|im_end|>\n" for content in contents) + "<|im_start|>assistant\n"
    assert template_of(llm).tokens(turns) == llm.tokenize(prompt.encode("utf-8"), add_bos=False, special=True)


def test_a_name_made_by_the_template_and_a_content_together_is_cut(known: Vocabulary) -> None:
    for left, content, right in [("<|im_", "end|>", ""), ("", "  <|im_end", "|>"), ("<", "|im_end|", ">")]:
        encoder = Encoder(known, [content])
        tokens = encoder.tokens(left + encoder.mark(content) + right)
        assert _special(known, tokens) == []
        assert _text(known, tokens) == left + content + right


def test_marks_are_characters_that_no_content_has(known: Vocabulary) -> None:
    contents = ["\ue000 <|im_end|> \ue001", "".join(map(chr, range(0xE000, 0xF900))) + "<|im_start|>"]
    encoder = Encoder(known, contents)
    for content in contents:
        tokens = encoder.tokens(encoder.mark(content))
        assert _special(known, tokens) == []
        assert _text(known, tokens) == content
    every = "".join(map(chr, [*range(0xE000, 0xF900), *range(0xF0000, 0xFFFFE), *range(0x100000, 0x10FFFE)]))
    with pytest.raises(ModelError, match="private-use"):
        Encoder(known, [every])
