"""What compiling tools costs, how large the grammars are, and how fast they decide, next to other compilers.

    python -m benchmarks.compiler [--quick] [--json FILE]

The tools are those of the Berkeley Function Calling Leaderboard and of GitHub's MCP server. Peers get them as JSON
Schema, as one of several objects with a name and arguments. Times are those of the processor, and of compiling in a new
process each time, imports left out: the shortest of some runs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import pairwise
from multiprocessing import get_context
from time import process_time
from typing import Any

from benchmarks import data, tables
from benchmarks.tables import Cell, Plot, Table
from slashgrammar import CompiledGrammar, ToolSet
from slashgrammar.grammar.ir import CharClass, Literal, walk
from slashgrammar.grammar.lark import to_llguidance
from slashgrammar.grammar.lark.lexemes import with_lexemes

SETS = {"BFCL, 3 tools": 3, "BFCL, 30 tools": 30, "GitHub, 117 tools": 0, "BFCL, 263 tools": 263}
LINE = "    result_{0} = compute(value, index + {0})  # and a comment\n"


def run(quick: bool) -> list[Table]:
    """The tables; quick takes fewer runs, tools and texts."""
    names = list(SETS)[:2] if quick else list(SETS)
    runs = 1 if quick else 9
    return [
        stages(names, runs),
        sizes(names),
        peers(names, min(runs, 3)),
        guidance(names),
        matching([1] if quick else [1, 2, 4, 8]),
    ]


def stages(names: list[str], runs: int) -> Table:
    """Milliseconds for each step from tools to GBNF."""
    rows: list[tuple[Cell, ...]] = []
    for name in tables.track(names, "compiling"):
        steps = _shortest(_compile, name, runs)
        rows.append((name, *(round(1000 * seconds, 1) for seconds in (*steps, sum(steps)))))
    note = "Milliseconds from tools to GBNF, each time in a new process, after its imports."
    columns = ("tools", "join with the tools", "rewrite", "print", "all")
    return Table("Compiling", columns, tuple(rows), note, Plot("bar", ("all",), "milliseconds"))


def sizes(names: list[str]) -> Table:
    """Characters of the grammar against the tools' JSON, and the time that llama.cpp takes to load it."""
    rows = []
    for name in tables.track(names, "sizes"):
        tools = tool_set(name)
        gbnf = tools.compile().gbnf
        plain = len(json.dumps(listed(tools), ensure_ascii=False, separators=(",", ":")))
        other = _attempt(_converted, tools)
        rows.append((name, plain, len(gbnf), round(len(gbnf) / plain, 2), _loaded(gbnf), *_size_of(other)))
    note = (
        "Characters of the tools as compact JSON and of the GBNF; milliseconds in which llama.cpp loads that. "
        "llama-cpp-python's converter makes GBNF of the tools' JSON Schema, for calls in JSON."
    )
    columns = ("tools", "JSON", "GBNF", "GBNF to JSON", "loads in", "GBNF by llama-cpp-python", "that loads in")
    return Table("Sizes", columns, tuple(rows), note)


def peers(names: list[str], runs: int) -> Table:
    """Milliseconds from tools to a grammar that an engine has loaded, beside peers."""
    rows = []
    for name in tables.track(names, "peers"):
        row: list[str | float] = [name]
        for work in (_ours_loaded, _converter_loaded, _guidance_loaded):
            seconds = _attempt(_shortest, work, name, runs)
            row.append(round(1000 * seconds[0], 1) if seconds else "fails")
        rows.append(tuple(row))
    columns = ("tools", "slashgrammar, llama.cpp", "llama-cpp-python, llama.cpp", "llguidance")
    note = "Milliseconds until an engine has the grammar of a call of any of the tools, in the same run."
    return Table("Compiling, and its peers", columns, tuple(rows), note)


def guidance(names: list[str]) -> Table:
    """llguidance on the grammars: characters only, and the terminals that are found for it."""
    rows = []
    for name in tables.track(names, "llguidance"):
        grammar = tool_set(name).compile()
        single = {leaf for node in grammar.ir.rules.values() for part in walk(node) for leaf in _leaves(part)}
        for mode, count in (("exact", len(single)), ("fast", len(with_lexemes(grammar.ir).lexemes))):
            text = to_llguidance(grammar.ir, mode)  # type: ignore[arg-type]
            rows.append((name, mode, count, len(text), *_masks(text, grammar)))
    note = (
        "Grammars in llguidance's dialect of Lark: their terminals, characters, and the milliseconds of one mask over "
        "the 152,000 tokens of Qwen2, while messages are written. It gives up where it would look at too many items."
    )
    return Table("llguidance", ("tools", "mode", "terminals", "characters", "ms a mask", "slowest"), tuple(rows), note)


def matching(megabytes: list[int]) -> Table:
    """Million characters a second through code blocks of several lengths."""
    grammar = ToolSet.from_signatures("write(path:str, content:str)->confirmation").compile()
    grammar.matches(_message(1))
    rows = []
    for size in megabytes:
        text, matcher = _message(size), grammar.matcher()
        begin = process_time()
        matcher.feed(text)
        seconds = process_time() - begin
        assert matcher.is_member
        rows.append((size, round(len(text) / seconds / 1e6, 1)))
    note = "Code blocks of so many million characters; millions of them a second that `Matcher` takes after warm-up."
    return Table("Matching", ("million characters", "millions a second"), tuple(rows), note)


@lru_cache(maxsize=4)
def tool_set(name: str) -> ToolSet:
    """The tools that a name of `SETS` stands for."""
    count = SETS[name]
    if not count:
        return ToolSet.load(data.path("github-mcp-tools.json"))
    tools = {tool.name: tool for row in data.lines("bfcl-half.jsonl.gz") for tool in ToolSet(row["tools"])}
    return ToolSet(list(tools.values())[:count])


def listed(tools: ToolSet) -> list[dict[str, Any]]:
    """The tools as data."""
    return [{"name": tool.name, "description": tool.description, "parameters": tool.parameters} for tool in tools]


def _calls(tools: ToolSet) -> str:
    """The JSON Schema of a call of any of the tools."""
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": tool.name}, "arguments": tool.parameters},
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    return json.dumps({"anyOf": calls})


def _shortest(work: Callable[[str], tuple[float, ...]], name: str, runs: int) -> tuple[float, ...]:
    """Of each of the times that some work takes in a new process the shortest."""
    found = []
    for _ in range(runs):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(pool.submit(work, name).result())
    return tuple(map(min, zip(*found, strict=True)))


def _compile(name: str) -> tuple[float, ...]:
    tools = tool_set(name)
    times = [process_time()]
    grammar = tools.compile()
    times.append(process_time())
    _ = grammar.ir
    times.append(process_time())
    _ = grammar.gbnf
    times.append(process_time())
    return tuple(after - before for before, after in pairwise(times))


def _ours_loaded(name: str) -> tuple[float, ...]:
    tools, vocabulary = tool_set(name), _vocabulary()
    begin = process_time()
    _load(tools.compile().gbnf, vocabulary)
    return (process_time() - begin,)


def _converter_loaded(name: str) -> tuple[float, ...]:
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    schema, vocabulary = _calls(tool_set(name)), _vocabulary()
    begin = process_time()
    _load(json_schema_to_gbnf(schema), vocabulary)
    return (process_time() - begin,)


def _guidance_loaded(name: str) -> tuple[float, ...]:
    from llguidance import LLMatcher
    from llguidance.llamacpp import lltokenizer_from_vocab

    schema, tokenizer = _calls(tool_set(name)), lltokenizer_from_vocab(_vocabulary()._model.vocab)
    begin = process_time()
    matcher = LLMatcher(tokenizer, LLMatcher.grammar_from_json_schema(schema), log_level=0)
    seconds = process_time() - begin
    if matcher.is_error():
        raise ValueError(matcher.get_error())
    return (seconds,)


def _converted(tools: ToolSet) -> str:
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    gbnf: str = json_schema_to_gbnf(_calls(tools))
    return gbnf


def _load(gbnf: str, vocabulary: Any) -> bool:
    from llama_cpp import llama_cpp as bindings

    sampler = bindings.llama_sampler_init_grammar(vocabulary._model.vocab, gbnf.encode(), b"root")
    if not sampler:
        raise ValueError("llama.cpp refuses the grammar")
    bindings.llama_sampler_free(sampler)
    return True


def _loaded(gbnf: str) -> float | str:
    vocabulary = _vocabulary()
    begin = process_time()
    loaded = _attempt(_load, gbnf, vocabulary)
    return round(1000 * (process_time() - begin), 1) if loaded else "refused"


def _size_of(gbnf: str | None) -> tuple[int | str, float | str]:
    return ("fails", "") if gbnf is None else (len(gbnf), _loaded(gbnf))


def _attempt(work: Callable[..., Any], *arguments: Any) -> Any:
    """What a peer makes of its work; None where it cannot do it."""
    try:
        return work(*arguments)
    except (ValueError, TypeError, KeyError, AttributeError, AssertionError, RecursionError) as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return None


@lru_cache(maxsize=1)
def _vocabulary() -> Any:
    return data.vocabulary()


def _leaves(node: Any) -> list[Any]:
    if isinstance(node, Literal):
        return [Literal(char) for char in node.text]
    return [node] if isinstance(node, CharClass) else []


def _masks(text: str, grammar: CompiledGrammar) -> tuple[float | str, float | str]:
    """The mean and the longest milliseconds of a mask, while some messages are written."""
    import llguidance.numpy as masks
    from llguidance import LLMatcher
    from llguidance.llamacpp import lltokenizer_from_vocab

    from tests.grammar.sampling import Sampler

    tokenizer = lltokenizer_from_vocab(_vocabulary()._model.vocab)
    first = LLMatcher(tokenizer, LLMatcher.grammar_from_lark(text), log_level=0)
    mask = masks.allocate_token_bitmask(1, tokenizer.vocab_size)
    sampler = Sampler(grammar.ir, seed=5)
    times = []
    for _ in range(12):
        matcher = first.deep_copy()
        for token in tokenizer.tokenize_str(sampler.draw(400)):
            begin = process_time()
            masks.fill_next_token_bitmask(matcher, mask, 0)
            times.append(1000 * (process_time() - begin))
            if not matcher.consume_token(token):
                return "gives up", ""
    return round(sum(times) / len(times), 2), round(max(times), 1)


def _message(megabytes: int) -> str:
    """A call with a code block, whose lines are all different."""
    lines = (LINE.format(number) for number in range(megabytes * 1_000_000 // len(LINE)))
    return f'/write\npath="a.py"\ncontent=\n```python\n{"".join(lines)}```'


if __name__ == "__main__":
    tables.main(__doc__, run)
