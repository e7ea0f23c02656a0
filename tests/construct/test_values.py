"""Values suit what they are called: an hour is one of the day, and an amount in days is no sum of money."""

from __future__ import annotations

from envfactory_gym.construct.model import Field, Resource
from envfactory_gym.construct.rows.dice import Dice
from envfactory_gym.construct.rows.values import Subject, scalar

CLOCK = "2026-05-14T09:00:00Z"


def values(name: str, *fields: Field) -> list[float]:
    """What a field of that name holds in a hundred rows."""
    table = Resource("leaves", "leave", "", (Field("id", "id", "text", role="key"), *fields), "id", minted=True)
    dice = Dice("values", 0)
    return [scalar(table.field(name), Subject.draw(table, dice, CLOCK, row), dice) for row in range(100)]


def test_an_hour_is_one_of_the_day() -> None:
    assert all(0 <= value < 24 for value in values("due_time_hours", Field("due_time_hours", "hours", "integer")))


def test_an_amount_beside_a_unit_is_no_sum_of_money() -> None:
    amount, units = Field("amount", "amount", "number"), Field("units", "units", "text", enum=("days", "hours"))
    assert max(values("amount", amount, units)) <= 12
    assert max(values("amount", amount)) > 1_000
