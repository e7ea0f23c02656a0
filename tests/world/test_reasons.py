"""Reasons read like sentences: what differs, in which row, and how."""

from __future__ import annotations

import pytest

from envfactory_gym.world.reasons import Difference, RowChange


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (RowChange("trips", ("K7", 2), "update", {"state": "cancelled"}), "trips: update K7 / 2 (state = 'cancelled')"),
        (RowChange("payments", (435,), "insert", {"cents": 10}), "payments: a new row (cents = 10)"),
        (RowChange("trips", ("K7",), "delete", {"state": "open"}), "trips: delete K7"),
        (Difference("payments", (435,), "cents", 10, 20), "payments: 435, cents = 20 instead of 10"),
        (Difference("trips", ("K7",), None, None, None), "trips: K7 is deleted on one side only"),
    ],
)
def test_a_reason_is_a_short_sentence(reason: RowChange | Difference, text: str) -> None:
    assert str(reason) == text
