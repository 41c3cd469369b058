"""Reads Lark text with Lark's own loader up to definitions: imports, %extend and %override are done, EBNF is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from lark import Token, Tree
from lark.exceptions import LarkError, UnexpectedInput

from slashgrammar.errors import GrammarError
from slashgrammar.grammar.load.loader import loader
from slashgrammar.grammar.load.wording import in_own_words

ImportPath: TypeAlias = "str | Path | Callable[[Any, str], tuple[Any, str]]"
"""A folder, or a function as in Lark: base path and relative file name in; path and text out, or OSError."""

LarkTree: TypeAlias = "Tree[Any]"

_NO_FOLDER = loader.PackageResource("", "")
_MAX_IMPORTS = 100
_PLACE = re.compile(r",? at line (\d+) column (\d+)(?: in .*)?$")


@dataclass(frozen=True, slots=True)
class Source:
    """The definitions of a grammar and of what it imports.

    Attributes:
        rules: parameters (of a template) and tree by name; the tree is None for a rule that is only declared.
        terminals: tree by name, with the trees of terminals it refers to inside; None for one that is only declared.
        priorities: of the terminals, 0 unless the grammar gives one.
        ignored: the names of the terminals that may stand between any two others.
        lines: where the rules of the grammar itself begin, by name; line numbers count from 1.
        texts: the text of the grammar, and of each that it imports, by name; the grammar itself comes first.
    """

    rules: Mapping[str, tuple[Sequence[str], LarkTree | None]]
    terminals: Mapping[str, LarkTree | None]
    priorities: Mapping[str, int]
    ignored: Sequence[str]
    lines: Mapping[str, int]
    texts: Mapping[str, str]

    def place(self, token: Token) -> tuple[str, int | None]:
        """The grammar and the line that a token comes from."""
        for name, text in self.texts.items():
            if token.start_pos is not None and text.startswith(token, token.start_pos):
                return name, token.line
        return next(iter(self.texts)), None

    def declaration(self, name: str) -> tuple[str, int | None]:
        """The grammar and the line in which a rule or terminal is declared without a definition."""
        # Lark puts the name of the grammar before the names that come with an import.
        own = re.compile(rf"^[ \t]*%declare\b.*\b{name.rpartition('__')[2]}\b", re.MULTILINE)
        for grammar, text in self.texts.items():
            found = own.search(text)
            if found is not None:
                return grammar, text.count("\n", 0, found.start()) + 1
        return next(iter(self.texts)), None


def read_source(text: str, name: str, import_paths: Iterable[ImportPath]) -> Source:
    """Reads a grammar and what it imports.

    Relative imports are looked up in `import_paths` first, and then in the folder of `name` where this is a file.

    Raises:
        GrammarError: the text is no Lark grammar, or refers to something that does not exist.
    """
    texts = {name: text}
    builder = loader.GrammarBuilder(import_paths=[_Finder(list(import_paths), texts).find])
    try:
        builder.load_grammar(text, name if Path(name).is_file() else _NO_FOLDER)
    except RecursionError:
        raise GrammarError("the grammar is nested too deeply", grammar=name) from None
    except LarkError as error:
        raise _lark_error(error, texts) from None
    except TypeError:
        raise _unexplained(texts) from None
    except (AssertionError, OSError, RuntimeError, ValueError) as error:
        raise GrammarError(f"Lark cannot load it: {error}", grammar=name) from None
    definitions = builder._definitions.items()
    terminals = {name: definition for name, definition in definitions if definition.is_term}
    return Source(
        {name: (definition.params, definition.tree) for name, definition in definitions if not definition.is_term},
        {name: definition.tree for name, definition in terminals.items()},
        {name: definition.options for name, definition in terminals.items()},
        list(dict.fromkeys(builder._ignore_names)),
        {str(name): name.line for name, _ in definitions if isinstance(name, Token) and name.line is not None},
        texts,
    )


class _Finder:
    """Finds the grammars to import, and keeps their texts so that errors can tell where something stands."""

    def __init__(self, import_paths: list[ImportPath], texts: dict[str, str]) -> None:
        self._import_paths = import_paths
        self._texts = texts
        self._count = 0

    def find(self, base: Any, path: str) -> tuple[Any, str]:
        name = next(iter(self._texts))
        self._count += 1
        if self._count > _MAX_IMPORTS:
            raise GrammarError(f"more than {_MAX_IMPORTS} imports; do grammars import each other?", grammar=name)
        places = [*self._import_paths]
        if isinstance(base, str):
            places.append(base)
        places.append(loader.stdlib_loader)
        for place in places:
            try:
                if callable(place):
                    found, text = place(base, path)
                else:
                    found = str(Path(place) / path)
                    text = Path(found).read_text(encoding="utf-8")
            except OSError:
                continue
            self._texts[found if isinstance(found, str) else found.path.removeprefix("grammars/")] = text
            return found, text
        raise self._missing(path, base)

    def _missing(self, path: str, base: Any) -> GrammarError:
        folders = [str(place) for place in (*self._import_paths, base) if isinstance(place, str | Path)]
        if folders:
            hint = f"put it into {' or '.join(folder or 'the working folder' for folder in folders)}"
        elif Path(next(iter(self._texts))).is_file():
            hint = f"for one beside this file write a dot before its name: %import .{Path(path).stem}"
        else:
            hint = "a grammar that is no file finds only Lark's own, such as common; save it beside the other"
        wanted = re.compile(rf"^[ \t]*%import\b.*\b{re.escape(Path(path).stem)}\b", re.MULTILINE)
        for name, text in self._texts.items():
            if found := wanted.search(text):
                line = text.count("\n", 0, found.start()) + 1
                return _error_at(f"there is no grammar {path} to import; {hint}", name, text, line, None)
        return GrammarError(f"there is no grammar {path} to import; {hint}", grammar=next(iter(self._texts)))


def _unexplained(texts: Mapping[str, str]) -> GrammarError:
    """The error in one of the texts, of which Lark knows the place but fails to make a message."""
    return _unreadable(texts, "Unexpected input") or GrammarError("Lark cannot load it", grammar=next(iter(texts)))


def _lark_error(error: LarkError, texts: Mapping[str, str]) -> GrammarError:
    message = str(error).partition("\n")[0].strip()
    found = _PLACE.search(message)
    if found is not None or isinstance(error, UnexpectedInput):
        unreadable = _unreadable(texts, message[: found.start()] if found else message)
        if unreadable is not None:
            return unreadable
    name, text = next(iter(texts.items()))
    words, line = in_own_words(message, text)
    return _error_at(words, name, text, line, None)


def _unreadable(texts: Mapping[str, str], message: str) -> GrammarError | None:
    """The error in the one of the texts that Lark cannot read, with its message in other words; None if it can."""
    for name, text in texts.items():
        try:
            loader._get_parser().parse(text + "\n", "start")
        except UnexpectedInput as error:
            return _error_at(in_own_words(message, text)[0], name, text, error.line, error.column)
    return None


def _error_at(message: str, name: str, text: str, line: int | None, column: int | None) -> GrammarError:
    """The error at a place in a grammar; behind its last line there is no line to show."""
    source = line_of(text, line) if line else ""
    return GrammarError(message, grammar=name, line=line, column=column if source else None, source=source)


def line_of(text: str, line: int) -> str:
    """A line of a text, by its number from 1; "" behind the last."""
    return "".join(text.split("\n")[line - 1 : line])
