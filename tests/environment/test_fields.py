"""What packages get from `envfactory_gym.fields`: types that refuse nonsense, money that adds up, states that explain."""

from __future__ import annotations

import ast
import doctest
import json
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter, ValidationError

from envfactory_gym import ToolError, fields
from envfactory_gym.environment import Package
from envfactory_gym.verify.reach import problems
from envfactory_gym.world import Template
from tests.support import copy_of_lending

MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)).map(lambda at: at.strftime("%Y-%m-%dT%H:%M:%SZ"))
OFFSETS = st.integers(-12 * 60, 14 * 60)


def accepts(kind: Any, value: object) -> bool:
    try:
        TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (fields.Day, ["2026-05-21", "2024-02-29"], ["2026-02-30", "2025-02-29", "21 May", "2026-5-1", "2026-05-21 "]),
        (fields.Moment, ["2026-05-21T18:30:00Z"], ["2026-05-21T24:00:00Z", "2026-05-21", "2026-05-21T18:30:00+02:00"]),
        (fields.LocalTime, ["00:00", "23:59"], ["24:00", "7:30", "12:60"]),
        (fields.Month, ["2026-12"], ["2026-13", "2026-00", "2026-1"]),
        (fields.Cents, [0, 1], [-1, 1.5, "5"]),
        (fields.PositiveCents, [1], [0]),
        (fields.Email, ["a@b.example"], ["a@b", "a b@c.example", "@b.example", "x" * 120 + "@b.example"]),
        (fields.Phone, ["+45 20 30 40 50", "+4520304050"], ["20304050", "+45-20-30"]),
        (fields.PersonName, ["Ada Lund", "Ana de Vries"], ["Ada", " Ada Lund", "Ada  Lund"]),
        (fields.Page, [1, 1000], [0, 1001]),
    ],
)
def test_a_type_takes_what_it_names_and_nothing_else(kind: Any, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if not accepts(kind, value)] == []
    assert [value for value in bad if accepts(kind, value)] == []


def test_an_address_is_compared_in_small_letters() -> None:
    assert TypeAdapter(fields.Email).validate_python("Ada@Lund.Example") == "ada@lund.example"


def test_a_description_can_be_put_in_the_types_place() -> None:
    schema = TypeAdapter(Annotated[fields.Day, Field(description="Day of arrival.")]).json_schema()
    assert schema["description"] == "Day of arrival."
    assert schema["pattern"] == r"^\d{4}-\d{2}-\d{2}$"


@given(st.integers(-(10**9), 10**9), st.lists(st.integers(0, 10**6), min_size=1, max_size=20).filter(any))
def test_shares_add_up_and_are_within_a_cent_of_their_due(total: int, weights: list[int]) -> None:
    parts = fields.shares(total, weights)
    assert sum(parts) == total
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part * sum(weights) - total * weight) < sum(weights)


@pytest.mark.parametrize("weights", [[0], [1, -1], [0, 0]])
def test_shares_of_nothing_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="weights must not be negative"):
        fields.shares(100, weights)


@given(st.integers(-(10**12), 10**12), st.integers(0, 300))
def test_a_percentage_is_the_nearest_cent(cents: int, percent: int) -> None:
    assert abs(fields.percentage(cents, percent) * 100 - cents * percent) <= 50
    assert fields.percentage(-cents, percent) == -fields.percentage(cents, percent)


def test_money_is_written_as_people_read_it() -> None:
    assert [fields.dollars(cents) for cents in (0, 5, 120450, -99)] == ["$0.00", "$0.05", "$1,204.50", "-$0.99"]


@given(MOMENTS, OFFSETS)
def test_local_time_and_back(moment: str, offset: int) -> None:
    there = fields.local(moment, offset)
    assert fields.utc(there[:10], there[11:], offset) == moment[:17] + "00Z"


@given(MOMENTS, st.integers(-400, 400), st.integers(-5000, 5000))
def test_moving_on_is_measured_by_the_distance(moment: str, days: int, minutes: int) -> None:
    assert fields.minutes_between(moment, fields.later(moment, days=days, minutes=minutes)) == days * 1440 + minutes
    day = moment[:10]
    assert fields.days_between(day, fields.later(day, days=days)) == days


def test_days_of_the_week_and_spans() -> None:
    assert fields.weekday("2026-05-14") == fields.weekday("2026-05-14T23:00:00Z") == "thursday"
    assert fields.check_span("2026-05-14", "2026-05-16", 3, "last") == 3
    with pytest.raises(ToolError, match="2026-05-13 is before 2026-05-14") as early:
        fields.check_span("2026-05-14", "2026-05-13", 3, "last")
    with pytest.raises(ToolError, match="That is 4 days; at most 3") as long:
        fields.check_span("2026-05-14", "2026-05-17", 3, "last")
    assert (early.value.code, long.value.code, long.value.field) == ("invalid", "limit", "last")


def test_states_follow_as_told_and_say_what_would_be_possible() -> None:
    orders = fields.Transitions("order", placed=("paid", "cancelled"), paid=(), cancelled=())
    orders.check("placed", "paid", "order_id")
    with pytest.raises(ToolError, match=r"The order is paid; that is final\.") as final:
        orders.check("paid", "cancelled", "order_id")
    assert (final.value.code, final.value.reason, final.value.field) == ("conflict", "paid", "order_id")
    with pytest.raises(ToolError, match="from there it can become paid or cancelled"):
        orders.check("placed", "placed", "order_id", reason="again")
    with pytest.raises(ValueError, match="lost can be reached, but is no state"):
        fields.Transitions("parcel", sent=("lost",))


def test_something_that_is_not_there_is_refused() -> None:
    assert fields.found(0, "loan", "loan_id") == 0
    with pytest.raises(ToolError, match=r"No loan L1\.") as error:
        fields.found(None, "loan L1", "loan_id")
    assert (error.value.code, error.value.field) == ("not_found", "loan_id")


def test_examples_in_the_documentation_run() -> None:
    assert doctest.testmod(fields).failed == 0


def test_a_package_may_use_all_of_it_and_no_more() -> None:
    everything = f"from envfactory_gym.fields import {', '.join(fields.__all__)}"
    assert list(problems(ast.parse(everything))) == []
    for reached in ("PAGE_SIZE", "datetime", "AfterValidator"):
        assert list(problems(ast.parse(f"from envfactory_gym.fields import {reached}"))), reached
    assert list(problems(ast.parse("import envfactory_gym.fields")))
    assert list(problems(ast.parse("from envfactory_gym.environment import Package")))


def test_pages_cover_a_list_once_and_end(tmp_path: Path) -> None:
    folder = copy_of_lending(
        tmp_path,
        ("server.py", "class Items(TypedDict):", "class Items(Paged):"),
        (
            "server.py",
            "from envfactory_gym import",
            "from envfactory_gym.fields import Page, Paged, paged\nfrom envfactory_gym import",
        ),
        ("server.py", "title: Annotated[str, Field(max_length=80)] | None = None,", "page: Page = 1,"),
        ("server.py", "        title: Only things whose title contains these words.\n", ""),
        ("server.py", "             AND (:title IS NULL OR instr(lower(title), lower(:title)) > 0)\n", ""),
        (
            "server.py",
            '    rows = world.all(\n        """SELECT item_id, title',
            '    rows, paging = paged(\n        world,\n        """SELECT item_id, title',
        ),
        ("server.py", "        title=title,\n", "        page=page,\n        size=2,\n"),
        ("server.py", 'return {"items": rows}', 'return {"items": rows, **paging}'),
    )
    package = Package.load(folder, trusted=True)
    world = Template.of(package).acquire()
    first = json.loads(world.call("search_items", {}))
    seen = [
        item["item_id"]
        for n in range(1, first["pages"] + 1)
        for item in json.loads(world.call("search_items", {"page": n}))["items"]
    ]
    assert sorted(seen) == sorted(row[0] for row in world.query("SELECT item_id FROM items"))
    assert first["total"] == len(seen)
    beyond = json.loads(world.call("search_items", {"page": first["pages"] + 1}))
    assert (beyond["items"], beyond["total"], beyond["pages"]) == ([], first["total"], first["pages"])
