"""Any context-free Lark grammar, as GBNF or ready for use."""

from __future__ import annotations

from collections.abc import Iterable

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.compiled import CompiledGrammar
from slashgrammar.grammar.ir import NOTHING
from slashgrammar.grammar.load import load_lark
from slashgrammar.grammar.load.source import ImportPath
from slashgrammar.grammar.load.wording import definition
from slashgrammar.grammar.rewrite.useless import drop_unproductive


def compile_lark(
    text: str, start: str = "start", *, name: str = "<string>", import_paths: Iterable[ImportPath] = ()
) -> CompiledGrammar:
    """A Lark grammar, ready to constrain a model with and to check texts against.

    Args:
        text: the grammar in Lark's language.
        start: the rule that a text is to match.
        name: what error messages call the grammar; where it is the path of a file, imports are looked for beside it.
        import_paths: folders, or functions as Lark's, to find imported grammars in.

    Raises:
        GrammarError: the text is no Lark grammar, it is not context-free, or no text matches it; with the rule, its
            line and the reason.
    """
    grammar = load_lark(text, name=name, import_paths=import_paths, start=start)
    if drop_unproductive(grammar).rules[grammar.start] == NOTHING:
        message = "no text matches it, as it never comes to an end; give it an alternative without rules that lead back"
        raise GrammarError(message, grammar=name, rule=start, line=definition(start, text))
    return CompiledGrammar(grammar, [])


def lark_to_gbnf(text: str, start: str = "start") -> str:
    """A Lark grammar as GBNF that llama.cpp loads and that means the same; raises as `compile_lark` does."""
    return compile_lark(text, start).gbnf
