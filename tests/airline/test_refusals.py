"""What the desk's tools refuse: with which code, because of which argument, for which reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from envfactory_gym.world import LiveWorld

Refusal = Callable[..., tuple[str, str | None, str | None]]
WorldWith = Callable[..., LiveWorld]

BOOK = {"customer_id": "E340191", "fare": "standard", "flight_id": "EF195-2026-05-19"}
MOVE = {"reservation_id": "XVK7TY", "flight_id": "EF242-2026-05-27", "new_flight_id": "EF242-2026-05-22"}
SEARCH = {"origin": "London", "destination": "Oslo", "from_date": "2026-05-19"}


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("find_customer", {"identifier": "Nora Hansen"}, ("not_found", "identifier", None)),
        ("list_reservations", {"customer_id": "E000000"}, ("not_found", "customer_id", None)),
        ("list_reservations", {"customer_id": "E339408", "page": 0}, ("invalid", "page", None)),
        ("get_reservation", {"reservation_id": "AAAAAA"}, ("not_found", "reservation_id", None)),
        ("search_flights", {**SEARCH, "origin": "Atlantis"}, ("not_found", "origin", None)),
        ("search_flights", {**SEARCH, "destination": "%"}, ("not_found", "destination", None)),
        ("search_flights", {**SEARCH, "from_date": "19 May"}, ("invalid", "from_date", None)),
        ("search_flights", {**SEARCH, "from_date": "2026-02-30"}, ("invalid", "from_date", "dates")),
        ("search_flights", {**SEARCH, "to_date": "2026-13-01"}, ("invalid", "to_date", "dates")),
        ("search_flights", {**SEARCH, "to_date": "2026-05-18"}, ("invalid", "to_date", "dates")),
        ("search_flights", {**SEARCH, "to_date": "2026-06-03"}, ("limit", "to_date", "search-span")),
        ("book_reservation", {**BOOK, "customer_id": "E000000"}, ("not_found", "customer_id", None)),
        ("book_reservation", {**BOOK, "flight_id": "EF1-2026-05-19"}, ("not_found", "flight_id", None)),
        ("book_reservation", {**BOOK, "fare": "first"}, ("invalid", "fare", None)),
        ("book_reservation", {**BOOK, "companions": ["Rose"]}, ("invalid", "companions", None)),
        ("book_reservation", {**BOOK, "companions": ["A B"] * 6}, ("limit", "companions", "passenger-limit")),
        ("book_reservation", {**BOOK, "flight_id": "EF195-2026-05-13"}, ("conflict", "flight_id", "departed")),
        ("book_reservation", {**BOOK, "flight_id": "EF182-2026-05-14"}, ("conflict", "flight_id", "flight-cancelled")),
        ("book_reservation", {**BOOK, "flight_id": "EF103-2026-05-21"}, ("conflict", "flight_id", "sold-out")),
        ("book_reservation", {**BOOK, "return_flight_id": "nowhere"}, ("not_found", "return_flight_id", None)),
        (
            "book_reservation", {**BOOK, "return_flight_id": "EF195-2026-05-22"},
            ("invalid", "return_flight_id", "other-route"),
        ),
        (
            "book_reservation", {**BOOK, "return_flight_id": "EF196-2026-05-18"},
            ("invalid", "return_flight_id", "too-early"),
        ),
        ("change_flight", {**MOVE, "reservation_id": "AAAAAA"}, ("not_found", "reservation_id", None)),
        ("change_flight", {**MOVE, "flight_id": "EF242-2026-05-26"}, ("invalid", "flight_id", "not-on-reservation")),
        ("change_flight", {**MOVE, "new_flight_id": "EF242-2026-05-27"}, ("conflict", "new_flight_id", "same-flight")),
        (
            "change_flight", {**MOVE, "new_flight_id": "EF241-2026-05-26"},
            ("forbidden", "new_flight_id", "change-window"),
        ),
        ("change_flight", {**MOVE, "new_flight_id": "EF242-2026-05-13"}, ("conflict", "new_flight_id", "departed")),
        (
            "cancel_reservation", {"reservation_id": "AAAAAA", "reason": "illness"},
            ("not_found", "reservation_id", None),
        ),
        (
            "cancel_reservation", {"reservation_id": "7JRD22", "reason": "illness"},
            ("forbidden", "reservation_id", "departed"),
        ),
        (
            "cancel_reservation", {"reservation_id": "3JCZVH", "reason": "illness"},
            ("conflict", "reservation_id", "cancelled"),
        ),
        (
            "cancel_reservation", {"reservation_id": "NHH8LL", "reason": "schedule_change"},
            ("forbidden", "reason", "schedule-change"),
        ),
        ("cancel_reservation", {"reservation_id": "NHH8LL", "reason": "bored"}, ("invalid", "reason", None)),
        ("add_bags", {"reservation_id": "3R3KKD", "passenger": 2, "bags": 1}, ("not_found", "passenger", None)),
        ("add_bags", {"reservation_id": "3R3KKD", "passenger": 1, "bags": 4}, ("invalid", "bags", None)),
        ("add_bags", {"reservation_id": "LAG4JU", "passenger": 4, "bags": 2}, ("limit", "bags", "bags")),
        (
            "add_bags", {"reservation_id": "7JRD22", "passenger": 1, "bags": 1},
            ("forbidden", "reservation_id", "departed"),
        ),
        ("update_contact", {"customer_id": "E000000", "phone": "+4532000000"}, ("not_found", "customer_id", None)),
        ("update_contact", {"customer_id": "E176906", "phone": "+4532000000"}, ("forbidden", "customer_id", "identity-check")),
        ("update_contact", {"customer_id": "E341227"}, ("invalid", "email", "nothing-given")),
        ("update_contact", {"customer_id": "E341227", "email": "no address"}, ("invalid", "email", None)),
        ("update_contact", {"customer_id": "E341227", "phone": "tomorrow"}, ("invalid", "phone", None)),
        (
            "update_contact", {"customer_id": "E341227", "email": "nora.hansen24@example.net"},
            ("conflict", "email", "email-taken"),
        ),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_done_says_why(
    world: LiveWorld,
    refusal: Refusal,
    tool: str,
    arguments: dict[str, Any],
    expected: tuple[str, str | None, str | None],
) -> None:
    assert refusal(world, tool, **arguments) == expected


def test_a_basic_fare_is_not_changed(world: LiveWorld, refusal: Refusal) -> None:
    asked = {"reservation_id": "T38JCG", "flight_id": "EF220-2026-05-23", "new_flight_id": "EF220-2026-05-27"}
    assert refusal(world, "change_flight", **asked) == ("forbidden", "reservation_id", "basic-final")


def test_a_flight_that_has_left_is_not_changed(world_with: WorldWith, refusal: Refusal) -> None:
    world = world_with(now="2026-05-27T23:05:00Z")
    asked = {"reservation_id": "XVK7TY", "flight_id": "EF242-2026-05-27", "new_flight_id": "EF242-2026-05-30"}
    assert refusal(world, "change_flight", **asked) == ("forbidden", "flight_id", "departed")


def test_a_change_needs_a_seat_for_everybody(world_with: WorldWith, refusal: Refusal) -> None:
    key = {"flight_id": "EF242-2026-05-22", "cabin": "economy"}
    world = world_with(("flight_cabins", key, {"seats_left": 0}))
    assert refusal(world, "change_flight", **MOVE) == ("conflict", "new_flight_id", "sold-out")


def test_a_changed_trip_still_leads_there_before_it_leads_back(world: LiveWorld, refusal: Refusal) -> None:
    asked = {"reservation_id": "3R3KKD", "flight_id": "EF119-2026-05-22", "new_flight_id": "EF119-2026-05-18"}
    assert refusal(world, "change_flight", **asked) == ("invalid", "new_flight_id", "too-early")
