"""Do the tests notice when the code is wrong? Changes one word of the package at a time, and runs its file's tests.

    python -m tests.mutants [--count 300] [--seed 1] [--seconds 3000] [--output survivors.txt]

Draws mutants of `grammar/`, `calls/` and `llama/sampler.py`, and tries them in a copy of the project. The tests of a
file are what mirrors it, then the rest of its folder; a mutant is killed when one fails, or when they take too long.
Tests that fail as they are tell nothing, and end the run.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUBJECTS = ("slashgrammar/grammar", "slashgrammar/calls", "slashgrammar/llama/sampler.py")
PATIENCE = 240.0
_SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "+=": "-=", "-=": "+=",
    "&": "|", "and": "or", "or": "and", "not": "", "is": "is not", "in": "not in", "True": "False", "False": "True",
    "continue": "break", "break": "continue", "min": "max", "max": "min", "any": "all", "all": "any",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A file with one word changed."""

    path: str
    line: int
    old: str
    new: str
    text: str

    def __str__(self) -> str:
        shown = self.text.split("\n")[self.line - 1].strip()
        return f"{self.path}:{self.line}  {self.old!r} → {self.new!r}  {shown}"


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """All mutants of a file that Python can read."""
    lines = source.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        new = _SWAPS.get(token.string)
        if token.type == tokenize.NUMBER and token.string.isdigit():
            new = str(int(token.string) + 1)
        if new is None or token.type not in (tokenize.OP, tokenize.NAME, tokenize.NUMBER):
            continue
        row, start, end = token.start[0], token.start[1], token.end[1]
        changed = lines[row - 1][:start] + new + lines[row - 1][end:]
        text = "".join([*lines[: row - 1], changed, *lines[row:]])
        try:
            compile(text, path, "exec")
        except SyntaxError:
            continue
        yield Mutant(path, row, token.string, new, text)


def tests_of(path: str) -> list[str]:
    """The tests of a file: what mirrors it, and what is left of its folder where nothing does."""
    file = Path(path)
    folder = Path("tests", *file.parts[1:-1])
    mirrored = folder / f"test_{file.stem}.py"
    if (ROOT / mirrored).is_file():
        return [str(mirrored), str(folder)]
    return [str(folder)] if (ROOT / folder).is_dir() else [str(folder.parent)]


def survives(mutant: Mutant, copy: Path) -> bool:
    """Whether the tests pass all the same; the copy is as before afterwards."""
    file = copy / mutant.path
    original = file.read_text(encoding="utf-8")
    file.write_text(mutant.text, encoding="utf-8")
    try:
        return passes(tuple(tests_of(mutant.path)), copy)
    finally:
        file.write_text(original, encoding="utf-8")


def passes(tests: tuple[str, ...], copy: Path) -> bool:
    """Whether tests pass in the copy, in time."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3000.0, help="when to stop drawing")
    parser.add_argument("--output", type=Path, help="where to write the survivors")
    options = parser.parse_args()
    files = [file for subject in SUBJECTS for file in sorted((ROOT / subject).rglob("*.py")) or [ROOT / subject]]
    every = [
        mutant for file in files for mutant in mutants(str(file.relative_to(ROOT)), file.read_text(encoding="utf-8"))
    ]
    drawn = random.Random(options.seed).sample(every, min(options.count, len(every)))
    survivors: list[Mutant] = []
    tried, end = 0, time.monotonic() + options.seconds
    sound: set[tuple[str, ...]] = set()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "build", "dist"))
        for mutant in drawn:
            if time.monotonic() > end:
                break
            tests = tuple(tests_of(mutant.path))
            if tests not in sound and not passes(tests, copy):
                sys.exit(f"{' '.join(tests)} fail without any change; they can kill nothing")
            sound.add(tests)
            tried += 1
            if survives(mutant, copy):
                survivors.append(mutant)
                print(f"survived: {mutant}", flush=True)
    killed = tried - len(survivors)
    print(
        f"{killed} of {tried} mutants killed ({100 * killed / max(tried, 1):.1f} %), of {len(every):,} that there are"
    )
    if options.output is not None:
        options.output.write_text("".join(f"{mutant}\n" for mutant in survivors), encoding="utf-8")


if __name__ == "__main__":
    main()
