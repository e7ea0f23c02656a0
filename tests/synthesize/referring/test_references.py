"""A reference is true of one item only, for a solver that reads the words and for SQL."""

from __future__ import annotations

import sqlite3
from random import Random
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_gym.environment import Language
from envfactory_gym.environment.columns import read_schema
from envfactory_gym.environment.task import Derived, Result, Said
from envfactory_gym.episode.sources import Knowledge, evaluate
from envfactory_gym.synthesize.reference import Condition, Reference
from envfactory_gym.synthesize.referring import Relation, references

NOW = "2026-05-14T09:00:00Z"
DDL = """
CREATE TABLE trips (
    trip_id TEXT NOT NULL PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    fare TEXT NOT NULL,
    origin TEXT NOT NULL,
    destination TEXT NOT NULL,
    departure_date TEXT NOT NULL,
    departs_at TEXT NOT NULL,
    passengers INTEGER NOT NULL,
    paid_cents INTEGER NOT NULL
) STRICT;
"""
LANGUAGE = Language.model_validate(
    yaml.safe_load("""
phrases:
  fare:
    basic: [cheapest fare, no frills]
    flex: [flexible, fully changeable]
nouns:
  trips:
    one: [trip, booking]
    many: [trips, bookings]
    mine: true
    says:
      status=confirmed: ["~"]
      status=cancelled: ["cancelled ~"]
      origin: ["~ from {value}"]
      destination: ["~ to {value}", "{value} ~"]
      departure_date: ["~ on {value}", "~ that starts on {value}"]
      passengers: ["~ for {value}"]
      fare: ["~ on the {value} fare"]
      paid_cents: ["~ I paid {value} for"]
    extremes:
      departs_at>now: [next ~, ""]
      paid_cents: [cheapest ~, most expensive ~]
      departs_at: [earliest ~, latest ~]
""")
)
SCHEMA = read_schema(DDL)
RELATION_FIELDS = {column: column for column in SCHEMA.tables["trips"].names}


def a_trip(key: str, **values: Any) -> dict[str, Any]:
    day = values.pop("day", 20)
    return {
        "trip_id": key, "owner_id": "E1", "status": "confirmed", "fare": "basic", "origin": "London",
        "destination": "Oslo", "departure_date": f"2026-05-{day:02}", "departs_at": f"2026-05-{day:02}T08:00:00Z",
        "passengers": 1, "paid_cents": 20000, **values,
    }  # fmt: skip


def refer(items: list[dict[str, Any]], target: int, seed: int = 0, **more: Any) -> list[Reference]:
    relation = Relation("trips", "trip_id", "trips.trip_id", RELATION_FIELDS, {"owner_id": "E1"})
    return references(
        items, target, relation=relation, language=LANGUAGE, schema=SCHEMA, now=NOW, random=Random(seed), **more
    )


def meant(items: list[dict[str, Any]], reference: Reference) -> Any:
    """What a solver finds who reads the words with the operations of the closed list."""
    listed = Result(call="list", path="")
    sources: list[Any] = [listed]
    where = []
    for condition in reference.conditions:
        if condition.implied:
            where.append([condition.path, condition.comparison, condition.value])
            continue
        said = Said(turn=0, span=condition.words)
        options = {"table": condition.table} if condition.table else {}
        sources.append(Derived(op=condition.read, sources=(said,), options=options) if condition.read else said)
        where.append([condition.path, condition.comparison, {"source": len(sources) - 1}])
    left: Any = Derived(op="filter", sources=tuple(sources), options={"where": where})
    if reference.extreme:
        found = Derived(op=reference.extreme[0], sources=(left,), options={"by": reference.extreme[1]})
    else:
        known = knowledge(items, reference)
        assert len(evaluate(left, known)) == 1
        found = Derived(op="first", sources=(left,))
    return evaluate(found, knowledge(items, reference))


def knowledge(items: list[dict[str, Any]], reference: Reference) -> Knowledge:
    return Knowledge(
        requests=[f"Please cancel {reference.words}."], slots={}, rules={}, language=LANGUAGE, now=NOW,
        results={"list": items},
    )  # fmt: skip


def in_sql(items: list[dict[str, Any]], reference: Reference) -> list[Any]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(DDL)
    elsewhere = [{**item, "trip_id": f"other-{item['trip_id']}", "owner_id": "E2"} for item in items]
    for item in [*items, *elsewhere]:
        connection.execute(f"INSERT INTO trips VALUES ({', '.join('?' * len(item))})", tuple(item.values()))
    found = [row[0] for row in connection.execute(reference.sql)]
    connection.close()
    return found


TRIPS = st.builds(
    lambda fare, destination, status, day, passengers, paid: {
        "fare": fare, "destination": destination, "status": status, "day": day, "passengers": passengers,
        "paid_cents": paid,
    },
    st.sampled_from(["basic", "flex"]),
    st.sampled_from(["Oslo", "Rome", "New York"]),
    st.sampled_from(["confirmed", "cancelled"]),
    st.integers(1, 31),
    st.integers(1, 3),
    st.sampled_from([9900, 20000, 20050, 123400]),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(TRIPS, min_size=1, max_size=7), st.data())
def test_words_and_sql_mean_the_target_and_nothing_else(drawn: list[dict[str, Any]], data: st.DataObject) -> None:
    items = [a_trip(f"T{number}", **values) for number, values in enumerate(drawn)]
    target = data.draw(st.integers(0, len(items) - 1))
    for reference in refer(items, target, seed=data.draw(st.integers(0, 99))):
        assert meant(items, reference) == items[target], reference
        assert in_sql(items, reference) == [items[target]["trip_id"]], reference
        assert all(condition.words in reference.words for condition in reference.conditions)


@settings(max_examples=60, deadline=None)
@given(st.lists(TRIPS, min_size=2, max_size=6), st.integers(0, 9))
def test_no_part_of_a_description_could_be_left_out(drawn: list[dict[str, Any]], seed: int) -> None:
    items = [a_trip(f"T{number}", **values) for number, values in enumerate(drawn)]
    for reference in refer(items, 0, seed):
        said = [condition for condition in reference.conditions if not condition.implied]
        for condition in said if reference.extreme is None and len(said) > 1 else ():
            rest = tuple(one for one in reference.conditions if one is not condition)
            assert len(left(items, rest)) > 1, reference


def left(items: list[dict[str, Any]], conditions: tuple[Condition, ...]) -> list[dict[str, Any]]:
    """The items for which equality conditions hold; the only comparison that descriptions of these trips use."""
    return [item for item in items if all(item[one.path] == one.value for one in conditions)]


def words(items: list[dict[str, Any]], target: int, draws: int = 30, **more: Any) -> set[str]:
    return {one.words for seed in range(draws) for one in refer(items, target, seed, **more)}


def test_people_name_the_cheaper_of_two() -> None:
    items = [
        a_trip("A", paid_cents=9900, day=20), a_trip("B", paid_cents=20000, day=21),
        a_trip("C", destination="Rome", paid_cents=5000, day=22),
    ]  # fmt: skip
    assert "the cheaper of my two trips to Oslo" in words(items, 0)
    assert "my cheapest trip" in words(items, 2)
    assert "my trip to Rome" in words(items, 2)


def test_a_tie_has_no_superlative() -> None:
    items = [a_trip("A", day=20), a_trip("B", day=21), a_trip("C", day=22)]
    assert not any("cheap" in said for said in words(items, 0) if "fare" not in said)


def test_the_usual_goes_without_saying_and_the_unusual_is_said() -> None:
    items = [a_trip("A", day=20), a_trip("B", day=21, status="cancelled")]
    assert "my trip" in words(items, 0)
    assert all("cancelled" in said for said in words(items, 1))
    assert all("cancelled" not in said for said in words(items, 0))


def test_next_is_the_first_to_come() -> None:
    items = [a_trip("A", day=10), a_trip("B", day=16), a_trip("C", day=25)]
    assert "my next trip" in words(items, 1)
    assert not any("next" in said for place in (0, 2) for said in words(items, place))


def test_a_day_is_said_without_its_year_unless_it_would_be_misread() -> None:
    near = words([a_trip("A", day=20), a_trip("B", day=21)], 0)
    assert "my trip on 20 May" in near and not any("2026" in said for said in near)
    far = a_trip("A") | {"departure_date": "2028-01-03", "departs_at": "2028-01-03T08:00:00Z"}
    assert any("2028" in said for said in words([far, a_trip("B")], 0))


def test_what_a_look_up_was_told_is_woven_in() -> None:
    items = [a_trip("A", day=20, paid_cents=9900), a_trip("B", day=21), a_trip("C", day=22)]
    told = words(items, 0, details={"origin": "London", "departs_at": "20 May"})
    assert told and all("from London" in said for said in told)


def test_codes_of_other_tables_are_never_said() -> None:
    items = [a_trip("A", day=20, fare="X-99_b4"), a_trip("B", day=21)]
    assert not any("X-99" in said for said in words(items, 0))


def test_the_same_seed_gives_the_same_words() -> None:
    items = [a_trip("A", day=20), a_trip("B", day=21, destination="Rome")]
    assert refer(items, 0, 5) == refer(items, 0, 5)


def test_references_go_from_explicit_to_implicit() -> None:
    levels = [one.implicit for one in refer([a_trip("A", paid_cents=100), a_trip("B", day=21)], 0)]
    assert levels == sorted(levels) and 3 in levels
