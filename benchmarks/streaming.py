"""How fast texts are parsed, whole and in pieces; what others take for the same; and what hostile texts cost.

    python -m benchmarks.streaming [throughput] [linearity] [latency] [peers] [hostile]

Peers: partial-json-parser (https://pypi.org/project/partial-json-parser/) and jiter's partial mode, as they are used
for streamed tool calls: all of the arguments so far, parsed again at each chunk.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time

from slashgrammar.calls import StreamParser, parse
from slashgrammar.errors import TextError
from slashgrammar.tools import ToolSet

CHUNK = 16
MB = 1_000_000
HOSTILE_SIZE = 10 * MB
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


def main(parts: list[str]) -> None:
    if parts[:1] == ["one"]:
        one_hostile(*parts[1:])
        return
    parse("/a x=1\n")
    for name in parts or ["throughput", "linearity", "latency", "peers", "hostile"]:
        print(f"\n{name}")
        {
            "throughput": throughput,
            "linearity": linearity,
            "latency": latency,
            "peers": peers,
            "hostile": hostile,
        }[name]()


def throughput() -> None:
    """Megabytes a second, whole and in chunks of 16 characters."""
    for name, make in TEXTS.items():
        text = make(MB)
        whole, chunked = seconds(lambda text=text: parse(text)), seconds(lambda text=text: stream(text))
        print(f"  {name:20} whole {len(text) / MB / whole:7.2f} MB/s   chunks {len(text) / MB / chunked:6.2f} MB/s")


def linearity() -> None:
    """One code block of 1 MB and of 4 MB in chunks, against `parse` of it whole."""
    one, four = TEXTS["code block"](MB), TEXTS["code block"](4 * MB)
    whole, small, large = (
        seconds(lambda: parse(one)),
        seconds(lambda: stream(one)),
        seconds(lambda: stream(four)),
    )
    print(f"  1 MB whole {whole:.3f} s, in chunks {small:.3f} s ({small / whole:.1f} times)")
    print(f"  4 MB in chunks {large:.3f} s ({large / small:.2f} times 1 MB)")


def latency() -> None:
    """The slowest feed of 16 characters that finishes neither a value nor a call; median of 5 runs."""
    for name, make in TEXTS.items():
        text = make(MB)
        slowest = []
        for _ in range(5):
            parser = StreamParser()
            times = []
            for start in range(0, len(text), CHUNK):
                begin = perf_counter()
                events = parser.feed(text[start : start + CHUNK])
                if not any(type(event).__name__ in ("ArgumentEnd", "CallEnd") for event in events):
                    times.append(perf_counter() - begin)
            slowest.append(times)
        by_feed = sorted(median(times) for times in zip(*slowest, strict=True))
        print(f"  {name:20} slowest {by_feed[-1] * 1e6:7.1f} µs, median {median(by_feed) * 1e6:5.1f} µs")


def peers() -> None:
    """The same arguments, 64 KB, in chunks of 16 characters."""
    import jiter
    from partial_json_parser import loads

    content = CODE * (64_000 // len(CODE))
    slash = f'/write\npath="a.py"\ncontent=\n```\n{content}```\n'
    arguments = json.dumps({"path": "a.py", "content": content})
    ours = seconds(lambda: stream(slash))
    print(f"  slashgrammar         {ours:8.3f} s")
    for name, parse_prefix in (
        ("jiter, partial mode", lambda prefix: jiter.from_json(prefix.encode(), partial_mode="trailing-strings")),
        ("partial-json-parser", loads),
    ):
        times = seconds(
            lambda parse_prefix=parse_prefix: [
                parse_prefix(arguments[:end]) for end in range(CHUNK, len(arguments) + CHUNK, CHUNK)
            ],
            runs=1,
        )
        print(f"  {name:20} {times:8.3f} s   {times / ours:6.1f} times ours")


def hostile() -> None:
    """Each hostile text in a process of its own: checked with tools known, and streamed in chunks of 4,096."""
    from tests.calls.hostile import HOSTILE

    for name in HOSTILE:
        subprocess.run([sys.executable, "-m", "benchmarks.streaming", "one", name], check=False)


def one_hostile(name: str) -> None:
    """Reports the seconds of processor time and the memory that one hostile text takes."""
    from tests.calls.hostile import HOSTILE

    tools = ToolSet.from_signatures("a(x:any)\nw(c:str)\n")
    text = HOSTILE[name](HOSTILE_SIZE)
    begin = process_time()
    errors = tools.check(text)
    checked = process_time() - begin
    begin = process_time()
    parser = tools.stream()
    for start in range(0, len(text), 4_096):
        parser.feed(text[start : start + 4_096])
    try:
        parser.finish()
    except TextError as error:
        result = f"{type(error).__name__}, {len(errors)} in all"
    else:
        result = "right"
    streamed = process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"  {name:26} check {checked:6.2f} s, stream {streamed:6.2f} s, {memory:5} MB   {result}", flush=True)


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
    main(sys.argv[1:])
