"""The bank's world is what its generator draws, and what cards paid elsewhere stands on its statements to the cent."""

from __future__ import annotations

from pathlib import Path

import pytest

from envfactory_gym import Package
from generated_servers.banking.authoring import data
from generated_servers.banking.authoring import events as published
from generated_servers.universe import events, files
from generated_servers.universe.clock import NOW, stamp
from generated_servers.universe.files import universe

DRAWN = data.tables()


@pytest.fixture(scope="module")
def banking(checkout: Path) -> Package:
    return Package(checkout / "generated_servers" / "banking", trusted=True)


@pytest.mark.parametrize("table", ["customers", "payees", "transfers", "standing_orders"])
def test_the_generator_writes_what_is_in_the_package(table: str, banking: Package, tmp_path: Path) -> None:
    # The other tables also hold what other environments publish, which may have published more since.
    files.write_jsonl(tmp_path / "rows.jsonl", DRAWN[table])
    assert (tmp_path / "rows.jsonl").read_bytes() == (banking.path / "data" / f"{table}.jsonl").read_bytes()


def test_drawing_twice_gives_the_same() -> None:
    assert data.tables() == DRAWN


def test_customers_are_the_people_whose_main_card_is_the_banks(banking: Package) -> None:
    people = {person["person_id"]: person["email"] for person in universe("people")}
    cards = [card for card in universe("cards") if card["bank"] == data.BANK and card["main"]]
    assert {row["email"] for row in banking.rows("customers")} == {people[card["person_id"]] for card in cards}
    known = {(card["last_four"], card["valid_until"]) for card in cards}
    assert all(
        (row["last_four"], row["valid_until"]) in known for row in banking.rows("cards") if row["kind"] == "plastic"
    )


@pytest.mark.parametrize("environment", ["airline", "hotel"])
def test_what_a_card_paid_and_got_back_stands_on_the_statement(environment: str, banking: Package) -> None:
    people = {person["person_id"]: person["email"] for person in universe("people")}
    customers = {row["customer_id"]: row["email"] for row in banking.rows("customers")}
    owner = {row["account_id"]: customers[row["customer_id"]] for row in banking.rows("accounts")}
    digits = {row["card_id"]: row["last_four"] for row in banking.rows("cards") if row["kind"] == "plastic"}
    ours = {
        (owner[row["account_id"]], digits[row["card_id"]]) for row in banking.rows("cards") if row["card_id"] in digits
    }
    booked = {
        (
            owner[row["account_id"]],
            digits[row["card_id"]],
            row["booked_at"],
            row["counterparty"],
            row["reference"],
            row["amount_cents"] * (1 if row["indicator"] == "debit" else -1),
        )
        for row in banking.rows("transactions")
        if row["card_id"] in digits
    }
    published = [
        (people[row["person_id"]], row["card"], row["at"], row["company"], row["reference"], row["amount_cents"])
        for row in events.of(environment)
        if row["amount_cents"]
    ]
    expected = [row for row in published if row[:2] in ours]
    assert len(expected) > 150
    assert [row for row in expected if row not in booked] == []


def test_nothing_is_booked_after_the_clock(banking: Package) -> None:
    now = stamp(NOW)
    assert max(row["booked_at"] for row in banking.rows("transactions")) <= now
    assert max(row["opened_at"] for row in banking.rows("disputes")) <= now
    assert max(row["created_at"] for row in banking.rows("transfers")) <= now
    assert min(row["send_on"] for row in banking.rows("transfers") if row["status"] == "scheduled") >= now[:10]
    assert min(row["next_on"] for row in banking.rows("standing_orders") if row["next_on"]) >= now[:10]


def test_no_account_was_ever_below_its_overdraft(banking: Package) -> None:
    overdraft = {row["account_id"]: row["overdraft_cents"] for row in banking.rows("accounts")}
    balances = dict.fromkeys(overdraft, 0)
    for row in sorted(banking.rows("transactions"), key=lambda row: (row["booked_at"], row["indicator"])):
        change = row["amount_cents"] if row["indicator"] == "credit" else -row["amount_cents"]
        balances[row["account_id"]] += change
        assert balances[row["account_id"]] >= -overdraft[row["account_id"]], row
    assert balances == {row["account_id"]: row["balance_cents"] for row in banking.rows("accounts")}


def test_what_is_published_is_what_the_tables_say_and_names_no_card(banking: Package) -> None:
    written = sorted(published.published(), key=lambda row: (row["at"], row["event_id"]))
    assert events.of("banking") == written
    assert {row["card"] for row in written} == {None}
    fees = sum(row["amount_cents"] for row in banking.rows("transactions") if row["kind"] == "fee")
    assert fees == sum(row["amount_cents"] for row in written if row["kind"] == "fee")
