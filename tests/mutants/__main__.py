"""Do the tests notice when the code is wrong? Changes one word of the package at a time, and runs its tests.

    python -m tests.mutants FOLDER [--count 300] [--seed 1] [--seconds 3000] [--only slashgrammar/calls]

Draws mutants of `grammar/`, `calls/` and `llama/sampler.py`, and tries them in a copy of the project in FOLDER. All
tests run there once under coverage; then each mutant meets those that execute its statement, then those that execute
its file, the mirrored and the fast first, up to half a minute of them. It is killed when one fails, or takes many times
its time. Examples of properties are the same each time. What is in FOLDER already is used again, as it is.
"""

from __future__ import annotations

import argparse
import random
import signal
import time
from collections import Counter
from pathlib import Path

from .trial import Trial
from .words import mutants

ROOT = Path(__file__).resolve().parents[2]
SUBJECTS = ("slashgrammar/grammar", "slashgrammar/calls", "slashgrammar/llama/sampler.py")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3000.0, help="when to stop drawing")
    parser.add_argument("--only", default="", help="how the paths of the files begin")
    options = parser.parse_args()
    # A run that is told to end leaves no mutant behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    trial = Trial(options.folder, ROOT)
    every = [
        mutant
        for subject in SUBJECTS
        for file in sorted((trial.copy / subject).rglob("*.py")) or [trial.copy / subject]
        for mutant in mutants(str(file.relative_to(trial.copy)), file.read_text(encoding="utf-8"))
        if mutant.path.startswith(options.only)
    ]
    tried: Counter[str] = Counter()
    survived: Counter[str] = Counter()
    end = time.monotonic() + options.seconds
    for mutant in random.Random(options.seed).sample(every, min(options.count, len(every))):
        if time.monotonic() > end:
            break
        killer = trial.verdict(mutant)
        folder = str(Path(mutant.path).parent)
        tried[folder] += 1
        survived[folder] += killer is None
        print(f"{f'killed by {killer}' if killer else 'SURVIVED'}: {mutant}", flush=True)
    for folder in sorted(tried):
        print(f"{folder}: {tried[folder] - survived[folder]} of {tried[folder]} killed")
    total, killed = tried.total(), tried.total() - survived.total()
    print(f"{killed} of {total} killed ({100 * killed / max(total, 1):.1f} %); there are {len(every):,} mutants")


if __name__ == "__main__":
    main()
