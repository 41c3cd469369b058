from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lark import Lark

import slashgrammar
from slashgrammar.errors import GrammarError
from slashgrammar.grammar.files import grammar_path, grammar_text


def test_grammars_are_found_by_name() -> None:
    assert grammar_text("signature") == grammar_text("signature.lark")
    assert (grammar_path() / "signature.lark").read_text(encoding="utf-8") == grammar_text("signature.lark")


def test_the_signature_grammar_is_lalr_without_conflicts() -> None:
    Lark(grammar_text("signature"), parser="lalr", strict=False, import_paths=[str(grammar_path())])


@pytest.mark.parametrize("name", ["nothing", "nothing.lark", "../README.md", "", "."])
def test_grammars_that_do_not_come_with_the_package(name: str) -> None:
    with pytest.raises(GrammarError, match=r"there are: .*signature\.lark"):
        grammar_text(name)


def test_an_installed_package_has_its_grammars_inside(tmp_path: Path) -> None:
    package = Path(slashgrammar.__file__).parent
    shutil.copytree(package, tmp_path / "slashgrammar", ignore=shutil.ignore_patterns("__pycache__", "grammars"))
    shutil.copytree(grammar_path(), tmp_path / "slashgrammar" / "grammars")
    program = "from slashgrammar.grammar.files import grammar_path; print(grammar_path())"
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert Path(found) == (tmp_path / "slashgrammar" / "grammars").resolve()
