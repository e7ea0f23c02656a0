"""Values suit what they are called: an hour is one of the day, and an amount in days is no sum of money."""

from __future__ import annotations

from datetime import date

from envfactory_gym.construct.model import Field, Resource, Row
from envfactory_gym.construct.rows.chronology import in_turn
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


STATES = ("draft", "sent", "paid", "void")


def dated(row: Row, *, required: frozenset[str] = frozenset()) -> Row:
    """The row after its dates were made to agree; columns are what its names say."""
    kinds = {name: "datetime" if name.endswith("_at") else "date" for name in row}
    fields = [
        Field(name, name, "text", enum=STATES)
        if name == "status"
        else Field(name, name, "datetime" if kinds[name] == "datetime" else "date", required=name in required)
        for name in row
    ]
    in_turn(Resource("invoices", "invoice", "", tuple(fields), "id", minted=True), row, Dice("dates"))
    return row


def test_what_happens_later_is_dated_later() -> None:
    made = dated({"paid_at": "2026-01-01T10:00:00Z", "issued_on": "2026-03-01", "due_on": "2026-02-01"})
    issued = date.fromisoformat(made["issued_on"])
    assert issued == date(2026, 3, 1)
    assert 0 < (date.fromisoformat(made["due_on"]) - issued).days < 10
    assert made["paid_at"][:10] > "2026-03-01"
    far = dated({"issued_on": "2025-03-01", "due_on": "2026-02-01"})
    assert "2025-03-14" < far["due_on"] < "2025-04-01"
    assert made["paid_at"].endswith("T10:00:00Z")


def test_dates_that_agree_are_left_alone() -> None:
    row = {"order_date": "2026-01-01", "shipped_on": "2026-01-01", "delivered_at": "2026-01-04T08:00:00Z"}
    assert dated(dict(row)) == row


def test_what_has_not_happened_yet_has_no_date() -> None:
    both = {"sent_at": "2026-01-01T10:00:00Z", "paid_at": "2026-01-02T10:00:00Z"}
    assert dated({"status": "sent", **both})["paid_at"] is None
    assert dated({"status": None, **both})["sent_at"] is None
    assert dated({"status": "paid", **both}) == {"status": "paid", **both}
    assert dated({"status": "draft", **both}, required=frozenset({"paid_at"}))["paid_at"] == both["paid_at"]
