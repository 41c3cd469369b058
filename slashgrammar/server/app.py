"""The web application: chat completions, the list of models, a check of health."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Header, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from slashgrammar.errors import SlashError
from slashgrammar.llama.completions import Completion
from slashgrammar.server.failures import INVALID, error_object, failure
from slashgrammar.server.request import ChatRequest, Source, start
from slashgrammar.tools.lists import custom_names

Chunk = dict[str, Any]


def create_app(
    llm: Any,
    *,
    name: str | None = None,
    api_key: str | None = None,
    reasoning: bool = False,
    dialect: Literal["slash", "hermes"] = "slash",
    retries: int = 2,
) -> FastAPI:
    """The application that answers for a model.

    Requests wait for each other, in the order in which they come. All of a request is checked before it waits, so that
    a streamed one fails with status 400 too.

    Args:
        llm: a `llama_cpp.Llama` with a chat template.
        name: what the model is called; None for the name of its file. Requests may ask for any name.
        api_key: what clients have to send as `Authorization: Bearer …`; None to let everybody in.
        reasoning: whether the model may reason before it calls tools; it comes back as `reasoning_content`.
        dialect: how the model writes calls; clients see no difference.
        retries: how often an answer that a schema refuses, where no grammar can say so, is written anew with the
            complaint before the model; such an answer is streamed when it has turned out to be right. If the last
            attempt is refused too, the error has the code "invalid_answer": with the status 500, which OpenAI's
            clients take for a reason to ask again, or as the last event of a stream.
    """
    name = name or Path(llm.model_path).stem
    turn = asyncio.Lock()
    app = FastAPI(title="slashgrammar", openapi_url=None)
    started = int(time.time())

    def admit(authorization: Annotated[str, Header()] = "") -> None:
        sent = authorization.removeprefix("Bearer ")
        if api_key is not None and not hmac.compare_digest(sent.encode(), api_key.encode()):
            raise HTTPException(401, "the API key is missing or wrong; send it as `Authorization: Bearer …`")

    @app.exception_handler(HTTPException)
    async def refuse(request: Request, error: HTTPException) -> Response:
        kind = "authentication_error" if error.status_code == 401 else INVALID
        message = (
            f"{request.method} {request.url.path}: {error.detail}" if error.status_code in (404, 405) else error.detail
        )
        return JSONResponse(error_object(ValueError(message), kind), error.status_code, error.headers)

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    described = {"id": name, "object": "model", "created": started, "owned_by": "local"}

    @app.get("/v1/models", dependencies=[Depends(admit)])
    async def models() -> dict[str, Any]:
        return {"object": "list", "data": [described]}

    @app.get("/v1/models/{model:path}", dependencies=[Depends(admit)])
    async def one_model(model: str) -> Response:
        if model == name:
            return JSONResponse(described)
        error = ValueError(f"there is no model {model!r} here; the one there is is {name!r}")
        return JSONResponse(error_object(error, code="model_not_found"), 404)

    @app.post("/v1/chat/completions", dependencies=[Depends(admit)])
    async def chat_completions(http: Request) -> Response:
        try:
            request = ChatRequest.model_validate_json(await http.body())
            source = await run_in_threadpool(start, llm, request, reasoning=reasoning, retries=retries, dialect=dialect)
        except (SlashError, ValueError) as error:
            return JSONResponse(error_object(error), 400)
        custom = custom_names(request.tools or ())
        completion = Completion(source, name, logprobs=bool(request.logprobs), custom=custom)
        chunks = _chunks(completion, source, turn, usage=request.include_usage)
        if request.stream:
            return _ServerSent(chunks)
        return await _whole(http, completion, chunks)

    return app


async def _chunks(completion: Completion, source: Source, turn: asyncio.Lock, *, usage: bool) -> AsyncGenerator[Chunk]:
    """The chunks of an answer, made in another thread when it is its turn; closing this ends the generation."""
    chunks: Iterator[Chunk] = completion.chunks(usage=usage)
    async with turn:
        try:
            while (chunk := await run_in_threadpool(next, chunks, None)) is not None:
                yield chunk
        finally:
            source.cancel()


class _ServerSent(StreamingResponse):
    """The chunks as server-sent events; an error ends them as one, and so does a client that hangs up."""

    def __init__(self, chunks: AsyncGenerator[Chunk]) -> None:
        self._chunks = chunks
        super().__init__(self._events(), media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._chunks):
            await super().__call__(scope, receive, send)

    async def _events(self) -> AsyncIterator[str]:
        try:
            async for chunk in self._chunks:
                yield f"data: {json.dumps(chunk)}\n\n"
        except Exception as error:  # the status has been sent: whatever went wrong can only be told here
            yield f"data: {json.dumps(failure(error))}\n\n"
        yield "data: [DONE]\n\n"


async def _whole(http: Request, completion: Completion, chunks: AsyncGenerator[Chunk]) -> Response:
    """The answer in one piece; nothing more is generated for a client that has hung up."""
    collected = []
    try:
        async with aclosing(chunks):
            async for chunk in chunks:
                if chunk["choices"]:
                    collected.append(chunk)
                if await http.is_disconnected():
                    return Response(status_code=499)
    except Exception as error:
        return JSONResponse(failure(error), 500)
    return JSONResponse(completion.collect(collected))
