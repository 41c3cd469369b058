"""What goes wrong in a log of model outputs, by tool and by kind of error.

    python examples/check_log.py examples/tools.txt examples/outputs.jsonl

The command `slashgrammar check --jsonl` tells of each error; this shows how to make statistics of one's own.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import slashgrammar as sg


def main(tools_file: str, log_file: str) -> None:
    """Print how often which tool was called, and what was wrong with the calls that do not fit."""
    tools = sg.ToolSet.load(tools_file)
    calls: Counter[str] = Counter()
    errors: Counter[tuple[str, str]] = Counter()
    for number, line in enumerate(Path(log_file).read_text(encoding="utf-8").splitlines(), start=1):
        try:
            output = str(json.loads(line)["output"])
        except (ValueError, LookupError, TypeError):
            raise ValueError(f'{log_file}, line {number}: expected {{"output": "…"}}, not {line[:60]}') from None
        problems = tools.check(output)
        errors.update((problem.tool or "", problem.code) for problem in problems)
        if not problems:
            calls.update(call.name for call in tools.parse(output).calls)
    for name, count in calls.most_common():
        print(f"{count:>5}  /{name}")
    for (name, code), count in errors.most_common():
        print(f"{count:>5}  /{name}  {code}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError, sg.SlashError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted")
