"""Publishes what others know of the shop: orders, what was charged and refunded for them, and deliveries.

Run from the root of the checkout, after the data: `python -m generated_servers.retail.authoring.events`.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from generated_servers.universe import events
from generated_servers.universe.clock import Row
from generated_servers.universe.files import read_jsonl, universe

DATA = Path(__file__).resolve().parents[1] / "data"
COMPANY = "Nordlight Home"


def published() -> list[Row]:
    """An `order_placed` for every order, and an event for each charge, refund, delivery and cancellation."""
    tables = {path.stem: read_jsonl(path) for path in sorted(DATA.glob("*.jsonl"))}
    people = {row["email"]: row["person_id"] for row in universe("people")}
    owner = {row["customer_id"]: people[row["email"]] for row in tables["customers"]}
    products = {row["product_id"]: row["name"] for row in tables["products"]}
    names = {row["article_id"]: products[row["product_id"]] for row in tables["articles"]}
    cities = {row["address_id"]: row["city"] for row in tables["addresses"]}
    methods = {row["method_id"]: row for row in tables["methods"]}
    orders = {row["order_id"]: row for row in tables["orders"]}
    contents: dict[str, list[str]] = defaultdict(list)
    for line in tables["lines"]:
        contents[line["order_id"]].append(names[line["article_id"]])
    shared = {
        order_id: {
            "person_id": owner[order["customer_id"]],
            "company": COMPANY,
            "reference": order_id,
            "city": cities[order["address_id"]],
            "summary": ", ".join(sorted(contents[order_id])),
        }
        for order_id, order in orders.items()
    }
    found = []
    for order_id, order in orders.items():
        for kind in ("placed", "delivered", "cancelled"):
            if order[f"{kind}_at"] is not None:
                known = {"kind": f"order_{kind}", "at": order[f"{kind}_at"], **shared[order_id]}
                found.append(events.event("retail", f"{order_id}/{kind}", **known))
    for payment in tables["payments"]:
        method = methods[payment["method_id"]]
        known = {
            "kind": "refund" if payment["moved_cents"] < 0 else "order_paid",
            "at": payment["made_at"],
            "amount_cents": payment["moved_cents"] if method["kind"] != "gift_card" else None,
            "card": method["last_four"] if method["kind"] != "gift_card" else None,
            **shared[payment["order_id"]],
        }
        found.append(events.event("retail", f"payment/{payment['payment_id']}", **known))
    return found


if __name__ == "__main__":
    events.publish("retail", published())
