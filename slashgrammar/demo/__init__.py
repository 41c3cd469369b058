"""What `slashgrammar demo` shows: a small household, and a tiny model that looks after it."""

from __future__ import annotations

from slashgrammar.demo.household import EXAMPLES, REQUEST, TOOLS, conversation

__all__ = ["EXAMPLES", "REQUEST", "TOOLS", "conversation"]
