"""The files in `grammars/` that are generated. `python -m slashgrammar.grammar.generated` writes them anew."""

from __future__ import annotations

from collections.abc import Callable

from slashgrammar.grammar.delimiters import DEFAULT, reasoning_grammar
from slashgrammar.grammar.dialects import DIALECTS
from slashgrammar.grammar.files import grammar_path
from slashgrammar.grammar.generation import read_generation
from slashgrammar.grammar.ir_json import dump_grammar
from slashgrammar.grammar.join import any_call_grammar

_SLASH_GBNF = """\
# A message with slash calls of any name and any arguments, for llama-cli --grammar-file.
# Generated from generation.lark, which is a part of slash.lark.

"""


def _as_read(dialect: str) -> str:
    return dump_grammar(read_generation(DIALECTS[dialect], DEFAULT)) + "\n"


GENERATED: dict[str, Callable[[], str]] = {
    "reasoning.lark": lambda: reasoning_grammar(DEFAULT),
    "generation.json": lambda: _as_read("slash"),
    "hermes.json": lambda: _as_read("hermes"),
    "slash.gbnf": lambda: _SLASH_GBNF + any_call_grammar().gbnf,
}
"""For each generated file the function that gives its text."""


def main() -> None:
    for name, text in GENERATED.items():
        (grammar_path() / name).write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
