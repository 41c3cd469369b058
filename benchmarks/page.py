"""The page of all figures, `docs/benchmarks.md`, from the results of the scripts in `docs/benchmarks/`."""

from __future__ import annotations

import ast
import json
import os
import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.headlines import HEADLINES, Headline
from benchmarks.tables import Table

_INTRODUCTION = """\
# Benchmarks

Written by `python -m benchmarks`; nothing here is typed by hand. `python -m benchmarks NAME` runs one of them again.
`pip install -e ".[bench]"` brings what they need. The data are public and not a part of the project;
`benchmarks/data.py` says which they are and where they are looked for.
"""
_PACKAGES = (
    "slashgrammar", "llama-cpp-python", "lark", "llguidance", "jiter", "partial-json-parser", "jsonschema-rs",
)  # fmt: skip


def circumstances() -> dict[str, str]:
    """The machine and the versions that figures hang on."""
    known = {}
    for package in _PACKAGES:
        try:
            known[package] = version(package)
        except PackageNotFoundError:
            continue
    versions = ", ".join(f"{name} {number}" for name, number in known.items())
    machine = f"{_processor()}, {os.cpu_count()} cores, {platform.system()}"
    return {"machine": machine, "versions": f"Python {platform.python_version()}, {versions}"}


def text(folder: Path) -> str:
    """The page of a folder of documentation, from the results that there are."""
    parts = [_INTRODUCTION]
    for name, result, tables in results(folder):
        parts.append(f"\n## {name.capitalize()}\n\n{_purpose(HEADLINES[name])}\n")
        for table in tables:
            parts.append(f"\n### {table.title}\n\n{table.markdown()}")
            if table.plot is not None:
                parts.append(f"\n![{table.title}](benchmarks/{plot_file(name, table)})\n")
        parts.append(f"\nMeasured on {result['machine']}; {result['versions']}.\n")
    return "".join(parts)


def results(folder: Path) -> Iterator[tuple[str, dict[str, Any], list[Table]]]:
    """The results in a folder of documentation, in the order of the page: name, all of it, and its tables."""
    for name in HEADLINES:
        file = folder / "benchmarks" / f"{name}.json"
        if file.is_file():
            result = json.loads(file.read_text(encoding="utf-8"))
            yield name, result, list(map(Table.of, result["tables"]))


def plot_file(name: str, table: Table) -> str:
    """The name of the file with the plot of a table."""
    return f"{name}-{re.sub(r'[^a-z0-9]+', '-', table.title.lower()).strip('-')}.svg"


def _purpose(headline: Headline) -> str:
    """The first line of what a script says of itself; it is not imported for that."""
    script = Path(__file__).with_name(f"{headline.script}.py")
    return (ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
