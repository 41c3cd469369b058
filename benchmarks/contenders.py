"""Who turns a JSON Schema into a grammar, and decides instances by it: this package, and its peers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from slashgrammar import Call, Tool, ToolSet
from slashgrammar.errors import GrammarError

Judge = Callable[[Any], bool]


@dataclass
class Outcome:
    """What became of one schema: the seconds until its grammar was ready, and for each instance what was decided."""

    name: str
    seconds: float = 0.0
    taken: list[bool] = field(default_factory=list)
    checked: list[bool] = field(default_factory=list)
    wider: list[tuple[str, str]] = field(default_factory=list)
    problem: str = ""


def present(schema: Any) -> tuple[dict[str, Any], Callable[[Any], Any]]:
    """The parameters of a tool for a schema, and what makes arguments of an instance."""
    if isinstance(schema, dict) and schema.get("type") == "object":
        return schema, lambda data: data
    draft = {"$schema": schema["$schema"]} if isinstance(schema, dict) and "$schema" in schema else {}
    parameters = {**draft, "type": "object", "properties": {"value": _rebased(schema)}, "required": ["value"]}
    return parameters, lambda data: {"value": data}


def _rebased(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_rebased(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: _rebased(value) for key, value in schema.items()}
    reference = schema.get("$ref")
    if isinstance(reference, str) and (reference == "#" or reference.startswith("#/")):
        result["$ref"] = f"#/properties/value{reference[1:]}"
    return result


class Slash:
    """This package."""

    def __init__(self, vocabulary: Path | None) -> None:
        self._llm = _vocabulary(vocabulary) if vocabulary else None

    def decide(self, case: dict[str, Any], outcome: Outcome) -> None:
        parameters, wrap = present(case["schema"])
        start = time.process_time()
        tools = ToolSet([Tool("call", parameters)], open_objects=True)
        grammar = tools.compile(tool_choice="required", parallel=False, prose=False)
        gbnf = grammar.gbnf
        judge = _engine(self._llm, gbnf) if self._llm else grammar.matches
        outcome.seconds = time.process_time() - start
        outcome.wider = sorted({(entry.keyword, entry.reason) for entry in grammar.report})
        for test in case["tests"]:
            arguments = wrap(test["data"])
            text = tools.render([Call("call", arguments)]) if isinstance(arguments, dict) else None
            outcome.taken.append(text is not None and judge(text))
            outcome.checked.append(text is not None and not tools.check(text))


class Converter:
    """llama-cpp-python's converter, llama.cpp's engine."""

    def __init__(self, vocabulary: Path | None) -> None:
        self._llm = _vocabulary(vocabulary) if vocabulary else None

    def decide(self, case: dict[str, Any], outcome: Outcome) -> None:
        from llama_cpp.llama_grammar import json_schema_to_gbnf

        start = time.process_time()
        judge = _engine(self._llm, json_schema_to_gbnf(json.dumps(case["schema"])))
        outcome.seconds = time.process_time() - start
        outcome.taken = [judge(json.dumps(test["data"], ensure_ascii=False)) for test in case["tests"]]


class Guidance:
    """llguidance."""

    def __init__(self, vocabulary: Path | None) -> None:
        from llguidance import LLTokenizer
        from llguidance.llamacpp import lltokenizer_from_vocab

        if vocabulary:
            self._llm = _vocabulary(vocabulary)
            self._tokenizer = lltokenizer_from_vocab(self._llm._model.vocab)
        else:
            self._tokenizer = LLTokenizer("byte")

    def decide(self, case: dict[str, Any], outcome: Outcome) -> None:
        from llguidance import LLMatcher

        start = time.process_time()
        matcher = LLMatcher(self._tokenizer, LLMatcher.grammar_from_json_schema(case["schema"]))
        outcome.seconds = time.process_time() - start
        if matcher.is_error():
            raise GrammarError(matcher.get_error())
        for test in case["tests"]:
            matcher.reset()
            tokens = self._tokenizer.tokenize_str(json.dumps(test["data"], ensure_ascii=False))
            outcome.taken.append(matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting())


CONTENDERS: dict[str, type[Slash | Converter | Guidance]] = {
    "slashgrammar": Slash,
    "llama-cpp-python": Converter,
    "llguidance": Guidance,
}


def _vocabulary(path: Path) -> Any:
    from llama_cpp import Llama

    return Llama(str(path), vocab_only=True, verbose=False)


def _engine(llm: Any, gbnf: str) -> Judge:
    """llama.cpp's grammar engine on texts, token by token."""
    from slashgrammar.llama.binding import GrammarEngine

    engine = GrammarEngine(llm, gbnf)
    end = llm.token_eos()

    def judge(text: str) -> bool:
        engine.reset()
        for token in llm.tokenize(text.encode(), add_bos=False, special=False):
            if not engine.allowed(np.array([token], np.int32))[0]:
                return False
            engine.accept(token)
        return bool(engine.allowed(np.array([end], np.int32))[0])

    return judge
