"""What the desk's tools do, and whether what they declare about themselves is true."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from envfactory_gym.environment import Package, ToolError
from envfactory_gym.verify.arguments import hinted_arguments
from envfactory_gym.verify.checks.behaviours import run
from envfactory_gym.world import LiveWorld


def call(world: LiveWorld, tool: str, **arguments: Any) -> Any:
    return json.loads(world.call(tool, arguments))


def rows_changed(world: LiveWorld) -> dict[str, int]:
    counts: dict[str, int] = {}
    for table, _ in world.changes():
        counts[table] = counts.get(table, 0) + 1
    return counts


def economy_seats_left(world: LiveWorld) -> dict[str, int]:
    rows = world.query("SELECT flight_id, seats_left FROM flight_cabins WHERE cabin = 'economy'")
    return {row[0]: row[1] for row in rows}


# ---------------------------------------------------------------- looking things up


def test_a_customer_is_found_by_number_and_by_address(world: LiveWorld) -> None:
    by_number = call(world, "find_customer", identifier="E339408")
    assert by_number["first_name"] == "Nora"
    assert call(world, "find_customer", identifier=by_number["email"].upper()) == by_number


def test_reservations_are_listed_by_departure(world: LiveWorld) -> None:
    listed = call(world, "list_reservations", customer_id="E339408")
    assert [trip["reservation_id"] for trip in listed["reservations"]] == ["7JRD22", "KRH85H", "NHH8LL"]
    assert (listed["total"], listed["pages"]) == (3, 1)
    assert listed["reservations"][1] == {
        "reservation_id": "KRH85H",
        "status": "confirmed",
        "fare": "standard",
        "origin": "Oslo",
        "destination": "London",
        "departure_date": "2026-05-18",
        "departs_at": "2026-05-18T16:10:00Z",
        "return_date": "2026-05-25",
        "passengers": 2,
        "paid_cents": 76800,
    }


def test_a_page_beyond_the_last_is_empty(world: LiveWorld) -> None:
    assert call(world, "list_reservations", customer_id="E339408", page=2)["reservations"] == []


def test_a_reservation_is_shown_whole(world: LiveWorld) -> None:
    shown = call(world, "get_reservation", reservation_id="NHH8LL")
    assert [part["position"] for part in shown["segments"]] == [1, 2]
    assert [part["name"] for part in shown["passengers"]] == ["Nora Hansen"]
    assert (shown["paid_cents"], shown["refunded_cents"], shown["cancel_reason"]) == (33200, 0, None)


def test_prices_follow_the_fares(world: LiveWorld) -> None:
    offer = call(world, "search_flights", origin="LHR", destination="OSL", from_date="2026-05-19")["flights"][0]
    economy = world.query(
        "SELECT price_cents FROM flight_cabins WHERE flight_id = ? AND cabin = 'economy'", [offer["flight_id"]]
    )
    standard = economy[0][0]
    assert offer["prices"]["standard"] == standard
    assert offer["prices"]["basic"] == standard * 80 // 100
    assert offer["prices"]["flex"] == standard * 140 // 100
    assert offer["minutes"] == 125


def test_pages_of_a_search_join_without_gap(world: LiveWorld) -> None:
    days = {"origin": "Copenhagen", "destination": "London", "from_date": "2026-05-15", "to_date": "2026-05-26"}
    pages = [call(world, "search_flights", **days, page=page) for page in (1, 2)]
    found = [flight["flight_id"] for page in pages for flight in page["flights"]]
    assert len(found) == len(set(found)) == pages[0]["total"]
    assert [flight["departs_at"] for page in pages for flight in page["flights"]] == sorted(
        flight["departs_at"] for page in pages for flight in page["flights"]
    )


# ---------------------------------------------------------------- changing something


def test_a_booking_holds_seats_and_charges_the_card(world: LiveWorld) -> None:
    before = economy_seats_left(world)
    booked = call(
        world,
        "book_reservation",
        customer_id="E340191",
        fare="flex",
        flight_id="EF195-2026-05-19",
        return_flight_id="EF196-2026-05-22",
        companions=["Rose Whitfield"],
    )
    after = economy_seats_left(world)
    shown = call(world, "get_reservation", reservation_id=booked["reservation_id"])
    assert [before[flight] - after[flight] for flight in ("EF195-2026-05-19", "EF196-2026-05-22")] == [2, 2]
    assert [person["name"] for person in shown["passengers"]] == ["Beth Whitfield", "Rose Whitfield"]
    assert shown["paid_cents"] == 2 * sum(part["price_cents"] for part in shown["segments"]) == booked["paid_cents"]
    assert world.query(
        "SELECT kind, amount_cents, paid_at FROM payments WHERE reservation_id = ?", [booked["reservation_id"]]
    ) == [("booking", booked["paid_cents"], "2026-05-14T09:00:00Z")]


def test_a_change_moves_the_seats_with_the_passengers(world: LiveWorld) -> None:
    changed = call(
        world, "change_flight",
        reservation_id="XVK7TY", flight_id="EF242-2026-05-27", new_flight_id="EF242-2026-05-22",
    )  # fmt: skip
    assert changed["charged_cents"] == 0
    moved = {
        key[0]: new[3] - old[3]
        for (table, key), (old, new) in world.changes().items()
        if table == "flight_cabins" and old and new
    }
    assert moved == {"EF242-2026-05-27": 1, "EF242-2026-05-22": -1}


def test_a_cancelled_trip_gives_its_seats_back(world: LiveWorld) -> None:
    cancelled = call(world, "cancel_reservation", reservation_id="NHH8LL", reason="change_of_plans")
    back = 33200 * 60 // 100
    assert cancelled == {
        "reservation_id": "NHH8LL", "refund_cents": back, "to_card_cents": back, "to_certificate_cents": 0,
    }  # fmt: skip
    assert rows_changed(world) == {"reservations": 1, "refunds": 1, "flight_cabins": 2}


def test_bags_are_charged_beyond_the_free_ones(world: LiveWorld) -> None:
    added = call(world, "add_bags", reservation_id="3R3KKD", passenger=1, bags=3)
    assert added == {
        "reservation_id": "3R3KKD", "fare_difference_cents": 0, "fee_cents": 4000, "charged_cents": 4000,
    }  # fmt: skip
    assert call(world, "get_reservation", reservation_id="3R3KKD")["paid_cents"] == 30200 + 4000


def test_contact_data_is_replaced_in_part_or_whole(world: LiveWorld) -> None:
    call(world, "send_verification_code", customer_id="E176906")
    code = json.loads(world.call("read_verification_code", {"customer_id": "E176906"}, actor="user"))["code"]
    call(world, "verify_identity", customer_id="E176906", code=code)
    before = call(world, "find_customer", identifier="E176906")
    phone = call(world, "update_contact", customer_id="E176906", phone="+44 7700 900987")
    assert phone == {**before, "phone": "+447700900987"}
    both = call(world, "update_contact", customer_id="E176906", email="Beth@Example.com", phone="+44 7700 900986")
    assert (both["phone"], both["email"]) == ("+447700900986", "beth@example.com")


# ---------------------------------------------------------------- what is declared


def test_all_candidates_succeed(airline: Package, world: LiveWorld) -> None:
    for tool in airline.tools.values():
        assert tool.candidates, tool.name
        arguments = list(hinted_arguments(world, tool, tool.candidates))
        assert arguments, tool.name
        for given in arguments[:: max(1, len(arguments) // 40)]:
            world.call(tool.name, given, actor=tool.actor)
            world.reset()


def test_all_refused_meet_their_reason(airline: Package, world: LiveWorld) -> None:
    for tool in airline.tools.values():
        for reason, sql in tool.refused.items():
            arguments = list(hinted_arguments(world, tool, sql))
            assert arguments, (tool.name, reason)
            for given in arguments[:: max(1, len(arguments) // 20)]:
                with pytest.raises(ToolError) as met:
                    world.call(tool.name, given, actor=tool.actor)
                assert reason in (met.value.reason, met.value.code), (tool.name, given)


def test_every_result_fits_its_type(airline: Package, world: LiveWorld) -> None:
    for tool in airline.tools.values():
        assert tool.candidates
        given = next(iter(hinted_arguments(world, tool, tool.candidates)))
        assert tool.check_result(world.call(tool.name, given, actor=tool.actor)) is None


def test_every_behaviour_holds(airline: Package) -> None:
    problems = {behaviour.name: run(airline, behaviour) for behaviour in airline.behaviours}
    assert {name: problem for name, problem in problems.items() if problem} == {}
    assert len(problems) >= 20


def test_every_reason_has_an_example(airline: Package) -> None:
    """A reason that neither a hint nor a behaviour meets would be a promise nobody checks."""
    raised = set(re.findall(r'reason="([a-z-]+)"', airline.server_source))
    met = {reason for tool in airline.tools.values() for reason in tool.refused}
    for behaviour in airline.behaviours:
        met |= {step.expect.error.reason for step in behaviour.calls if step.expect.error and step.expect.error.reason}
    assert raised - met == set()


def test_the_invariants_survive_every_tool(airline: Package, world: LiveWorld) -> None:
    for round_ in range(5):
        for tool in airline.tools.values():
            assert tool.candidates
            given = list(hinted_arguments(world, tool, tool.candidates))
            world.call(tool.name, given[round_ * 7 % len(given)], actor=tool.actor)
    assert len(world.changes()) > 20
    assert [invariant.name for invariant in airline.invariants if world.query(invariant.sql)] == []
