"""How many real schemas a grammar decides right, next to llama-cpp-python's converter and llguidance.

    python benchmarks/schemas.py maskbench.jsonl.gz --vocabulary ggml-vocab-qwen2.gguf --peers
    python benchmarks/schemas.py maskbench.jsonl.gz --sample 300 --cases

The file holds one JSON object a line: `name`, `schema` and `tests`, each with `valid` and `data`, as in MaskBench of
JSONSchemaBench. An instance is presented as the arguments of a call of a tool that has the schema; a schema that is not
one of objects is put under one property. Peers get the instance as the JSON that it is. With a vocabulary (GGUF)
llama.cpp's engine judges, token by token, otherwise the package's own matcher.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from slashgrammar import Call, Tool, ToolSet
from slashgrammar.errors import GrammarError, SlashError

Judge = Callable[[Any], bool]
_TIMEOUT = 30.0


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


def _work(contender: str, vocabulary: Path | None, pipe: Any) -> None:
    subject = CONTENDERS[contender](vocabulary)
    pipe.send(None)
    while True:
        case = pipe.recv()
        outcome = Outcome(case["name"])
        try:
            subject.decide(case, outcome)
        except (SlashError, ValueError, TypeError, KeyError, AttributeError, RecursionError, RuntimeError) as error:
            outcome.problem = f"{type(error).__name__}: {error}".splitlines()[0]
        pipe.send(outcome)


def outcomes(contender: str, cases: list[dict[str, Any]], vocabulary: Path | None) -> Iterator[Outcome]:
    """What becomes of each case, in a process of its own that is given up when it hangs or dies."""
    process, pipe = _start(contender, vocabulary)
    for case in cases:
        pipe.send(case)
        outcome = Outcome(case["name"], problem="hangs")
        try:
            outcome = pipe.recv() if pipe.poll(_TIMEOUT) else outcome
        except EOFError:
            outcome.problem = "the process died"
        if outcome.problem in ("hangs", "the process died"):
            process.kill()
            process, pipe = _start(contender, vocabulary)
        yield outcome
    process.kill()


def _start(contender: str, vocabulary: Path | None) -> tuple[Any, Any]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(contender, vocabulary, theirs), daemon=True)
    process.start()
    theirs.close()
    ours.recv()
    return process, ours


@dataclass
class Tally:
    """The figures of one contender."""

    compiled: int = 0
    right: int = 0
    refused: int = 0
    taken: int = 0
    valid: int = 0
    invalid: int = 0
    checked_wrong: int = 0
    seconds: list[float] = field(default_factory=list)
    wider: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)

    def add(self, case: dict[str, Any], outcome: Outcome) -> None:
        if outcome.problem:
            self.problems.append(f"{outcome.name}: {outcome.problem}")
            return
        self.compiled += 1
        self.seconds.append(outcome.seconds)
        self.wider.update(outcome.wider)
        expected = [test["valid"] for test in case["tests"]]
        self.right += outcome.taken == expected
        self.valid += sum(expected)
        self.invalid += len(expected) - sum(expected)
        for number, (valid, taken) in enumerate(zip(expected, outcome.taken, strict=True)):
            self.refused += valid and not taken
            self.taken += taken and not valid
            if valid != taken:
                self.cases.append(
                    f"{outcome.name}, instance {number}: {'valid, refused' if valid else 'invalid, taken'}"
                )
        for number, (valid, checked) in enumerate(zip(expected, outcome.checked, strict=False)):
            if valid != checked:
                self.checked_wrong += 1
                self.cases.append(f"{outcome.name}, instance {number}: wrong by validation")

    def row(self, name: str, total: int) -> str:
        times = sorted(self.seconds) or [0.0]
        spread = [statistics.median(times), times[int(len(times) * 0.99)], times[-1]]
        return (
            f"| {name} | {self.compiled} of {total} | {self.right} ({100 * self.right / total:.1f} %)"
            f" | {self.refused} of {self.valid} | {self.taken} of {self.invalid}"
            f" | {' / '.join(f'{1000 * seconds:.1f}' for seconds in spread)} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "file", type=Path, help="the schemas with their instances, one JSON object a line, may be gzipped"
    )
    parser.add_argument("--vocabulary", type=Path, help="a GGUF file; llama.cpp's engine then judges")
    parser.add_argument("--peers", action="store_true", help="also run the other converters; needs a vocabulary")
    parser.add_argument("--sample", type=int, help="so many schemas, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--cases", action="store_true", help="list what was decided wrong or did not compile")
    options = parser.parse_args()
    if options.peers and not options.vocabulary:
        parser.error("--peers needs --vocabulary")
    opened = gzip.open if options.file.suffix == ".gz" else open
    with opened(options.file, "rt", encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    if options.sample:
        cases = random.Random(options.seed).sample(cases, min(options.sample, len(cases)))
    print("| | schemas compiled | all instances right | valid refused | invalid taken | ms median / 99 % / most |")
    print("| --- | --- | --- | --- | --- | --- |")
    tallies = {}
    for name in CONTENDERS if options.peers else ["slashgrammar"]:
        tally = tallies[name] = Tally()
        for case, outcome in zip(cases, outcomes(name, cases, options.vocabulary), strict=True):
            tally.add(case, outcome)
        print(tally.row(name, len(cases)), flush=True)
    ours = tallies["slashgrammar"]
    print(f"\nWith validation afterwards, {ours.checked_wrong} instances are decided wrong.")
    print("\nTaken more widely, in so many schemas:")
    for (keyword, reason), count in ours.wider.most_common():
        print(f"{count:6} {keyword}: {reason}")
    for name, tally in tallies.items() if options.cases else ():
        print(f"\n{name}:", *tally.problems, *tally.cases, sep="\n  ")


if __name__ == "__main__":
    main()
