"""Finds the grammars that come with the package."""

from __future__ import annotations

from pathlib import Path

from slashgrammar.errors import GrammarError

_PACKAGE = Path(__file__).resolve().parents[1]


def grammar_path() -> Path:
    """The folder `grammars/`: inside the package where it was installed from a wheel, beside it in a checkout."""
    installed = _PACKAGE / "grammars"
    return installed if installed.is_dir() else _PACKAGE.parent / "grammars"


def grammar_text(name: str) -> str:
    """The text of a packaged grammar.

    Args:
        name: a file name such as `"slash.lark"`; without a suffix, `.lark` is meant.

    Raises:
        GrammarError: there is no such grammar; the message lists those that exist.
    """
    folder = grammar_path()
    path = folder / (name if "." in name else f"{name}.lark")
    if path.parent != folder or not path.is_file():
        known = ", ".join(sorted(file.name for file in folder.glob("*.*"))) or f"none (no files in {folder})"
        raise GrammarError(f"no such grammar comes with slashgrammar; there are: {known}", grammar=name)
    return path.read_text(encoding="utf-8")
