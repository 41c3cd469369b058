"""The package's own names: imported when they are asked for, each from where it is at home."""

from __future__ import annotations

import subprocess
import sys

import pytest

import slashgrammar as sg


def test_every_public_name_is_there() -> None:
    assert set(sg.__all__) <= set(dir(sg))
    for name in sg.__all__:
        assert getattr(sg, name) is getattr(sg, name)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'grammer'"):
        sg.__getattr__("grammer")


def test_importing_the_package_imports_next_to_nothing() -> None:
    code = "import sys, slashgrammar; print([name for name in sys.modules if name.startswith('slashgrammar.')])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_import_from_it() -> None:
    code = "from slashgrammar import *; print(ToolSet.__name__, parse.__name__, events.TextDelta.__name__)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "ToolSet parse TextDelta\n"


def test_what_is_not_installed_is_named_with_the_command_that_installs_it() -> None:
    needs = {"llama": "llama_cpp", "server": "fastapi", "remote": "httpx", "mcp": "mcp"}
    code = f"""
import importlib, sys
for module, package in {needs}.items():
    sys.modules[package] = None
    try:
        importlib.import_module(f"slashgrammar.{{module}}")
    except ImportError as error:
        print(error)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    commands = [
        f'install it with: pip install "slashgrammar[{extra}]"' for extra in ("llama", "serve", "remote", "mcp")
    ]
    assert [line.partition("; ")[2] for line in found.stdout.splitlines()] == commands
