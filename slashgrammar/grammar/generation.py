"""The rules that calls of tools stand among: those of the generation grammar of a dialect.

For the usual marks of reasoning, they also come with the package as they were read once from the Lark grammar: reading
that costs more than compiling a hundred tools.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePath

from slashgrammar.grammar.delimiters import DEFAULT, imports
from slashgrammar.grammar.dialects import Dialect
from slashgrammar.grammar.files import grammar_text
from slashgrammar.grammar.ir import EMPTY, Grammar, Node, char_class
from slashgrammar.grammar.ir_json import load_grammar
from slashgrammar.grammar.rewrite import Settled, prepare_for_others, restrict
from slashgrammar.grammar.rewrite.analysis import called, least_fixpoint

_STARTS = ("auto", "required", "prose", "calls", "thoughts")
_VALUES = (
    "string", "integer", "number", "boolean", "null", "value", "array", "object",
    "begin_array", "end_array", "begin_object", "end_object", "comma", "colon",
)  # fmt: skip
_NO_CONTROLS = char_class([(0x09, 0x0A), (0x20, 0x10FFFF)])


@lru_cache(maxsize=8)
def generation_rules(dialect: Dialect, delimiters: tuple[str, str]) -> dict[str, Node]:
    """The rules, by the names that they have in the Lark grammar; not to be changed."""
    if delimiters == DEFAULT:
        return dict(load_grammar(grammar_text(generated_name(dialect)).rstrip()).rules)
    return dict(read_generation(dialect, delimiters).rules)


@lru_cache(maxsize=8)
def settled_rules(dialect: Dialect, delimiters: tuple[str, str]) -> Settled:
    """Those of the rules that lead to no call, prepared once for all grammars."""
    rules = generation_rules(dialect, delimiters)
    to_calls = {"call"} | least_fixpoint(rules, _leads_to_calls)
    needed = {*_STARTS, *_VALUES, *dialect.frame, *(name for leading in to_calls for name in called(rules[leading]))}
    return prepare_for_others(rules, [name for name in rules if name in needed - to_calls])


def _leads_to_calls(node: Node, names: set[str]) -> bool:
    return any(name == "call" or name in names for name in called(node))


def generated_name(dialect: Dialect) -> str:
    """The name of the file with the grammar of a dialect as it was read."""
    return f"{PurePath(dialect.grammar).stem}.json"


def read_generation(dialect: Dialect, delimiters: tuple[str, str]) -> Grammar:
    """The Lark grammar of a dialect, without the control characters that no message should hold."""
    from slashgrammar.grammar.load import load_lark

    grammar = load_lark(
        grammar_text(dialect.grammar),
        name=dialect.grammar,
        import_paths=[imports(delimiters)],
        start=(*_STARTS, "REASONING", "call", *_VALUES, *dialect.frame),
    )
    if not delimiters[0]:
        grammar = Grammar({**grammar.rules, "REASONING": EMPTY}, grammar.start)
    return restrict(grammar, _NO_CONTROLS)
