"""The rows of the measured shop: as many as asked for, the same ones every time."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Row = dict[str, Any]

_GIVEN = ("Asta", "Bjorn", "Carla", "Dario", "Elif", "Femi", "Greta", "Hugo", "Ines", "Jonas", "Kaya", "Liam")
_FAMILY = ("Aas", "Berg", "Costa", "Dahl", "Engel", "Faye", "Gruber", "Haas", "Ilves", "Jensen", "Kaur", "Lund")
_CITIES = ("Bergen", "Graz", "Lyon", "Oulu", "Porto", "Turin", "Utrecht", "York")
_THINGS = ("tent", "stove", "jacket", "rope", "lamp", "boot", "pack", "bottle", "map case", "blanket")
_KINDS = ("alpine", "coastal", "winter", "light", "sturdy", "compact", "recycled", "classic")
_COLOURS = ("black", "blue", "green", "grey", "orange", "red")
_SIZES = ("S", "M", "L", "XL")
_CARRIERS = ("Nordpost", "Parcelline", "Velo")
_SENTENCE = "Made for long days outside, tested in wind and rain, with seams that can be repaired at home."

STATUSES = ("pending", "shipped", "delivered")
"""Status of order n is `STATUSES[n % 3]`, so that callers know which orders may be changed."""

LINES = 3
"""Lines of each order."""


def counts(orders: int) -> dict[str, int]:
    """Rows per table of a shop with so many orders."""
    products = max(5, orders // 20)
    return {
        "customers": max(20, orders // 3),
        "products": products,
        "variants": 4 * products,
        "orders": orders,
        "order_lines": LINES * orders,
        "payments": orders,
        "parcels": sum(1 for n in range(orders) if n % 3),
        "notes": orders,
    }


def customer_id(n: int) -> str:
    """Number of customer n, counted from 0."""
    return f"C{n:06d}"


def order_id(n: int) -> str:
    """Number of order n, counted from 0."""
    return f"W{n:07d}"


def sku(n: int) -> str:
    """Number of variant n, counted from 0; variants 4p to 4p+3 belong to product p + 1."""
    return f"SKU{n:06d}"


def rows(orders: int, seed: int = 7) -> dict[str, list[Row]]:
    """All rows of a shop, by table.

    Args:
        orders: How many orders there are; everything else follows.
        seed: Names the shop.
    """
    draw = random.Random(seed).random  # the one method whose numbers are the same on every version

    def pick(items: Sequence[Item]) -> Item:
        return items[int(draw() * len(items))]

    def below(bound: int) -> int:
        return int(draw() * bound)

    size = counts(orders)

    def customers() -> Iterator[Row]:
        for n in range(size["customers"]):
            given, family = pick(_GIVEN), pick(_FAMILY)
            yield {
                "customer_id": customer_id(n), "name": f"{given} {family}",
                "email": f"{given}.{family}.{n}@example.com".lower(),
                "city": pick(_CITIES), "postcode": f"{below(100_000):05d}", "tier": pick(("basic", "silver", "gold")),
            }  # fmt: skip

    def products() -> Iterator[Row]:
        for n in range(size["products"]):
            kind, thing = pick(_KINDS), pick(_THINGS)
            yield {
                "product_id": n + 1, "name": f"{kind.capitalize()} {thing} {n + 1}", "category": thing,
                "description": f"A {kind} {thing}. {_SENTENCE}",
            }  # fmt: skip

    def variants() -> Iterator[Row]:
        for n in range(size["variants"]):
            yield {
                "sku": sku(n), "product_id": n // 4 + 1, "colour": pick(_COLOURS), "size": _SIZES[n % 4],
                "price_cents": 500 + below(90_000), "stock": 50 + below(400),
            }  # fmt: skip

    def all_orders() -> Iterator[Row]:
        for n in range(orders):
            yield {
                "order_id": order_id(n), "customer_id": customer_id(below(size["customers"])),
                "status": STATUSES[n % 3], "placed_at": f"2026-0{1 + n % 4}-11T10:00:00Z",
                "postcode": f"{below(100_000):05d}", "total_cents": 1_000 + below(1_000_000),
            }  # fmt: skip

    def order_lines() -> Iterator[Row]:
        for n in range(LINES * orders):
            yield {
                "line_id": n + 1, "order_id": order_id(n // LINES), "sku": sku(below(size["variants"])),
                "quantity": 1 + below(3), "price_cents": 500 + below(90_000),
            }  # fmt: skip

    def payments() -> Iterator[Row]:
        for n in range(orders):
            yield {
                "payment_id": n + 1, "order_id": order_id(n), "kind": "payment",
                "amount_cents": 1_000 + below(1_000_000), "paid_at": f"2026-0{1 + n % 4}-11T10:01:00Z",
            }  # fmt: skip

    def parcels() -> Iterator[Row]:
        for n in range(orders):
            if n % 3:
                yield {
                    "order_id": order_id(n), "parcel": 1, "carrier": pick(_CARRIERS),
                    "tracking": f"{below(10**12):012d}",
                }  # fmt: skip

    def notes() -> Iterator[Row]:
        for n in range(orders):
            yield {
                "note_id": n + 1, "order_id": order_id(n), "written_at": f"2026-0{1 + n % 4}-11T10:02:00Z",
                "body": f"Ordered from the {pick(_CITIES)} newsletter.",
            }  # fmt: skip

    makers = (customers, products, variants, all_orders, order_lines, payments, parcels, notes)
    return {table: list(make()) for table, make in zip(size, makers, strict=True)}
