"""A copy of the project in which mutants are tried, and which of its tests run which line."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from coverage import CoverageData

from .plugin import CHOSEN, DURATIONS
from .words import Mutant

FIRST_LOOK, BUDGET = 3.0, 30.0  # In seconds that the tests took when they were traced.
MEMORY = 8 << 30
_PYTEST = (sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "tests.mutants.plugin")


class Trial:
    """A folder that holds a copy of the project as it was when the folder was made, and what its tests execute.

    The larger data is not copied, and tests that need it are skipped; those that fail as they are kill nothing.
    """

    def __init__(self, folder: Path, root: Path) -> None:
        folder = folder.resolve()
        self.copy = folder / "copy"
        self._chosen = folder / f"chosen-{os.getpid()}.json"
        durations, executed = folder / "durations.json", folder / "coverage"
        if not durations.is_file():
            shutil.copytree(root, self.copy, ignore=shutil.ignore_patterns(".git", ".venv", ".*cache", "__pycache__"))
            options = ("--cov=slashgrammar", "--cov-context=test", "--cov-report=")
            variables = {DURATIONS: str(durations), "COVERAGE_FILE": str(executed), "PYTHONDONTWRITEBYTECODE": ""}
            subprocess.run([*_PYTEST, *options], cwd=self.copy, env=self._environment(variables))
        self._durations: dict[str, float] = json.loads(durations.read_text())
        self._executed = CoverageData(str(executed))
        self._executed.read()

    def verdict(self, mutant: Mutant) -> str | None:
        """The test that fails, or "time" when they do not end; None for a survivor. Leaves the copy as it was."""
        first, others = self.tests(mutant)
        file = self.copy / mutant.path
        original, times = file.read_bytes(), file.stat()
        file.write_text(mutant.text, encoding="utf-8")
        try:
            return self._failure(first) or self._failure(others)
        finally:
            file.write_bytes(original)
            # As old as before, so that what was compiled of it holds again.
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    def tests(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """The tests for a first look at a mutant, and those for a second one; none for a statement that does not run.

        Those that run its statement come before those that run its file: a statement that runs once, with an import or
        to fill a cache, matters to others than the test that happened to run it. Of each, those in the folder that
        mirrors the file's come first, and the fastest of them. At the second look all functions have their turn before
        one of them is called with other parameters.
        """
        by_line = self._executed.contexts_by_lineno(str(self.copy / mutant.path))
        if not any(by_line.get(line) for line in mutant.statement):
            return [], []
        running = {name.partition("|")[0] for line in mutant.statement for name in by_line.get(line, ())}
        every = {name.partition("|")[0] for names in by_line.values() for name in names} & self._durations.keys()
        folder = "/".join(("tests", *Path(mutant.path).parts[1:-1], ""))
        ranks = {name: (name not in running, not name.startswith(folder), self._durations[name]) for name in every}
        tests = sorted(every, key=ranks.__getitem__)
        first = self._within(FIRST_LOOK, tests) or tests[:1]
        calls: Counter[str] = Counter()
        turns: dict[str, int] = {}
        for name in tests:
            turns[name] = calls[name.partition("[")[0]]
            calls[name.partition("[")[0]] += 1
        return first, self._within(BUDGET, sorted(tests[len(first) :], key=turns.__getitem__))

    def _within(self, seconds: float, tests: Sequence[str]) -> list[str]:
        totals = accumulate(self._durations[test] for test in tests)
        return [test for test, total in zip(tests, totals, strict=True) if total <= seconds]

    def _failure(self, tests: Sequence[str]) -> str | None:
        """What fails of the tests, the first only."""
        if not tests:
            return None
        self._chosen.write_text(json.dumps(tests), encoding="utf-8")
        patience = 15 + 2 * int(sum(self._durations[test] for test in tests))

        def limit() -> None:
            # The processor's time, which others on the machine do not take away.
            resource.setrlimit(resource.RLIMIT_CPU, (patience, patience + 5))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

        try:
            done = subprocess.run(
                [*_PYTEST, "-x", *dict.fromkeys(test.partition("::")[0] for test in tests)],
                cwd=self.copy,
                env=self._environment({CHOSEN: str(self._chosen), "PYTHONDONTWRITEBYTECODE": "1"}),
                capture_output=True,
                text=True,
                timeout=4 * patience,
                preexec_fn=limit,
            )
        except subprocess.TimeoutExpired:
            return "time"
        if done.returncode in (0, 5):  # All pass; none is left, for their names come from what was changed.
            return None
        failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - |$)", done.stdout, re.MULTILINE)
        return failed[1] if failed else "time" if done.returncode == -24 else f"exit status {done.returncode}"

    def _environment(self, variables: dict[str, str]) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(self.copy), **variables}
