"""The files in `grammars/` that are generated. `python -m slashgrammar.grammar.generated` writes them anew."""

from __future__ import annotations

from collections.abc import Callable

from slashgrammar.grammar.delimiters import DEFAULT, reasoning_grammar
from slashgrammar.grammar.files import grammar_path
from slashgrammar.grammar.join import any_call_grammar

_SLASH_GBNF = """\
# A message with slash calls of any name and any arguments, for llama-cli --grammar-file.
# Generated from generation.lark, which is a part of slash.lark.

"""

GENERATED: dict[str, Callable[[], str]] = {
    "reasoning.lark": lambda: reasoning_grammar(DEFAULT),
    "slash.gbnf": lambda: _SLASH_GBNF + any_call_grammar().gbnf,
}
"""For each generated file the function that gives its text."""


def main() -> None:
    for name, text in GENERATED.items():
        (grammar_path() / name).write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
