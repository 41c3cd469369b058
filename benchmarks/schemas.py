"""How many real schemas a grammar decides right, next to llama-cpp-python's converter and llguidance.

    python -m benchmarks.schemas [FILE] [--sample 1000] [--ours] [--cases] [--quick] [--json FILE]

An instance is presented as the arguments of a call of a tool that has the schema; a schema that is not one of objects
is put under one property. Peers get the instance as the JSON that it is.
"""

from __future__ import annotations

import multiprocessing
import random
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import data, tables
from benchmarks.contenders import CONTENDERS, Outcome
from benchmarks.tables import Cell, Plot, Table
from slashgrammar.errors import SlashError

_TIMEOUT = 30.0
_MASKBENCH = "maskbench-half.jsonl.gz"


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

    def row(self, name: str, total: int) -> tuple[Cell, ...]:
        times = sorted(self.seconds) or [0.0]
        spread = [statistics.median(times), times[int(len(times) * 0.99)], times[-1]]
        return (
            name,
            self.compiled,
            self.right,
            round(100 * self.right / total, 1),
            f"{self.refused:,} of {self.valid:,}",
            f"{self.taken:,} of {self.invalid:,}",
            *(round(1000 * seconds, 1) for seconds in spread),
        )


def main() -> None:
    parser = tables.arguments(__doc__)
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="lines of JSON with name, schema and tests, gzipped"
    )
    parser.add_argument("--sample", type=int, default=1000, help="so many schemas, drawn at random; 0 for all")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--ours", action="store_true", help="leave the peers out")
    parser.add_argument("--cases", action="store_true", help="list what was decided wrong or did not compile")
    options = parser.parse_args()
    cases = data.lines(str(options.file.resolve()) if options.file else _MASKBENCH)
    size = 20 if options.quick else options.sample or len(cases)
    cases = random.Random(options.seed).sample(cases, min(size, len(cases)))
    vocabulary = data.path("ggml-vocab-qwen2.gguf")
    tallies = {name: Tally() for name in (["slashgrammar"] if options.ours else CONTENDERS)}
    for name, tally in tallies.items():
        decided = zip(cases, outcomes(name, cases, vocabulary), strict=True)
        for case, outcome in tables.track(decided, name, len(cases)):
            tally.add(case, outcome)
    source = options.file.name if options.file else "MaskBench"
    tables.finish(_tables(tallies, len(cases), source), options.json)
    for name, tally in tallies.items() if options.cases else ():
        print(f"\n{name}:", *tally.problems, *tally.cases, sep="\n  ")


def _tables(tallies: dict[str, Tally], total: int, source: str) -> list[Table]:
    ours = tallies["slashgrammar"]
    right = Table(
        "Schemas that are decided right",
        (
            "converter", "schemas compiled", "all instances right", "in percent", "valid refused", "invalid taken",
            "ms median", "ms 99 %", "ms most",
        ),
        tuple(tally.row(name, total) for name, tally in tallies.items()),
        f"{total:,} schemas of {source} with their instances, token by token on the vocabulary of "
        f"Qwen2, without validation afterwards; with it, {ours.checked_wrong} instances are decided wrong. "
        "Milliseconds of the processor until a grammar is ready, loading included.",
        Plot("bar", ("in percent",), "schemas with all instances right, in percent"),
    )  # fmt: skip
    wider = [
        (keyword, reason, count, round(100 * count / total, 1)) for (keyword, reason), count in ours.wider.most_common()
    ]
    heads = ("keyword", "what is taken besides", "schemas", "in percent")
    return [right, Table("What is widened", heads, tuple(wider), "In how many of these schemas the report names what.")]


if __name__ == "__main__":
    main()
