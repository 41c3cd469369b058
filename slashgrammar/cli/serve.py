"""`slashgrammar serve`: a model behind the API of OpenAI."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Annotated

import typer

from slashgrammar.cli.choices import Dialect, DialectOption
from slashgrammar.cli.model import load_model
from slashgrammar.demo.model import bundled_model
from slashgrammar.errors import SetupError


def serve(
    model: Annotated[
        Path | None,
        typer.Option(
            "--model", "-m", metavar="MODEL", show_default=False, help="A GGUF file; without it the demo's model."
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 for all of the machine's addresses.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on.")] = 8000,
    api_key: Annotated[
        str | None,
        typer.Option(metavar="KEY", envvar="SLASHGRAMMAR_API_KEY", show_default=False, help="What clients must send."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", show_default=False, help="What the model is called; else as its file.")
    ] = None,
    context: Annotated[int, typer.Option(min=64, help="Tokens that prompt and answer can have together.")] = 8192,
    dialect: DialectOption = Dialect.SLASH,
    reasoning: Annotated[bool, typer.Option("--reasoning", help="Let the model reason before it calls tools.")] = False,
) -> None:
    """Serve a model to OpenAI's clients, with tool calls that cannot be invalid.

    [bold]Examples:[/bold]

        slashgrammar serve -m qwen.gguf
        SLASHGRAMMAR_API_KEY=secret slashgrammar serve -m qwen.gguf --host 0.0.0.0
    """
    from slashgrammar.server import create_app

    path = model or bundled_model("a server without -m MODEL")
    _must_be_free(host, port)
    llm = load_model(path, context)

    import uvicorn

    app = create_app(llm, name=name, api_key=api_key, reasoning=reasoning, dialect=dialect.value)
    uvicorn.run(app, host=host, port=port)


def _must_be_free(host: str, port: int) -> None:
    """Raise SetupError where nothing can listen there, before a model is loaded for nothing."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        socket.create_server(address[:2], family=family).close()
    except OSError as error:
        reason = error.strerror or error
        raise SetupError(f"cannot listen on {host}, port {port}: {reason}; choose others with --host, --port") from None
