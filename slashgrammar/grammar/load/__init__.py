"""Lark grammars as IR.

Every Lark grammar that is context-free is accepted. Rules keep their author's names; a terminal becomes a rule that
stands for its regular language; a template becomes a rule for each list of arguments it is used with. What concerns
trees only (`?rule`, `!rule`, `_rule`, aliases) or Lark's choice between readings (priorities) changes no language.

`%ignore` is read as Lark's Earley parser reads it: ignored terminals may stand between any two terminals, and at both
ends of a text, but not inside of a terminal, and each takes as much as its expression takes there. A comment up to the
end of its line is followed by a line break or by nothing, and does not end where the rules would like it to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.automaton.positions import AutomatonTooLarge
from slashgrammar.grammar.files import grammar_path, grammar_text
from slashgrammar.grammar.ir import Grammar
from slashgrammar.grammar.load.source import ImportPath, read_source
from slashgrammar.grammar.load.storeys import LarkGrammar
from slashgrammar.grammar.load.warnings import LexerWarning, lexer_warnings

Result = TypeVar("Result")


def load_lark(
    text: str,
    *,
    name: str = "<string>",
    import_paths: Iterable[ImportPath] = (),
    start: str | Iterable[str] = "start",
    exact_keywords: bool = False,
) -> Grammar:
    """Reads a Lark grammar.

    Args:
        text: the grammar in Lark's language.
        name: what error messages call it; where it is the path of a file, relative imports start from its folder.
        import_paths: folders to search for imported grammars first, or functions that find them as Lark's do.
        start: the rule that a text is to match. Of several, the first becomes the start of the result.
        exact_keywords: takes from each terminal the keywords that Lark's lexers prefer to it, so that a name is no
            `if`. Else a terminal is all of its regular language.

    Returns:
        The rules that the start rules reach. Where something is ignored, the start of the result is a rule `text`.

    Raises:
        GrammarError: the text is no Lark grammar, or a rule that is reached is not context-free.
    """
    return _read(text, name, import_paths, start, lambda grammar: grammar.to_ir(exact_keywords=exact_keywords))


def lark_warnings(
    text: str,
    *,
    name: str = "<string>",
    import_paths: Iterable[ImportPath] = (),
    start: str | Iterable[str] = "start",
) -> list[LexerWarning]:
    """Where Lark's lexers would refuse what the grammar of `load_lark` accepts; arguments and errors are the same."""
    return _read(text, name, import_paths, start, lexer_warnings)


def load_file(path: str | Path, *, start: str | Iterable[str] = "start", exact_keywords: bool = False) -> Grammar:
    """Reads a Lark grammar from a file, or one that comes with the package, such as "slash" or "slash.lark".

    Raises GrammarError as `load_lark` does, and where there is no such file.
    """
    starts = (start,) if isinstance(start, str) else tuple(start)
    if isinstance(path, str) and not Path(path).is_file():
        return _load_packaged(path, starts, exact_keywords)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GrammarError(f"the file cannot be read: {error}", grammar=str(path)) from None
    return load_lark(text, name=str(path), start=starts, exact_keywords=exact_keywords)


@lru_cache(maxsize=16)
def _load_packaged(name: str, starts: tuple[str, ...], exact_keywords: bool) -> Grammar:
    file_name = name if "." in name else f"{name}.lark"
    paths = [grammar_path()]
    return load_lark(
        grammar_text(name), name=file_name, import_paths=paths, start=starts, exact_keywords=exact_keywords
    )


def _read(
    text: str,
    name: str,
    import_paths: Iterable[ImportPath],
    start: str | Iterable[str],
    use: Callable[[LarkGrammar], Result],
) -> Result:
    starts = (start,) if isinstance(start, str) else tuple(start)
    if not starts:
        raise GrammarError("there is no rule to start from; name one in `start`", grammar=name)
    try:
        return use(LarkGrammar(read_source(text, name, import_paths), starts))
    except AutomatonTooLarge as error:
        raise GrammarError(f"of what is ignored: {error}", grammar=name) from None
    except RecursionError:
        raise GrammarError("the grammar is nested too deeply", grammar=name) from None
