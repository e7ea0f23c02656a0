"""The base world is consistent, large enough for search to be a search, and drawn the same way every time."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.world import LiveWorld
from generated_servers.airline.authoring import data
from generated_servers.universe import files, generate


def test_every_invariant_holds(airline: Package, world: LiveWorld) -> None:
    assert {invariant.name: world.query(invariant.sql) for invariant in airline.invariants} == {
        invariant.name: [] for invariant in airline.invariants
    }
    assert len(airline.invariants) >= 10


def plain_database(airline: Package) -> sqlite3.Connection:
    """The base world in SQLite alone, for what a world does not allow."""
    database = sqlite3.connect(":memory:")
    database.executescript(airline.schema.ddl)
    for name, table in airline.schema.tables.items():
        rows = [[row.get(column) for column in table.names] for row in airline.rows(name)]
        database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(table.names))})", rows)
    database.commit()
    return database


TRIP = "WHERE reservation_id = 'NHH8LL'"
DAMAGES = {
    "reservation-has-flights-and-passengers": f"DELETE FROM passengers {TRIP}",
    "flights-are-paid-for": f"UPDATE segments SET price_cents = price_cents + 1 {TRIP}",
    "paid-is-the-sum-of-charges": f"UPDATE reservations SET paid_cents = paid_cents + 1 {TRIP}",
    "one-booking-charge-per-means": f"DELETE FROM payments {TRIP}",
    "charges-go-to-the-card-of-the-reservation": f"UPDATE reservations SET card_id = 'C1' {TRIP}",
    "means-belong-to-the-customer": """
        UPDATE cards SET customer_id = 'E000000' WHERE card_id = (SELECT max(card_id) FROM reservations)
    """,
    "certificate-balance-is-what-is-left": "UPDATE certificates SET balance_cents = 1",
    "refunds-only-after-cancelling": f"""
        INSERT INTO refunds SELECT 9999, reservation_id, 1, '2026-05-14', card_id, NULL FROM reservations {TRIP}
    """,
    "no-means-gets-back-more-than-it-paid": """
        INSERT INTO refunds SELECT 9999, reservation_id, paid_cents, '2026-05-14', card_id, NULL
        FROM reservations JOIN refunds USING (reservation_id, card_id) LIMIT 1
    """,
    "compensated-once": """
        INSERT INTO certificates SELECT 'AAAAAAAA', customer_id, cause, 1, 1, issued_at, valid_until, reservation_id
        FROM certificates WHERE cause = 'delay' AND reservation_id IS NOT NULL LIMIT 1
    """,
    "compensation-goes-to-the-customer": """
        UPDATE certificates SET customer_id = 'E000000' WHERE reservation_id IS NOT NULL
    """,
    "bags-are-reported-after-landing": "UPDATE bag_claims SET reported_at = '2026-01-01'",
    "bags-are-reported-for-a-flight-of-the-trip": "UPDATE bag_claims SET flight_id = 'EF1-2026-05-07'",
    "seats-sold-fit-the-cabin": "UPDATE flight_cabins SET seats_left = seats",
    "return-flight-leaves-after-the-outbound-one-lands": f"""
        UPDATE segments SET flight_id = (SELECT flight_id FROM segments {TRIP} AND position = 2) {TRIP} AND position = 1
    """,
    "return-flight-links-the-same-cities": f"""
        UPDATE segments SET flight_id = 'EF122-2026-05-17' {TRIP} AND position = 1
    """,
    "booked-before-departure": f"UPDATE reservations SET booked_at = '2026-06-30T00:00:00Z' {TRIP}",
    "cancelled-after-booking": "UPDATE reservations SET cancelled_at = '2020-01-01' WHERE status = 'cancelled'",
    "flight-id-names-its-flight": "UPDATE flights SET flight_number = 'EF1' WHERE flight_id = 'EF122-2026-05-17'",
}


def test_each_invariant_can_be_broken(airline: Package) -> None:
    """An invariant that no row could break would prove nothing."""
    assert set(DAMAGES) == {invariant.name for invariant in airline.invariants}
    database = plain_database(airline)
    for invariant in airline.invariants:
        database.execute(DAMAGES[invariant.name])
        assert database.execute(invariant.sql).fetchall(), invariant.name
        database.rollback()
    database.close()


def test_search_is_a_search(airline: Package) -> None:
    assert len(airline.rows("airports")) >= 40
    assert len(airline.rows("flights")) >= 400
    assert len(airline.rows("customers")) >= 60
    assert len(airline.rows("reservations")) >= 300


def test_there_are_near_misses(world: LiveWorld) -> None:
    """Several coming trips of one customer to one city, same-day flights, customers of one name."""
    alike = world.query(
        "SELECT customer_id FROM trips WHERE status = 'confirmed' AND departs_at > :now "
        "GROUP BY customer_id, destination HAVING count(*) > 1"
    )
    same_day = world.query(
        "SELECT 1 FROM flight_offers GROUP BY origin_city, destination_city, date HAVING count(*) > 1"
    )
    names = Counter(row[0] for row in world.query("SELECT last_name FROM customers"))
    full_names = world.query("SELECT 1 FROM customers GROUP BY first_name, last_name HAVING count(*) > 1")
    assert len(alike) >= 30
    assert len(same_day) >= 40
    assert sum(count > 1 for count in names.values()) >= 20
    assert len(full_names) >= 3


def test_both_sides_of_every_numeric_rule_are_in_the_data(world: LiveWorld) -> None:
    coming = "SELECT count(*) FROM trips WHERE status = 'confirmed' AND departs_at > :now AND "
    sides = {
        "booked within a day": "booked_at >= strftime('%Y-%m-%dT%H:%M:%SZ', :now, '-1 day')",
        "booked before that": "booked_at < strftime('%Y-%m-%dT%H:%M:%SZ', :now, '-1 day')",
        "leaves within 48 hours": "departs_at < strftime('%Y-%m-%dT%H:%M:%SZ', :now, '+2 days')",
        "leaves later": "departs_at >= strftime('%Y-%m-%dT%H:%M:%SZ', :now, '+2 days')",
        "disrupted": "reservation_id IN (SELECT reservation_id FROM disrupted)",
        "on time": "reservation_id NOT IN (SELECT reservation_id FROM disrupted)",
    }
    assert {side for side, condition in sides.items() if world.query(coming + condition)[0][0] < 5} == set()


def test_the_departure_day_is_the_same_in_local_time_and_in_utc(world: LiveWorld) -> None:
    """ "On the 21st" has to mean one day."""
    airports = files.universe("airports")
    offset = {row["code"]: row["may_utc_offset_minutes"] for row in airports}
    for origin, departs_at in world.query("SELECT origin, departs_at FROM flights"):
        minute = int(departs_at[11:13]) * 60 + int(departs_at[14:16]) + offset[origin]
        assert 0 <= minute < 24 * 60, (origin, departs_at)


@pytest.mark.parametrize("table", list(data.tables()))
def test_the_generator_writes_what_is_in_the_package(table: str, airline: Package, tmp_path: Path) -> None:
    files.write_jsonl(tmp_path / "rows.jsonl", data.tables()[table])
    assert (tmp_path / "rows.jsonl").read_bytes() == (airline.path / "data" / f"{table}.jsonl").read_bytes()


def test_customers_come_from_the_universe(airline: Package) -> None:
    people = {person["email"]: person for person in generate.people()}
    for customer in airline.rows("customers"):
        person = people[customer["email"]]
        assert (customer["first_name"], customer["last_name"]) == (person["first_name"], person["last_name"])
