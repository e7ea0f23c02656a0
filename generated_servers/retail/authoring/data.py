"""Draws the shop's base world from the universe and writes `data/*.jsonl`.

Customers are grown people of the universe, with their own cards, at their own homes and places of work. Whoever
likes a product has often bought it twice, in another colour or size, so that one customer's orders resemble each
other. Every draw is keyed by what it is for.

Run from the root of the checkout: `python -m generated_servers.retail.authoring.data`.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from envfactory_gym.fields import days_between
from generated_servers.retail.authoring.range import articles, countries, products
from generated_servers.universe import draw
from generated_servers.universe.clock import NOW, Row, code, stamp
from generated_servers.universe.files import universe, write_jsonl
from generated_servers.universe.lives import age
from generated_servers.universe.places import address

DATA = Path(__file__).resolve().parents[1] / "data"
CUSTOMERS = 45
"""Percent of grown people who are customers."""

ACCEPTED_AFTER_MINUTES = 240
CAUSES = ("changed_mind", "by_mistake", "found_cheaper", "too_slow")
REASONS = (("changed_mind", 40), ("does_not_fit", 25), ("not_as_shown", 15), ("damaged", 14), ("wrong_article", 6))
FAULTS = ("damaged", "wrong_article")


class Stage(NamedTuple):
    """How far an order has come: its state and when it was packed off, and when it arrived."""

    status: str
    dispatched: datetime | None = None
    delivered: datetime | None = None


class Shop:
    """Customers and what they ordered as they are drawn, one customer after another."""

    def __init__(self) -> None:
        names = ("customers", "addresses", "methods", "orders", "lines", "parcels", "returns", "exchanges")
        self.tables: dict[str, list[Row]] = {name: [] for name in names}
        self.payments: list[Row] = []
        self.products = {row["product_id"]: row for row in products()}
        self.articles = articles()
        self.countries = {row["country"]: row for row in countries()}
        self.homes = {row["household"]: row for row in universe("addresses")}
        self.work = {row["company_id"]: row for row in universe("companies")}
        self.jobs = {row["person_id"]: row for row in universe("jobs")}
        self.cities = universe("cities")
        self.wallets: dict[str, list[Row]] = defaultdict(list)
        for card in universe("cards"):
            self.wallets[card["person_id"]].append(card)

    def add(self, person: Row) -> None:
        """A customer with addresses, cards and all orders."""
        name = person["person_id"]
        customer = {
            "customer_id": f"N{draw.number(100000, 999999, name, 'customer')}",
            "first_name": person["first_name"],
            "last_name": person["last_name"],
            "email": person["email"],
            "phone": person["phone"].replace(" ", ""),
            "tier": draw.weighted([("standard", 68), ("plus", 32)], name, "shop tier"),
        }
        self.tables["customers"].append(customer)
        places = self._addresses(person, customer["customer_id"])
        methods = self._methods(name, customer["customer_id"])
        favourite = draw.pick(self.articles, name, "favourite")["product_id"]
        seen: list[frozenset[str]] = []
        for number in range(draw.number(2, 6, name, "orders")):
            self._order(name, number, customer, places, methods, favourite, seen)

    # ------------------------------------------------------------ customers

    def _addresses(self, person: Row, customer_id: str) -> list[Row]:
        name = person["person_id"]
        known = {"home": self.homes[person["household"]]}
        if name in self.jobs:
            known["work"] = self.work[self.jobs[name]["company_id"]]
        if draw.chance(55, name, "holiday home"):
            near = [row for row in self.cities if row["country"] == person["country"]]
            there = draw.pick(near if draw.chance(60, name, "in the country") else self.cities, name, "holidays")
            known["holiday_home"] = address(there["city"], there["country"], name, "holiday home")
        found = [
            {
                "address_id": f"A{draw.number(100000, 999999, name, place, 'address')}",
                "customer_id": customer_id,
                "place": place,
                "street": row["line"],
                **{key: row[key] for key in ("postcode", "city", "country")},
            }
            for place, row in known.items()
        ]
        self.tables["addresses"] += found
        return found

    def _methods(self, name: str, customer_id: str) -> list[Row]:
        found = [
            {
                "method_id": f"M{draw.number(100000, 999999, name, index, 'method')}",
                "customer_id": customer_id,
                "kind": card["brand"],
                "last_four": card["last_four"],
                "valid_until": card["valid_until"],
                "balance_cents": None,
                "main": card["main"],
            }
            for index, card in enumerate(self.wallets[name])
        ]
        if len(found) == 1 and draw.chance(30, name, "old card"):
            found.append(
                {
                    "method_id": f"M{draw.number(100000, 999999, name, 'old card')}",
                    "customer_id": customer_id,
                    "kind": draw.pick(("visa", "mastercard", "amex"), name, "old card"),
                    "last_four": f"{draw.number(0, 9999, name, 'old digits'):04d}",
                    "valid_until": f"2026-{draw.number(1, 4, name, 'old month'):02d}",
                    "balance_cents": None,
                    "main": 0,
                }
            )
        for index in range(draw.weighted([(0, 35), (1, 45), (2, 20)], name, "gift cards")):
            found.append(
                {
                    "method_id": f"M{draw.number(100000, 999999, name, index, 'gift card')}",
                    "customer_id": customer_id,
                    "kind": "gift_card",
                    "last_four": f"{draw.number(0, 9999, name, index, 'gift digits'):04d}",
                    "valid_until": None,
                    "balance_cents": draw.pick((2500, 5000, 10000, 25000, 40000), name, index, "gift")
                    + draw.pick((0, 0, 1250, 340), name, index, "rest"),
                    "main": 0,
                }
            )
        self.tables["methods"] += found
        return found

    # ------------------------------------------------------------ orders

    def _order(
        self,
        name: str,
        number: int,
        customer: Row,
        places: list[Row],
        methods: list[Row],
        favourite: str,
        seen: list[frozenset[str]],
    ) -> None:
        key = (name, number, "order")
        wanted = self._wanted(key, favourite)
        contents = frozenset(article["product_id"] for article, _ in wanted)
        if any(contents < other or other < contents for other in seen):
            return  # "my order of the lamp" is to mean one order
        seen.append(contents)
        order_id, placed, stage = code(7, *key), *self._stage(key)
        place = places[0] if draw.chance(70, *key, "home") else draw.pick(places, *key, "place")
        goods = sum(article["price_cents"] * quantity for article, quantity in wanted)
        bulky = any(self.products[article["product_id"]]["bulk"] == "bulky" for article, _ in wanted)
        country = self.countries[place["country"]]
        express = not bulky and country["express_cents"] is not None and draw.chance(20, *key, "express")
        free = customer["tier"] == "plus" or goods >= 10000
        cost = country["express_cents"] if express else 0 if free else country["standard_cents"]
        cards = [row for row in methods if row["kind"] != "gift_card" and row["valid_until"] >= stamp(NOW)[:7]]
        gifts = [row for row in methods if row["kind"] == "gift_card"]
        by_gift = bool(gifts) and stage.status != "placed" and goods < 20000 and draw.chance(25, *key, "by gift card")
        method = draw.pick(gifts if by_gift else cards, *key, "pays")
        minutes = int((NOW - placed).total_seconds()) // 60
        ended = placed + timedelta(minutes=draw.number(1, min(minutes, 1500), *key, "cancelled"))
        self.tables["orders"].append(
            {
                "order_id": order_id,
                "customer_id": customer["customer_id"],
                "address_id": place["address_id"],
                "method_id": method["method_id"],
                "status": stage.status,
                "shipping": "express" if express else "standard",
                "shipping_cents": cost,
                "placed_at": stamp(placed),
                "delivered_at": stamp(stage.delivered) if stage.delivered else None,
                "cancelled_at": stamp(ended) if stage.status == "cancelled" else None,
                "cause": draw.pick(CAUSES, *key, "cause") if stage.status == "cancelled" else None,
            }
        )
        self._pay(self.tables["orders"][-1], goods + cost, placed, ended)
        for place_, (article, quantity) in enumerate(wanted):
            self.tables["lines"].append(
                {
                    "line_id": code(8, *key, place_),
                    "order_id": order_id,
                    "article_id": article["article_id"],
                    "quantity": quantity,
                    "each_cents": article["price_cents"],
                    "state": "bought",
                }
            )
        lines = self.tables["lines"][-len(wanted) :]
        self._dispatch(order_id, stage, bulky, len(wanted))
        if stage.delivered:
            for line in lines:
                self._afterwards(self.tables["orders"][-1], line, customer["tier"], stage.delivered)
            if all(line["state"] == "returned" for line in lines):
                self.tables["orders"][-1]["status"] = "returned"

    def _wanted(self, key: tuple[object, ...], favourite: str) -> list[tuple[Row, int]]:
        """One to three articles of different products, and how many; the price may have been another one then."""
        found: dict[str, tuple[Row, int]] = {}
        for place in range(draw.weighted([(1, 50), (2, 33), (3, 17)], *key, "lines")):
            again = place == 0 and draw.chance(45, *key, "favourite")
            options = [row for row in self.articles if not again or row["product_id"] == favourite]
            article = dict(draw.pick(options, *key, place))
            then = draw.weighted([(100, 55), (90, 20), (110, 15), (80, 10)], article["article_id"], *key, "then")
            article["price_cents"] = article["price_cents"] * then // 1000 * 10
            dear = article["price_cents"] > 15000
            quantity = 1 if dear else draw.weighted([(1, 60), (2, 25), (3, 8), (4, 7)], *key, place, "pieces")
            found.setdefault(article["product_id"], (article, quantity))
        return list(found.values())

    def _stage(self, key: tuple[object, ...]) -> tuple[datetime, Stage]:
        """When it was ordered, and how far it has come since."""
        kind = draw.weighted(
            [("placed", 11), ("paid", 17), ("packed", 6), ("shipped", 8), ("delivered", 50), ("cancelled", 8)],
            *key,
            "stage",
        )
        minutes = {
            "placed": (5, ACCEPTED_AFTER_MINUTES),
            "paid": (ACCEPTED_AFTER_MINUTES, 2 * 1440),
            "packed": (1440, 3 * 1440),
            "shipped": (2 * 1440, 7 * 1440),
            "delivered": (4 * 1440, 80 * 1440),
            "cancelled": (200, 90 * 1440),
        }[kind]
        placed = NOW - timedelta(minutes=draw.number(*minutes, *key, "placed"))
        if kind not in ("shipped", "delivered"):
            return placed, Stage(kind)
        dispatched = placed + timedelta(minutes=draw.number(600, 2 * 1440 - 60, *key, "dispatched"))
        if kind == "shipped":
            return placed, Stage(kind, dispatched)
        arrived = min(
            dispatched + timedelta(minutes=draw.number(900, 5 * 1440, *key, "way")), NOW - timedelta(minutes=90)
        )
        return placed, Stage(kind, dispatched, arrived)

    def _pay(self, order: Row, total: int, placed: datetime, ended: datetime) -> None:
        """The charge when the order was accepted, and what came back of a cancelled one."""
        method = next(row for row in self.tables["methods"] if row["method_id"] == order["method_id"])
        accepted = placed if method["kind"] == "gift_card" else placed + timedelta(minutes=ACCEPTED_AFTER_MINUTES)
        if order["status"] == "placed" or (order["status"] == "cancelled" and accepted > ended):
            return
        self._move(order, "order", total, min(accepted, NOW))
        if order["status"] == "cancelled":
            self._move(order, "order", -total, ended)

    def _move(self, order: Row, cause: str, cents: int, at: datetime) -> None:
        if cents:
            self.payments.append(
                {
                    "order_id": order["order_id"],
                    "method_id": order["method_id"],
                    "cause": cause,
                    "moved_cents": cents,
                    "made_at": stamp(at),
                }
            )

    def _dispatch(self, order_id: str, stage: Stage, bulky: bool, lines: int) -> None:
        if stage.dispatched is None:
            return
        for number in range(2 if lines > 1 and draw.chance(35, order_id, "two parcels") else 1):
            carrier = (
                "freight" if bulky and number == 0 else draw.pick(("parcel_service", "courier"), order_id, "carrier")
            )
            hours = draw.number(1, 10, order_id, number, "earlier") if number else 0
            self.tables["parcels"].append(
                {
                    "parcel_id": f"NH{draw.number(10**7, 10**8 - 1, order_id, number, 'parcel')}",
                    "order_id": order_id,
                    "carrier": carrier,
                    "dispatched_at": stamp(stage.dispatched),
                    "arrived_at": stamp(stage.delivered - timedelta(hours=hours)) if stage.delivered else None,
                }
            )

    # ------------------------------------------------------------ what comes back

    def _afterwards(self, order: Row, line: Row, tier: str, delivered: datetime) -> None:
        """Let a line go back or be exchanged now and then, by the rules of policy.md."""
        line_id = line["line_id"]
        article = next(row for row in self.articles if row["article_id"] == line["article_id"])
        product = self.products[article["product_id"]]
        if draw.chance(20 if days_between(stamp(delivered), stamp(NOW)) > 14 else 35, line_id, "goes back"):
            self._return(order, line, tier, product["return_rule"], delivered)
        elif product["return_rule"] == "any" and draw.chance(7, line_id, "exchanged"):
            others = [row for row in self.articles if row["product_id"] == article["product_id"] and row is not article]
            other = draw.pick(others, line_id, "for")
            difference = line["quantity"] * (other["price_cents"] - line["each_cents"])
            at = self._soon(delivered, 10, line_id, "arranged")
            line["state"] = "exchanged"
            self.tables["exchanges"].append(
                {
                    "exchange_id": code(6, line_id, "exchange"),
                    "line_id": line_id,
                    "article_id": other["article_id"],
                    "difference_cents": difference,
                    "arranged_at": stamp(at),
                }
            )
            self._move(order, "exchange", difference, at)

    def _return(self, order: Row, line: Row, tier: str, rule: str, delivered: datetime) -> None:
        line_id, amount = line["line_id"], line["quantity"] * line["each_cents"]
        reason = draw.weighted(REASONS, line_id, "reason")
        if rule == "final" and reason not in FAULTS:
            reason = "damaged"
        announced = self._soon(delivered, 12, line_id, "announced")
        waited = days_between(stamp(announced), stamp(NOW))
        fee = 0 if tier == "plus" or reason in FAULTS else 695
        received = announced + timedelta(days=draw.number(4, 14, line_id, "way back"), minutes=37)
        withdrawn = draw.chance(8, line_id, "withdrawn")
        status = "withdrawn" if withdrawn else "received" if received < NOW and waited > 2 else "announced"
        line["state"] = {"withdrawn": "bought", "received": "returned", "announced": "returning"}[status]
        opened = rule == "any" and draw.chance(40, line_id, "opened")
        self.tables["returns"].append(
            {
                "return_id": code(6, line_id, "return"),
                "line_id": line_id,
                "reason": reason,
                "condition": "opened" if opened or reason == "damaged" else "unopened",
                "announced_at": stamp(announced),
                "status": status,
                "fee_cents": fee,
                "refund_cents": amount - fee,
            }
        )
        if status == "received":
            self._move(order, "return", fee - amount, received)

    def _soon(self, moment: datetime, days: int, *key: object) -> datetime:
        """Some time after a moment, and before now."""
        minutes = int((NOW - moment).total_seconds()) // 60
        return moment + timedelta(minutes=draw.number(1, min(minutes, days * 1440), *key))


def tables() -> dict[str, list[Row]]:
    """Every table's rows, in the order they are written."""
    shop = Shop()
    for person in universe("people"):
        if age(person) >= 18 and draw.chance(CUSTOMERS, person["person_id"], "shop customer"):
            shop.add(person)
    payments = sorted(shop.payments, key=lambda row: (row["made_at"], row["order_id"], row["moved_cents"]))
    drawn = {table: sorted(rows, key=lambda row: str(next(iter(row.values())))) for table, rows in shop.tables.items()}
    return drawn | {
        "products": list(shop.products.values()),
        "articles": shop.articles,
        "countries": list(shop.countries.values()),
        "payments": [{"payment_id": number, **row} for number, row in enumerate(payments, start=1)],
    }


if __name__ == "__main__":
    for table, rows in tables().items():
        write_jsonl(DATA / f"{table}.jsonl", rows)
