"""For pytest, with `-p tests.mutants.plugin`: runs the tests of a list in its order, or notes how long tests take.

Hypothesis draws the same examples each time, and does not look for smaller ones.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import Phase, settings

CHOSEN, DURATIONS = "MUTANTS_CHOSEN", "MUTANTS_DURATIONS"
_durations: dict[str, float] = {}


def pytest_configure() -> None:
    settings.register_profile(
        "mutants", derandomize=True, database=None, deadline=None, phases=(Phase.explicit, Phase.generate)
    )
    settings.load_profile("mutants")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHOSEN in os.environ:
        places = {name: place for place, name in enumerate(json.loads(Path(os.environ[CHOSEN]).read_text()))}
        items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and report.passed:
        _durations[report.nodeid] = report.duration


def pytest_sessionfinish() -> None:
    if DURATIONS in os.environ:
        Path(os.environ[DURATIONS]).write_text(json.dumps(_durations), encoding="utf-8")
