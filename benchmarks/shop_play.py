"""What is played in the measured shop: a setup of 20 rows, and an episode of 24 calls.

The calls reach all over the tables, so that a larger image has more distinct pages to change:
14 read, 8 write (36 rows), 2 are refused half way through their writes.
"""

from __future__ import annotations

from typing import Any

from envfactory_gym.environment.task import (
    Goal,
    GoalCall,
    GoldCall,
    GoldStep,
    RowPatch,
    SchemaValue,
    Setup,
    TaskPrivate,
    Turn,
    User,
)

from .shop_rows import counts, customer_id, order_id, sku

CALLS = 24
REFUSED = 2
TASK = "busy-day"
FAR_TOO_MANY = 999_999

Call = tuple[str, dict[str, Any]]


def setup() -> Setup:
    """Twenty changed rows: addresses, stocks and notes."""
    rows = [
        RowPatch(table="customers", key={"customer_id": customer_id(n)}, values={"postcode": f"{10_000 + n}"})
        for n in range(8)
    ]
    rows += [RowPatch(table="variants", key={"sku": sku(n)}, values={"stock": 300 + n}) for n in range(8)]
    note = {"written_at": "2026-05-13T08:00:00Z", "body": "Please ring twice."}
    rows += [
        RowPatch(table="notes", key={"note_id": 10_000_000 + n}, values={"order_id": order_id(n), **note})
        for n in range(4)
    ]
    return Setup(rows=tuple(rows))


def calls(orders: int) -> list[Call]:
    """The 24 calls of an episode, in order."""
    size = counts(orders)
    pending = [3 * (step * (orders // 3) // 10) for step in range(10)]  # every third order is pending
    assert len(set(pending)) == 10, "too few orders for an episode"
    writes: list[Call] = [
        ("cancel_order", {"order_id": order_id(pending[0]), "reason": "mistake"}),
        ("change_postcode", {"order_id": order_id(pending[1]), "postcode": "90210"}),
        ("add_line", {"order_id": order_id(pending[2]), "sku": sku(size["variants"] - 1), "quantity": 2}),
        ("remove_order", {"order_id": order_id(pending[3])}),
        (
            "place_order",
            {
                "customer_id": customer_id(size["customers"] // 2),
                "basket": [{"sku": sku(n * size["variants"] // 5), "quantity": 1} for n in range(3)],
            },
        ),
        ("cancel_order", {"order_id": order_id(pending[4]), "reason": "too_late"}),
        ("add_line", {"order_id": order_id(pending[5]), "sku": sku(size["variants"] // 3), "quantity": 1}),
        ("change_postcode", {"order_id": order_id(pending[6]), "postcode": "10115"}),
    ]
    refused: list[Call] = [
        ("add_line", {"order_id": order_id(order), "sku": sku(1), "quantity": FAR_TOO_MANY}) for order in pending[7:9]
    ]
    play: list[Call] = []
    for n, write in enumerate(writes):
        play.append(("get_customer", {"customer_id": customer_id(n * size["customers"] // 8)}))
        if n < 5:
            play.append(("get_order", {"order_id": order_id(n * orders // 5)}))
        if n == 5:
            play.append(("list_variants", {"product_id": size["products"]}))
        if n in (2, 6):
            play.append(refused.pop())
        play.append(write)
    assert len(play) == CALLS
    return play


def spread_writes(orders: int) -> list[Call]:
    """Sixteen writes of one row each, spread over the orders so that each changes a page of its own."""
    return [
        ("change_postcode", {"order_id": order_id(3 * (n * (orders // 3) // 16)), "postcode": f"{20_000 + n}"})
        for n in range(16)
    ]


def task(orders: int) -> TaskPrivate:
    """The episode as a task. Its arguments come from nowhere a solver could see, so it is not certified."""
    wanted = [call for call in calls(orders) if call[1].get("quantity") != FAR_TOO_MANY]
    goal = Goal(
        calls=tuple(
            GoalCall(
                id=f"c{n}",
                tool=name,
                arguments={key: SchemaValue(value=value) for key, value in arguments.items()},
                wish=True,
            )
            for n, (name, arguments) in enumerate(wanted)
        )
    )
    gold = GoldStep(
        say="Done.",
        calls=tuple(GoldCall(id=f"c{n}", tool=name, arguments=given) for n, (name, given) in enumerate(wanted)),
        expect="ends",
    )
    return TaskPrivate(
        id=TASK,
        environment="EnvFactory/bench_shop-v0",
        split="train",
        user=User(name="Ines"),
        setup=setup(),
        turns=(Turn(request="Please do what is on today's list.", goal=goal, gold=(gold,)),),
    )
