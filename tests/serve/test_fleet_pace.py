"""Which tools run on the event loop is learnt from how long they took."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")

from envfactory_gym.serve.fleet.pace import Pace


def test_a_tool_that_seems_slow_has_one_call_timed_and_one_that_is_slow_goes_to_threads() -> None:
    pace = Pace()
    for _ in range(3):
        assert not pace.is_quick("t")
        pace.took("t", 0.001)
    assert pace.needs_no_clock("t")
    pace.seemed("t", 0.2)
    assert [pace.needs_no_clock("t") for _ in range(3)] == [False, True, True]
    assert pace.is_quick("t")  # the one that is timed is timed on the loop
    pace.took("t", 0.001)
    assert pace.needs_no_clock("t")
    pace.took("t", 0.2)
    assert not pace.is_quick("t")
    assert not pace.needs_no_clock("t")
    for _ in range(200):
        pace.took("t", 0.001)
    assert pace.is_quick("t")
