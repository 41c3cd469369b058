"""Compiled grammars in a folder, so that other processes need not compile them again.

A file holds plain data in JSON, after a line with its checksum. One that is damaged is taken for absent, and replaced.
Its name tells the tools, the options and the code that compiled them, so that no other version reads it. Files are put
in place whole; several processes may share a folder. None is deleted for being old.
"""

from __future__ import annotations

import json
import os
import tempfile
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from slashgrammar.errors import SetupError
from slashgrammar.grammar.compiled import Bounds, CompiledGrammar
from slashgrammar.grammar.files import grammar_path
from slashgrammar.grammar.ir_json import dump_grammar, load_grammar
from slashgrammar.grammar.recent import digest
from slashgrammar.grammar.schema import Widening


class Store:
    """A folder of compiled grammars of tools; it is made when something is put into it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    def read(self, key: str) -> CompiledGrammar | None:
        """The grammar under a key; None where there is none. A damaged file is deleted."""
        path = self._path(key)
        try:
            checksum, _, text = path.read_bytes().partition(b"\n")
            if sha256(text).hexdigest().encode() != checksum:
                path.unlink(missing_ok=True)
                return None
        except OSError:
            return None
        stored = json.loads(text)
        grammar = CompiledGrammar(
            load_grammar(stored["source"]),
            [Widening(*entry) for entry in stored["report"]],
            Bounds(),
            frozenset(stored["control_tokens"]),
            stored["dialect"],
        )
        # What is computed once is there already.
        vars(grammar).update(ir=load_grammar(stored["prepared"]), gbnf=stored["gbnf"])
        return grammar

    def write(self, key: str, grammar: CompiledGrammar) -> None:
        """Put a grammar under a key.

        Raises:
            SetupError: the file cannot be written.
        """
        stored = {
            "gbnf": grammar.gbnf,
            "report": [[entry.tool, entry.path, entry.keyword, entry.reason] for entry in grammar.report],
            "control_tokens": sorted(grammar.control_tokens),
            "dialect": grammar.dialect,
            "source": dump_grammar(grammar.source),
            "prepared": dump_grammar(grammar.ir),
        }
        text = json.dumps(stored).encode()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            _replace(self._path(key), sha256(text).hexdigest().encode() + b"\n" + text)
        except OSError as error:
            reason = error.strerror or str(error)
            message = f"cannot write to the cache {self._folder} ({reason}); choose a folder that can be written to"
            raise SetupError(message) from error

    def __contains__(self, key: str) -> bool:
        return self._path(key).is_file()

    def _path(self, key: str) -> Path:
        return self._folder / f"{digest(key, _version())}.json"


def _replace(path: Path, content: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


@lru_cache(maxsize=1)
def _version() -> str:
    """A name for what a compiled grammar depends on besides tools and options: the code and the grammars here."""
    files = [*sorted(Path(__file__).parent.rglob("*.py")), *sorted(grammar_path().glob("*.lark"))]
    hashed = sha256()
    for file in files:
        hashed.update(file.read_bytes())
    return hashed.hexdigest()
