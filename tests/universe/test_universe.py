"""The universe: drawn the same everywhere, coherent in itself, and coherent with the environments that stand on it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from generated_servers.airline.authoring import events as airline_events
from generated_servers.universe import draw, events, files, generate, lives
from generated_servers.universe.clock import NOW, code, moment, stamp
from generated_servers.universe.files import universe


@pytest.mark.parametrize("table", ["people", "cities", "addresses", "companies", "jobs", "cards"])
def test_every_table_is_drawn_the_same_way(table: str, tmp_path: Path) -> None:
    files.write_jsonl(tmp_path / "rows.jsonl", generate.tables()[table])
    assert (tmp_path / "rows.jsonl").read_bytes() == (files.HERE / f"{table}.jsonl").read_bytes()


def test_more_households_change_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    before = generate.tables()
    monkeypatch.setattr(generate, "HOUSEHOLDS", generate.HOUSEHOLDS + 50)
    after = generate.tables()
    for table in ("people", "addresses", "cards"):
        assert after[table][: len(before[table])] == before[table], table


def test_draws_depend_on_their_name_alone() -> None:
    assert draw.number(1, 6, "die", 1) == draw.number(1, 6, "die", 1)
    assert {draw.number(1, 6, "die", n) for n in range(100)} == {1, 2, 3, 4, 5, 6}
    assert [draw.weighted([("a", 1), ("b", 0)], n) for n in range(3)] == ["a", "a", "a"]
    assert code(6, "a") == code(6, "a") != code(6, "b")


def test_moments_are_read_back_as_written() -> None:
    assert moment(stamp(NOW)) == NOW


def test_everything_names_somebody_and_something_that_is_there() -> None:
    people = {row["person_id"]: row for row in universe("people")}
    cities = {row["city"] for row in universe("cities")}
    companies = {row["company_id"] for row in universe("companies")}
    assert {row["city"] for row in people.values()} <= cities
    assert {row["household"] for row in universe("addresses")} == {row["household"] for row in people.values()}
    assert all(row["person_id"] in people and row["company_id"] in companies for row in universe("jobs"))
    adults = {name for name, row in people.items() if lives.age(row) >= 18}
    assert {row["person_id"] for row in universe("cards")} == adults


def test_what_has_to_be_unique_is() -> None:
    for table, column in (("people", "email"), ("jobs", "work_email"), ("companies", "name"), ("cities", "city")):
        counts = Counter(row[column] for row in universe(table))
        assert [value for value, times in counts.items() if times > 1] == [], (table, column)


def test_nobody_works_before_growing_up() -> None:
    born = {row["person_id"]: row["date_of_birth"] for row in universe("people")}
    early = [row for row in universe("jobs") if int(row["since"][:4]) - int(born[row["person_id"]][:4]) < 18]
    assert early == []


def test_an_event_says_what_it_must() -> None:
    with pytest.raises(ValueError, match=r"shop:1: unknown fields \['colour'\], missing fields \['company'\]"):
        events.event(
            "shop", "1", kind="order", at="2026-05-01T00:00:00Z", person_id="P00001", summary="a", colour="red"
        )


def test_the_airlines_events_are_what_its_data_say() -> None:
    written = sorted(airline_events.published(), key=lambda row: (row["at"], row["event_id"]))
    assert events.of("airline") == written
    paid = sum(row["amount_cents"] for row in written if row["amount_cents"] is not None)
    data = files.HERE.parent / "airline" / "data"
    charged = sum(row["amount_cents"] for row in files.read_jsonl(data / "payments.jsonl") if row["card_id"])
    refunded = sum(row["amount_cents"] for row in files.read_jsonl(data / "refunds.jsonl") if row["card_id"])
    assert paid == charged - refunded


def test_events_belong_to_people_and_to_their_cards() -> None:
    cards = {(row["person_id"], row["last_four"]) for row in universe("cards")}
    companies = {row["name"] for row in universe("companies")}
    for row in events.of():
        assert row["company"] in companies, row
        assert row["card"] is None or (row["person_id"], row["card"]) in cards, row
        assert row["at"] <= stamp(NOW), row
        if row["kind"] == "payment_scheduled":  # a moment to come: it begins, and takes no time
            assert row["starts_at"] > row["at"] and row["ends_at"] is None, row
        else:
            assert (row["starts_at"] is None) == (row["ends_at"] is None), row
            assert row["starts_at"] is None or row["starts_at"] < row["ends_at"], row
