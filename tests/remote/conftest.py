"""Our own server to talk to."""

from tests.server.conftest import address, llm

__all__ = ["address", "llm"]
