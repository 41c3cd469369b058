"""How fast texts are parsed, whole and in pieces; what others take for the same; and what hostile texts cost.

    python -m benchmarks.streaming [--quick] [--json FILE]

Peers: partial-json-parser (https://pypi.org/project/partial-json-parser/) and jiter's partial mode, as they are used
for streamed tool calls: all of the arguments so far, parsed again at each chunk.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from statistics import median
from time import perf_counter, process_time

from benchmarks import tables
from benchmarks.tables import Plot, Table
from slashgrammar.calls import StreamParser, parse
from slashgrammar.errors import TextError
from slashgrammar.tools import ToolSet

CHUNK = 16
MB = 1_000_000
CODE = "    return some_function(argument, other)  # and a comment\n"

TEXTS: dict[str, Callable[[int], str]] = {
    "code block": lambda size: "/write content=\n```\n" + CODE * (size // len(CODE)) + "```\n",
    "argument lines": lambda size: "/a\n" + "".join(f'argument_{n}="value {n}"\n' for n in range(size // 28)),
    "calls": lambda size: "".join(f'/read path="some/file_{n}.py" from={n}\n' for n in range(size // 40)),
    "array of numbers": lambda size: "/a x=[" + ", ".join(map(str, range(size // 8))) + "]\n",
    "string": lambda size: '/a x="' + "hello world é " * (size // 14) + '"\n',
    "string with escapes": lambda size: '/a x="' + r"hello\nworld\u00e9" * (size // 17) + '"\n',
    "prose": lambda size: "some words of prose in a line of text\n" * (size // 38),
    "reasoning": lambda size: "<think>" + "some words of thought, 1 < 2\n" * (size // 29),
}


def run(quick: bool) -> list[Table]:
    """The tables; quick takes a tenth of the sizes, and fewer hostile texts."""
    parse("/a x=1\n")
    size = MB // 10 if quick else MB
    return [
        throughput(size),
        linearity(size),
        latency(size),
        peers(8_000 if quick else 64_000),
        hostile(2 * size),
    ]


def throughput(size: int) -> Table:
    """Megabytes a second, whole and in chunks of 16 characters."""
    rows = []
    for name, make in tables.track(TEXTS.items(), "throughput", len(TEXTS)):
        text = make(size)
        whole, chunked = seconds(lambda text=text: parse(text)), seconds(lambda text=text: stream(text))
        rows.append((name, round(len(text) / MB / whole, 2), round(len(text) / MB / chunked, 2)))
    note = f"Texts of {size / MB:g} MB, parsed whole and in chunks of {CHUNK} characters, in MB/s."
    return Table("Throughput", ("text", "whole", "in chunks"), tuple(rows), note)


def linearity(size: int) -> Table:
    """One code block, and one that is four times as long."""
    rows = []
    for length in (size, 4 * size):
        text = TEXTS["code block"](length)
        whole, chunked = seconds(lambda text=text: parse(text)), seconds(lambda text=text: stream(text))
        rows.append((f"{length:,}", round(whole, 3), round(chunked, 3)))
    note = f"Seconds for one code block, parsed whole and in chunks of {CHUNK} characters."
    return Table("Length", ("characters", "whole", "in chunks"), tuple(rows), note)


def latency(size: int) -> Table:
    """The slowest feed of 16 characters that finishes neither a value nor a call; median of 5 runs."""
    rows = []
    for name, make in tables.track(TEXTS.items(), "latency", len(TEXTS)):
        text = make(size)
        runs = []
        for _ in range(5):
            parser = StreamParser()
            times = []
            for start in range(0, len(text), CHUNK):
                begin = perf_counter()
                events = parser.feed(text[start : start + CHUNK])
                if not any(type(event).__name__ in ("ArgumentEnd", "CallEnd") for event in events):
                    times.append(perf_counter() - begin)
            runs.append(times)
        by_feed = sorted(median(times) for times in zip(*runs, strict=True))
        rows.append((name, round(median(by_feed) * 1e6, 1), round(by_feed[-1] * 1e6, 1)))
    note = f"Microseconds for a feed of {CHUNK} characters that ends no value or call; texts of {size / MB:g} MB."
    return Table("Latency", ("text", "median", "slowest"), tuple(rows), note)


def peers(longest: int) -> Table:
    """The same arguments in chunks of 16 characters, for several lengths."""
    import jiter
    from partial_json_parser import loads

    others: dict[str, Callable[[str], object]] = {
        "jiter": lambda prefix: jiter.from_json(prefix.encode(), partial_mode="trailing-strings"),
        "partial-json-parser": loads,
    }
    rows = []
    for length in tables.track([longest >> 3, longest >> 2, longest >> 1, longest], "peers"):
        content = CODE * (length // len(CODE))
        slash = f'/write\npath="a.py"\ncontent=\n```\n{content}```\n'
        arguments = json.dumps({"path": "a.py", "content": content})
        cells = [round(seconds(lambda slash=slash: stream(slash)), 4)]
        for parse_prefix in others.values():
            cells.append(round(seconds(partial(prefixes, arguments, parse_prefix), runs=1), 4))
        rows.append((length, *cells))
    names = ("slashgrammar", *others)
    note = f"Seconds for a code block as it streams in, {CHUNK} characters at a time; peers parse all so far each time."
    plot = Plot("line", names, "seconds", logarithmic=True)
    return Table("Streaming, and its peers", ("characters", *names), tuple(rows), note, plot)


def prefixes(text: str, parse_prefix: Callable[[str], object]) -> None:
    """Parse each beginning of a text."""
    for end in range(CHUNK, len(text) + CHUNK, CHUNK):
        parse_prefix(text[:end])


def hostile(size: int) -> Table:
    """Each hostile text in a process of its own: checked with tools known, and streamed in chunks of 4,096."""
    from tests.calls.hostile import HOSTILE

    rows = []
    for name in tables.track(HOSTILE, "hostile texts", len(HOSTILE)):
        command = [sys.executable, "-m", "benchmarks.streaming", "--hostile", name, str(size)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
        rows.append(tuple(json.loads(done.stdout)))
    note = f"Texts of {size / MB:g} MB that are meant to make a parser hang: seconds of the processor, MB of memory."
    return Table("Hostile texts", ("text", "check", "stream", "memory"), tuple(rows), note)


def one_hostile(name: str, size: int) -> None:
    """Prints the seconds of processor time and the memory that one hostile text takes, as JSON."""
    from tests.calls.hostile import HOSTILE

    tools = ToolSet.from_signatures("a(x:any)\nw(c:str)\n")
    text = HOSTILE[name](size)
    tools.check("/a x=1")
    begin = process_time()
    tools.check(text)
    checked = process_time() - begin
    begin = process_time()
    parser = tools.stream()
    for start in range(0, len(text), 4_096):
        parser.feed(text[start : start + 4_096])
    with suppress(TextError):
        parser.finish()
    streamed = process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps([name, round(checked, 2), round(streamed, 2), memory]))


def stream(text: str) -> None:
    parser = StreamParser()
    for start in range(0, len(text), CHUNK):
        parser.feed(text[start : start + CHUNK])
    parser.finish()


def seconds(work: Callable[[], object], runs: int = 3) -> float:
    """The shortest of a few runs."""
    times = []
    for _ in range(runs):
        begin = perf_counter()
        work()
        times.append(perf_counter() - begin)
    return min(times)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--hostile"]:
        one_hostile(sys.argv[2], int(sys.argv[3]))
    else:
        tables.main(__doc__, run)
