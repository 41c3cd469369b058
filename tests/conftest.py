"""What all tests share: the larger real data, where it lies beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real tools, calls and schemas; the test is skipped where it is absent."""
    path = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not path.is_dir():
        pytest.skip("the real data lies beside a development checkout only")
    return path
