"""The hotels' world is what its generator draws, and what the universe knows of it is what its tables say."""

from __future__ import annotations

from pathlib import Path

import pytest

from envfactory_gym import Package, load_package
from generated_servers.hotel.authoring import data, events
from generated_servers.universe import events as universe_events
from generated_servers.universe import files
from generated_servers.universe.files import universe

DRAWN = data.tables()


@pytest.fixture(scope="module")
def hotel() -> Package:
    return load_package("hotel")


@pytest.mark.parametrize("table", list(DRAWN))
def test_the_generator_writes_what_is_in_the_package(table: str, hotel: Package, tmp_path: Path) -> None:
    files.write_jsonl(tmp_path / "rows.jsonl", DRAWN[table])
    assert (tmp_path / "rows.jsonl").read_bytes() == (hotel.path / "data" / f"{table}.jsonl").read_bytes()


def test_guests_and_their_cards_are_the_universes(hotel: Package) -> None:
    people = {person["email"]: person for person in universe("people")}
    cards = {(card["person_id"], card["last_four"], card["valid_until"]) for card in universe("cards")}
    guests = {guest["guest_id"]: people[guest["email"]] for guest in hotel.rows("guests")}
    for guest in hotel.rows("guests"):
        assert guest["last_name"] == guests[guest["guest_id"]]["last_name"]
    for card in hotel.rows("cards"):
        assert (guests[card["guest_id"]]["person_id"], card["last_four"], card["valid_until"]) in cards


def test_whoever_flies_somewhere_mostly_stays_there(hotel: Package) -> None:
    cities = {row["city"] for row in hotel.rows("hotels")}
    trips = {
        (row["person_id"], row["city"], row["ends_at"][:10])
        for row in universe_events.of("airline")
        if row["kind"] == "flight"
    }
    stays = [row for row in universe_events.of("hotel") if row["kind"] == "stay"]
    matched = [row for row in stays if (row["person_id"], row["city"], row["starts_at"][:10]) in trips]
    assert len(matched) > 150
    assert {row["city"] for row in matched} <= cities


def test_what_is_published_is_what_the_tables_say(hotel: Package) -> None:
    written = sorted(events.published(), key=lambda row: (row["at"], row["event_id"]))
    assert universe_events.of("hotel") == written
    moved = sum(row["amount_cents"] for row in written if row["amount_cents"] is not None)
    assert moved == sum(row["amount_cents"] for row in hotel.rows("charges"))


def test_shipped_tasks_hold_and_use_every_kind_of_write(hotel: Package) -> None:
    tasks = hotel.tasks
    assert len(tasks) >= 100
    assert {task.split for task in tasks} == {"train", "dev", "test"}
    wished = {call.tool for task in tasks for turn in task.turns for call in turn.goal.calls if call.wish}
    assert {name for name, tool in hotel.tools.items() if tool.writes} <= wished
