"""What would end the process in llama.cpp is an exception here; each case in a process of its own."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest

from slashgrammar.errors import SlashError
from slashgrammar.llama import ConstrainedSampler
from slashgrammar.llama.binding import Context, GrammarEngine, vocabulary

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the processes share the model by forking")


def _not_passed(llm: Any) -> None:
    ConstrainedSampler(llm, 'root ::= "ab"').accept(vocabulary(llm).tokenize("b")[0])


def _passed_one_step_ago(llm: Any) -> None:
    sampler = ConstrainedSampler(llm, 'root ::= "ab"')
    token = sampler.sample(_logits(llm))
    sampler.accept(token)
    sampler.accept(token)


def _end_too_early(llm: Any) -> None:
    ConstrainedSampler(llm, 'root ::= "ab"').accept(llm.token_eos())


def _engine_itself(llm: Any) -> None:
    GrammarEngine(llm, 'root ::= "ab"').accept(vocabulary(llm).tokenize("b")[0])


def _all_refused(llm: Any) -> None:
    nothing = dict.fromkeys(range(llm.n_vocab()), -np.inf)
    ConstrainedSampler(llm, "root ::= [a-z]", logit_bias=nothing).sample(_logits(llm))


def _null_grammar(llm: Any) -> None:
    ConstrainedSampler(llm, 'root ::= "a')


def _left_recursion(llm: Any) -> None:
    ConstrainedSampler(llm, 'root ::= root "a" | "b"')


def _hidden_left_recursion(llm: Any) -> None:
    ConstrainedSampler(llm, 'root ::= x root "a" | "b"\nx ::= y\ny ::= "c"?')


def _deep_parentheses(llm: Any) -> None:
    ConstrainedSampler(llm, "root ::= " + "(" * 20_000 + '"a"' + ")" * 20_000)


def _long_chain(llm: Any) -> None:
    chain = "".join(f"r{i} ::= r{i + 1}\n" for i in range(8000))
    ConstrainedSampler(llm, "root ::= r0\n" + chain + 'r8000 ::= "a"')


def _closed_model(llm: Any) -> None:
    sampler = ConstrainedSampler(llm, "root ::= [a-z]+")
    llm.close()
    sampler.sample(_logits(llm))


def _closed_context(llm: Any) -> None:
    context = Context(llm)
    llm.close()
    context.evaluate(np.array([1], np.int32))


CASES = [
    _not_passed, _passed_one_step_ago, _end_too_early, _engine_itself, _all_refused, _null_grammar, _left_recursion,
    _hidden_left_recursion, _deep_parentheses, _long_chain, _closed_model, _closed_context,
]  # fmt: skip


def _logits(llm: Any) -> Any:
    return np.zeros(llm.n_vocab(), np.float32)


def _try(case: Callable[[Any], None], llm: Any, answers: Connection) -> None:
    try:
        case(llm)
    except SlashError as error:
        answers.send(str(error))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__.strip("_"))
def test_an_exception_instead_of_an_abort(llm: Any, case: Callable[[Any], None]) -> None:
    vocabulary(llm)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_try, args=(case, llm, sender))
    process.start()
    answered = receiver.poll(60)
    process.join(10)
    assert process.exitcode == 0
    assert answered
    assert len(receiver.recv()) > 20
