"""Text and values: parsing, streaming, checking and writing calls."""

from __future__ import annotations

from slashgrammar.calls.check import check
from slashgrammar.calls.message import Call, Message
from slashgrammar.calls.parse import parse
from slashgrammar.calls.render import render
from slashgrammar.calls.stream import StreamParser

__all__ = ["Call", "Message", "StreamParser", "check", "parse", "render"]
