"""The shop's world is what its generator draws, and what the universe knows of it is what its tables say."""

from __future__ import annotations

from pathlib import Path

import pytest

from envfactory_gym import Package, load_package
from generated_servers.retail.authoring import data, events
from generated_servers.universe import events as universe_events
from generated_servers.universe import files
from generated_servers.universe.clock import NOW, stamp
from generated_servers.universe.files import universe

DRAWN = data.tables()


@pytest.fixture(scope="module")
def retail() -> Package:
    return load_package("retail")


@pytest.mark.parametrize("table", list(DRAWN))
def test_the_generator_writes_what_is_in_the_package(table: str, retail: Package, tmp_path: Path) -> None:
    files.write_jsonl(tmp_path / "rows.jsonl", DRAWN[table])
    assert (tmp_path / "rows.jsonl").read_bytes() == (retail.path / "data" / f"{table}.jsonl").read_bytes()


def test_customers_and_their_cards_are_the_universes(retail: Package) -> None:
    people = {person["email"]: person for person in universe("people")}
    cards = {(card["person_id"], card["last_four"], card["valid_until"]) for card in universe("cards")}
    customers = {row["customer_id"]: people[row["email"]] for row in retail.rows("customers")}
    for row in retail.rows("customers"):
        assert row["last_name"] == customers[row["customer_id"]]["last_name"]
    valid = [row for row in retail.rows("methods") if row["kind"] != "gift_card" and row["valid_until"] >= "2026-05"]
    assert valid
    for card in valid:
        assert (customers[card["customer_id"]]["person_id"], card["last_four"], card["valid_until"]) in cards


def test_nothing_that_happened_is_still_to_come(retail: Package) -> None:
    now = stamp(NOW)
    for table in DRAWN:
        for row in retail.rows(table):
            assert all(row[column] is None or row[column] <= now for column in row if column.endswith("_at"))


def test_what_is_in_an_order_tells_it_from_the_customers_others(retail: Package) -> None:
    products = {row["article_id"]: row["product_id"] for row in retail.rows("articles")}
    contents: dict[str, set[str]] = {}
    for line in retail.rows("lines"):
        contents.setdefault(line["order_id"], set()).add(products[line["article_id"]])
    orders: dict[str, list[set[str]]] = {}
    for order in retail.rows("orders"):
        orders.setdefault(order["customer_id"], []).append(contents[order["order_id"]])
    for sets in orders.values():
        assert not any(one < other for one in sets for other in sets)


def test_what_is_published_is_what_the_tables_say(retail: Package) -> None:
    written = sorted(events.published(), key=lambda row: (row["at"], row["event_id"]))
    assert universe_events.of("retail") == written
    gift_cards = {row["method_id"] for row in retail.rows("methods") if row["kind"] == "gift_card"}
    moved = sum(row["moved_cents"] for row in retail.rows("payments") if row["method_id"] not in gift_cards)
    assert moved == sum(row["amount_cents"] for row in written if row["amount_cents"] is not None)
