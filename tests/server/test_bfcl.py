"""Real questions through the server and the official client, streamed and not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import slashgrammar as sg
from tests.server.test_app import _added_up, _ask, _parts, openai


@pytest.mark.slow
def test_bfcl(address: str, shared_data: Path) -> None:
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="none", timeout=600)
    lines = gzip.decompress((shared_data / "bfcl-half.jsonl.gz").read_bytes()).decode().splitlines()
    finished = 0
    for line in lines[:: len(lines) // 50][:50]:
        row = json.loads(line)
        tools = [{"type": "function", "function": tool} for tool in row["tools"]]
        options: dict[str, Any] = {
            "messages": [{"role": "user", "content": row["question"]}],
            "tools": tools,
            "max_tokens": 128,
        }
        options |= {"tool_choice": "required", "parallel_tool_calls": False}
        content, calls, reason = _parts(_ask(client, **options))
        assert (content, calls, reason) == _added_up(_ask(client, stream=True, **options)), row["id"]
        if reason != "tool_calls":
            assert reason == "length"
            continue
        finished += 1
        known = sg.ToolSet.load(row["tools"])
        written = known.render([sg.Call(call["name"], json.loads(call["arguments"])) for call in calls])
        assert known.check(written) == []
    print(f"{finished} of 50 finished")
    assert finished >= 40
