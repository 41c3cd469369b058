"""An MCP server for the tests: two tools and one that fails, over stdio."""

from __future__ import annotations

from typing import Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("test")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def convert(value: float, unit: Literal["celsius", "kelvin"] = "celsius") -> dict[str, float | str]:
    """Convert a temperature."""
    return {"value": value, "unit": unit}


@server.tool()
def fail(reason: str) -> str:
    """Fail."""
    raise ToolError(reason)


if __name__ == "__main__":
    server.run()
