"""Every headline figure on this machine.

    python -m benchmarks [--quick] [NAME …]

Runs the named benchmarks, or all, each in a process of its own, and writes `docs/benchmarks.md` with their tables and
plots. Those that are not run keep the figures of their last run, which stand in `docs/benchmarks/`. A quick run takes
small samples, and writes to a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks import data, page, plots
from benchmarks.headlines import HEADLINES, Headline

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(HEADLINES))
    parser.add_argument("--quick", action="store_true", help="small samples: to see that all runs, not for figures")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in HEADLINES]:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(HEADLINES)}")
    folder = Path(tempfile.mkdtemp(prefix="benchmarks-")) if options.quick else ROOT / "docs"
    (folder / "benchmarks").mkdir(exist_ok=True)
    chosen = options.names or list(HEADLINES)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    failed = []
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("benchmarks", total=len(chosen))
        for name in chosen:
            bar.update(task, description=name)
            if not run(HEADLINES[name], folder / "benchmarks" / f"{name}.json", quick=options.quick):
                failed.append(name)
            bar.advance(task)
    (folder / "benchmarks.md").write_text(page.text(folder), encoding="utf-8")
    plots.draw_all(folder)
    console.print(f"the figures are in {folder / 'benchmarks.md'}")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def run(headline: Headline, file: Path, *, quick: bool) -> bool:
    """Run a benchmark, and write its result and the circumstances to a file; whether that went well."""
    given = [str(data.path(text[1:])) if text.startswith("@") else text for text in headline.arguments]
    command = [sys.executable, "-m", f"benchmarks.{headline.script}", *given, *(headline.quick if quick else ())]
    fresh = file.with_suffix(".new")
    done = subprocess.run([*command, "--json", str(fresh)], cwd=ROOT, check=False)
    if done.returncode or not fresh.is_file():
        return False
    result = {**page.circumstances(), **json.loads(fresh.read_text(encoding="utf-8"))}
    file.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    fresh.unlink()
    return True


if __name__ == "__main__":
    main()
