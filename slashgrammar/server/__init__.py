"""An OpenAI-compatible server over one local model; needs the extra `serve`."""

from slashgrammar.errors import MissingExtra

try:
    import fastapi as _fastapi
    import uvicorn as _uvicorn
except ImportError as error:
    raise MissingExtra("serve", "slashgrammar.server") from error

from slashgrammar.server.app import create_app

__all__ = ["create_app"]

del _fastapi, _uvicorn
