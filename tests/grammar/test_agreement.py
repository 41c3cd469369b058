"""What tools allow a model to write: every text of it parses and validates, and engines agree on what is one."""

from __future__ import annotations

import random

import pytest

import slashgrammar as sg
from tests.grammar.engines import llama
from tests.grammar.sampling import Sampler, mutate

TOOL_SETS = {
    "files": "read(path:str, from?:int, to?:int)->lines\nwrite(path:str, content:str)->confirmation",
    "seed": 'search(query:str, is_regex:bool=false, type:Array[str]=["file_content","file_path"])->results',
    "scalars": "f(i:int, n:float, b:bool, z:null, s:str)->x\ng(i?:int, n?:float, b?:bool, z?:null, s?:str)->x",
    "enums": 'set(key:"a"|"b c"|"d\\ne"|"ä", level:1|2.5|true|null, mode?:"x")->ok\nping()->pong',
    "arrays": "a(xs:Array[int], ys:Array[Array[bool]], zs:Array[str])->x",
    "objects": "o(p:{x:int, y?:str, z:{t:bool}}, q?:{a?:int, b?:int, c?:int})->x",
    "nested": "edit(path:str, edits:Array[{old:str, new:str, line?:int|null}], dry_run:bool=false)->diff",
    "unions": "u(v:int|str, w:Array[int]|null, x:{a:int}|{b:str}|bool)->x",
    "names": 'ns.tool-1("filter[name]":str, "ключ":int, "a=b"?:bool)->x\nns.tool(x:int)->y\nns(x:int)->z',
    "many": "\n".join(f"tool{number}(a{number}:int, b?:str)->x" for number in range(40)),
}


@pytest.mark.parametrize("style", ["lines", "inline"])
@pytest.mark.parametrize("name", TOOL_SETS)
def test_texts_of_the_grammar_parse_and_engines_agree(name: str, style: str) -> None:
    tools = sg.ToolSet.from_signatures(TOOL_SETS[name])
    grammar = tools.compile(style=style, reasoning=name == "files")  # type: ignore[arg-type]
    assert grammar.report == []
    sampler = Sampler(grammar.ir, seed=1)
    texts = sampler.draw_all(max_length=160)
    assert not sampler.missing(160)
    texts += [sampler.draw(120) for _ in range(max(30 - len(texts), 0))]
    for text in texts:
        tools.parse(text)
        assert grammar.matches(text), text
        assert llama(grammar.gbnf, text), text
    rng = random.Random(2)
    verdicts = []
    while len(verdicts) < 30 or sum(verdicts) * 4 < len(verdicts) < 300:
        text = mutate(rng.choice(texts), rng)
        verdicts.append(grammar.matches(text))
        assert llama(grammar.gbnf, text) == verdicts[-1], text
        if verdicts[-1]:
            tools.parse(text)
    assert sum(verdicts) * 4 >= len(verdicts)
