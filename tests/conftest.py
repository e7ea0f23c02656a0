"""What all tests share: where the checkout is, and hypothesis runs that repeat."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run and machine, and no deadline that a busy machine would miss.
settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The root of the checkout that these tests belong to."""
    return Path(__file__).resolve().parents[1]
