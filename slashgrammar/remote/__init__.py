"""Constrained generation on OpenAI-compatible servers: llama-server, vLLM, SGLang, our own; needs the extra `remote`.

    with Client("http://localhost:8080/v1") as client:
        reply = client.generate([{"role": "user", "content": "Read notes.txt"}], tools)
        for event in reply:
            ...
        reply.message.calls

The grammar travels with the request, the signatures in the system prompt, and what comes back is parsed here.
"""

from slashgrammar.errors import MissingExtra

try:
    import httpx as _httpx
except ImportError as error:
    raise MissingExtra("remote", "slashgrammar.remote") from error

from slashgrammar.remote.client import AsyncClient, Client
from slashgrammar.remote.reply import AsyncReply, Reply, ServerError

__all__ = ["AsyncClient", "AsyncReply", "Client", "Reply", "ServerError"]

del _httpx
