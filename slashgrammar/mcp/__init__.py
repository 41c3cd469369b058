"""Tools of a running MCP server, through the official package; needs the extra `mcp`.

async with mcp.Client(mcp.StdioServerParameters(command="server")) as client:
    tools = await list_tools(client)
    message = generate(llm, messages, tools).message
    results = [await call_tool(client, call) for call in message.calls]
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slashgrammar.errors import MissingExtra
from slashgrammar.tools import ToolSet

try:
    from mcp import Client, MCPError
except ImportError as error:
    raise MissingExtra("mcp", "slashgrammar.mcp") from error

if TYPE_CHECKING:
    from slashgrammar.calls import Call

_MOST_PAGES = 1_000


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call.

    Attributes:
        text: for the model to read.
        failed: whether it tells of an error.
    """

    text: str
    failed: bool = False


async def list_tools(client: Client, *, open_objects: bool = False) -> ToolSet:
    """The tools of a server, all pages of its list.

    Args:
        client: connected to the server.
        open_objects: as in `ToolSet`.

    Raises:
        ToolError: a tool cannot be used.
        MCPError: the server refuses.
    """
    entries: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        entries += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            break
    return ToolSet.load(entries, open_objects=open_objects)


async def call_tool(client: Client, call: Call) -> Result:
    """Lets the server run a call; what goes wrong with it is a result too, so that the model can do better."""
    try:
        result = await client.call_tool(call.name, call.arguments)
    except MCPError as error:
        return Result(f"error: {error}", failed=True)
    texts = [block.text if block.type == "text" else f"[{block.type}]" for block in result.content]
    if not texts and result.structured_content is not None:
        texts = [json.dumps(result.structured_content, ensure_ascii=False)]
    text = "\n".join(texts)
    return Result(f"error: {text}", failed=True) if result.is_error else Result(text)
