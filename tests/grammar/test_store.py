"""Compiled sets are kept: the same grammar again in a process, and from a folder in another one."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import slashgrammar as sg
from slashgrammar.errors import GrammarError, SetupError
from slashgrammar.grammar import join
from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.grammar.ir import Grammar, Literal, Reference, char_class, opt, repeat, seq
from slashgrammar.grammar.ir_json import dump_grammar, load_grammar
from slashgrammar.grammar.recent import Recent

SIGNATURES = """
    read(path:str, from:int(1..)=1, kind?:"text"|"binary")->text
    write(path:str, content:str)
"""
TEXT = '/read\npath="a"\nfrom=3\nkind="text"'


@pytest.fixture
def tools() -> sg.ToolSet:
    join._grammars.clear()
    join._calls.clear()
    return sg.ToolSet.from_signatures(SIGNATURES)


def test_the_same_tools_and_options_give_the_same_grammar(tools: sg.ToolSet) -> None:
    grammar = tools.compile()
    assert sg.ToolSet.from_signatures(SIGNATURES).compile() is grammar
    for other in (
        tools.compile(parallel=False),
        tools.compile(reasoning=("<a>", "</a>")),
        tools.compile(tool_choice="read"),
        tools.select(["write", "read"]).compile(),
        sg.ToolSet(tools, open_objects=True).compile(),
    ):
        assert other is not grammar


def test_a_selection_reuses_what_is_compiled(tools: sg.ToolSet, monkeypatch: pytest.MonkeyPatch) -> None:
    tools.compile()
    monkeypatch.setattr("slashgrammar.grammar.dialects.compile_arguments", lambda *_, **__: pytest.fail("compiled"))
    assert tools.select(["read"]).compile().matches(TEXT)
    assert tools.compile(tool_choice="read").matches(TEXT)
    with pytest.raises(pytest.fail.Exception):
        tools.compile(style="inline")


def same(one: CompiledGrammar, other: CompiledGrammar) -> bool:
    return (
        one.gbnf == other.gbnf
        and one.report == other.report
        and one.control_tokens == other.control_tokens
        and one.dialect == other.dialect
        and dict(one.ir.rules) == dict(other.ir.rules)
        and str(one.explain(TEXT + "x")) == str(other.explain(TEXT + "x"))
        and one.matches(TEXT)
        and other.matches(TEXT)
    )


@pytest.mark.parametrize("dialect", ["slash", "hermes"])
def test_a_folder_keeps_grammars(tools: sg.ToolSet, dialect: str, tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    first = tools.compile(dialect=dialect, cache=folder)
    (file,) = folder.iterdir()
    join._grammars.clear()
    join._calls.clear()
    again = tools.compile(dialect=dialect, cache=str(folder))
    assert again is not first
    assert same(again, first)
    assert not len(join._calls._values), "it was compiled"
    assert list(folder.iterdir()) == [file]


def test_it_is_read_by_other_processes(tools: sg.ToolSet, tmp_path: Path) -> None:
    gbnf = tools.compile(cache=tmp_path).gbnf
    program = f"""
import slashgrammar as sg, slashgrammar.grammar.join as join
join._join = None
print(sg.ToolSet.from_signatures({SIGNATURES!r}).compile(cache={str(tmp_path)!r}).gbnf)
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.rstrip("\n") == gbnf.rstrip("\n")


@pytest.mark.parametrize("damage", ["", "x", "\x00", '{"gbnf": ""}', "half", "bit", "not utf-8"])
def test_damaged_files_are_replaced(tools: sg.ToolSet, tmp_path: Path, damage: str) -> None:
    first = tools.compile(cache=tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    damaged = {
        "half": whole[: len(whole) // 2],
        "bit": whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:],
        "not utf-8": whole + b"\xff",
    }
    file.write_bytes(damaged.get(damage, damage.encode()))
    join._grammars.clear()
    assert same(tools.compile(cache=tmp_path), first)
    assert file.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_in_memory_is_put_into_a_folder_too(tools: sg.ToolSet, tmp_path: Path) -> None:
    grammar = tools.compile()
    assert tools.compile(cache=tmp_path) is grammar
    assert len(list(tmp_path.iterdir())) == 1


def test_other_code_makes_other_files(tools: sg.ToolSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools.compile(cache=tmp_path)
    monkeypatch.setattr("slashgrammar.grammar.store._version", lambda: "another")
    tools.compile(cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_cannot_be_written_to_is_an_error(tools: sg.ToolSet, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SetupError, match=r"cannot write to the cache .*file.*; choose a folder"):
        tools.compile(cache=file)


def test_many_threads_get_the_same(tools: sg.ToolSet, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        grammars = list(pool.map(lambda _: tools.compile(cache=tmp_path), range(24)))
        assert len(set(map(id, grammars))) == 1
        assert all(pool.map(lambda grammar: grammar.matches(TEXT) and not grammar.matches(TEXT + "x"), grammars))


def test_memory_has_a_bound() -> None:
    recent: Recent[int] = Recent(3)
    made = []
    for key in "abcadbe":
        recent.get(key, lambda key=key: made.append(key) or ord(key))  # type: ignore[misc,func-returns-value]
    assert made == ["a", "b", "c", "d", "b", "e"]


def test_ir_as_json() -> None:
    nodes = {
        "start": seq(Literal("a\n😀"), Reference("b"), opt(Reference("start"))),
        "b": repeat(char_class([(0, 5), (0x10FFFF, 0x10FFFF)]), 2, None),
        "c": repeat(Reference("b"), 0, 7),
    }
    loaded = load_grammar(dump_grammar(Grammar(nodes)))
    assert (loaded.start, dict(loaded.rules)) == ("start", nodes)
    for text in ('["start",{"a":["?"]}]', '["start",{"a":["r",1]}]', '["start",{"a":["c","x"]}]', '["start",[]]'):
        with pytest.raises(GrammarError, match="delete the file"):
            dict(load_grammar(text).rules)
