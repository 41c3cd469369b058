"""Errors as OpenAI's API tells them."""

from __future__ import annotations

import logging
from typing import Any

from pydantic import ValidationError

from slashgrammar.errors import SlashError, TextError, ToolError

_logger = logging.getLogger("slashgrammar.server")
INVALID = "invalid_request_error"


def error_object(error: Exception, kind: str = INVALID, code: str | None = None) -> dict[str, Any]:
    """The body that tells of an error.

    Args:
        error: what went wrong; `param` names the parameter that is to blame, where it is known.
        kind: the type of error in the words of the API.
        code: a word for programs.
    """
    message, param = str(error), "tools" if isinstance(error, ToolError) else None
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        param = ".".join(map(str, first["loc"])) or None
        message = f"{param or 'the body'}: {first['msg']}"
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def failure(error: Exception) -> dict[str, Any]:
    """The body that tells of an error that was not the client's; one that nobody expected is logged.

    The code "invalid_answer" tells of a call, or a JSON document, that its schema does not take.
    """
    if not isinstance(error, SlashError):
        _logger.error("an answer failed", exc_info=error)
    return error_object(error, "server_error", "invalid_answer" if isinstance(error, TextError) else None)
