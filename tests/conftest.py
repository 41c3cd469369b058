"""What all tests share: no test of a property is timed; the larger real data, where it lies beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# What takes longer than usual on a machine that is busy, or under a tracer, is no failure.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real tools, calls and schemas; the test is skipped where it is absent."""
    path = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not path.is_dir():
        pytest.skip("the real data lies beside a development checkout only")
    return path
