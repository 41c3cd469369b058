"""What a model may call: tools, sets of them, and the many forms that they come in."""

from __future__ import annotations

from slashgrammar.tools.tool import Tool
from slashgrammar.tools.toolset import ToolSet

__all__ = ["Tool", "ToolSet"]
