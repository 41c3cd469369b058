from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from slashgrammar.calls import Call
from slashgrammar.errors import ToolError
from slashgrammar.prompts.signature import prompt
from slashgrammar.tools import Tool, ToolSet

SIGNATURES = """\
read(path:str, from:int, to:int)->file content between from-to lines
write(path:str, content:str)->confirmation
search(query:str, is_regex:bool=false, type:Array[str]=["file_content","file_path"])->results (type can include \
file_content,file_path,dir_path"""

PROMPT = f"""\
You are agent with tools
{SIGNATURES}

To call, write slash command at end of msg:

/write
path="/home/maria/file.txt"
content=
```
content
here
```

values are json-style, multiline-strings always in code blocks.
can call multiple in one msg"""

FILES = ToolSet.from_signatures(SIGNATURES)
WEATHER = ToolSet.from_signatures("weather(city:str)\n  city: where")


def test_the_prompt_of_the_seed() -> None:
    assert FILES.prompt() == PROMPT
    assert len(PROMPT) == 485


def test_the_prompt_of_the_seed_as_it_was_written() -> None:
    written = PROMPT.replace(", from", ",from").replace(", to", ",to").replace("dir_path\n", "dir_path\n...\n")
    assert len(written) == 487
    assert ToolSet.from_signatures(written.partition("tools\n")[2].partition("\n\n")[0]).prompt() == PROMPT


def _tokenizer(path: Path) -> Any:
    llama_cpp = pytest.importorskip("llama_cpp")
    llm = llama_cpp.Llama(str(path), vocab_only=True, verbose=False)
    return lambda text: len(llm.tokenize(text.encode(), add_bos=False, special=False))


def test_what_prompts_cost(shared_data: Path) -> None:
    count = _tokenizer(shared_data / "ggml-vocab-qwen2.gguf")
    written = PROMPT.replace(", from", ",from").replace(", to", ",to").replace("dir_path\n", "dir_path\n...\n")
    assert (count(written), count(PROMPT)) == (117, 117)
    tools = ToolSet.load(shared_data / "github-mcp-tools.json")
    assert count("\n".join(tool.signature() for tool in tools)) <= 8_000
    assert count("\n".join(tool.signature(descriptions=True) for tool in tools)) <= 20_300


def test_descriptions() -> None:
    assert "weather(city:str)\n  city: where\n\nTo call" in WEATHER.prompt(descriptions=True)
    assert "where" not in WEATHER.prompt()


@pytest.mark.parametrize(
    ("dialect", "parallel", "told"),
    [
        ("slash", True, "slash commands; multiline strings in code blocks"),
        ("slash", False, "one slash command; multiline strings in code blocks"),
        ("hermes", True, "JSON in tags"),
        ("hermes", False, "one JSON in tags"),
    ],
)
def test_without_an_example(dialect: str, parallel: bool, told: str) -> None:
    _, tools = WEATHER.prompt(dialect=dialect).partition("\n\n")[0].split("\n", 1)
    short = prompt(WEATHER, dialect=dialect, parallel=parallel, example=False)
    assert short == f"Tools:\n{tools}\n\nTo call, end msg with {told}"


def test_examples_from_real_arguments() -> None:
    tools = ToolSet([*FILES, *WEATHER])
    calls = [Call("weather", {"city": "Łódź"}), Call("write", {"content": "a\nb", "path": "x"})]
    shown = '/weather\ncity="Łódź"\n\n/write\npath="x"\ncontent=\n```\na\nb\n```'
    assert f"of msg:\n\n{shown}\n\nvalues" in tools.prompt(examples=calls)
    assert 'msg:\n\n/weather city="Łódź"\n\nvalues' in tools.prompt(examples=iter(calls[:1]), style="inline")
    with pytest.raises(ToolError, match="did you mean 'weather'"):
        tools.prompt(examples=[Call("wether", {})])


def test_own_wording() -> None:
    template = "Narzędzia:\n{signatures}\nPrzykład: {examples} {other} {system}!"
    written = WEATHER.prompt(template=template, system="Jesteś {examples}.", style="inline")
    assert written == 'Narzędzia:\nweather(city:str)\nPrzykład: /weather city="Paris" {other} Jesteś {examples}.!'
    assert WEATHER.prompt(template="{signatures}", system="Be brief.") == "Be brief.\n\nweather(city:str)"
    with pytest.raises(ToolError, match=r"\{signatures\}"):
        WEATHER.prompt(template="No tools here.")


def test_a_system_message_comes_first() -> None:
    assert FILES.prompt(system="Be brief.") == f"Be brief.\n\n{PROMPT}"
    assert ToolSet().prompt(system="Be brief.") == "Be brief."
    assert ToolSet().prompt() == ""


def test_one_call_or_several() -> None:
    assert FILES.prompt(parallel=False) == PROMPT.replace("can call multiple in one msg", "only one call in one msg")


def test_a_tool_without_arguments() -> None:
    assert "of msg:\n\n/now\n\nvalues" in ToolSet([Tool("now", {})]).prompt()
