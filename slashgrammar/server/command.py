"""The command `slashgrammar serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def serve(
    model: Annotated[Path, typer.Option("--model", "-m", help="Model file (GGUF).", exists=True, dir_okay=False)],
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all of the machine's.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8000,
    api_key: Annotated[
        str | None,
        typer.Option(help="Key that clients have to send.", envvar="SLASHGRAMMAR_API_KEY", show_default="none"),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the model.", show_default="of its file")] = None,
    n_ctx: Annotated[int, typer.Option(help="Tokens of context; 0 for as many as the model knows.", min=0)] = 8192,
    n_threads: Annotated[int | None, typer.Option(help="Threads.", min=1, show_default="half of the cores")] = None,
    n_gpu_layers: Annotated[int, typer.Option(help="Layers on the GPU; -1 for all.", min=-1)] = -1,
    reasoning: Annotated[bool, typer.Option(help="Let the model reason before it calls tools.")] = False,
) -> None:
    """Serve a model to OpenAI clients, with tool calls that cannot be invalid."""
    import uvicorn
    from llama_cpp import Llama

    import slashgrammar.llama  # noqa: F401  # says what to install where something is missing
    from slashgrammar.errors import ModelError
    from slashgrammar.server import create_app

    options: dict[str, Any] = {"n_ctx": n_ctx, "n_gpu_layers": n_gpu_layers, "n_threads": n_threads}
    try:
        llm = Llama(str(model), n_threads_batch=n_threads, verbose=False, **options)
    except ValueError as error:
        raise ModelError(f"{model} cannot be loaded: {error}") from error
    uvicorn.run(create_app(llm, name=name, api_key=api_key, reasoning=reasoning), host=host, port=port)
