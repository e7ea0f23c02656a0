"""The tools of a compiled package do what the API's users expect, and refuse the rest by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from envfactory_gym import Package, ToolError
from envfactory_gym.world import LiveWorld, Template


@pytest.fixture
def world(shop_package: Package) -> Iterator[LiveWorld]:
    template = Template.of(shop_package)
    live = template.acquire()
    yield live
    template.release(live)


def call(world: LiveWorld, tool: str, **arguments: Any) -> Any:
    return json.loads(world.call(tool, arguments))


def refusal(world: LiveWorld, tool: str, **arguments: Any) -> tuple[str, str | None, str | None]:
    with pytest.raises(ToolError) as caught:
        world.call(tool, arguments)
    return caught.value.code, caught.value.field, caught.value.reason


def customer(world: LiveWorld, **changes: Any) -> Any:
    given = {"name": "Ada Brook", "email": "ada@brook.example", "password": "secret", **changes}
    return call(world, "create_customer", **given)


def test_the_server_sets_identifier_and_times(world: LiveWorld) -> None:
    made = customer(world)
    assert (made["created_at"], made["updated_at"]) == (world.now, world.now)
    assert call(world, "get_customer", customer_id=made["id"])["name"] == "Ada Brook"
    assert refusal(world, "create_customer", id="X", name="A", email="a@b.example", password="p")[:2] == (
        "invalid",
        "id",
    )


def test_a_secret_is_taken_and_never_shown(world: LiveWorld) -> None:
    made = customer(world)
    assert "password" not in made
    assert "password" not in call(world, "list_customers")["customers"][0]
    assert world.query("SELECT password FROM customers WHERE id = ?", (made["id"],)) == [("secret",)]


def test_required_unique_and_bounded_fields_are_checked(world: LiveWorld) -> None:
    customer(world)
    assert refusal(world, "create_customer", name="A", email="a@b.example") == ("invalid", "password", None)
    assert refusal(world, "create_customer", name="A", email="ada@brook.example", password="p") == (
        "conflict", "email", "unique-customer-email",
    )  # fmt: skip
    assert refusal(world, "create_customer", name="A", email="a@b.example", password="p", credit=-1.0)[1] == "credit"
    assert refusal(world, "create_customer", name="A", email="a@b.example", password="p", tier="tin")[1] == "tier"


def test_patch_keeps_what_is_not_given_and_put_clears_it(world: LiveWorld) -> None:
    made = customer(world, nickname="Ada", tags=["vip"], newsletter=True)
    patched = call(world, "update_customer", customer_id=made["id"], nickname="Bea")
    assert (patched["nickname"], patched["tags"], patched["newsletter"]) == ("Bea", ["vip"], True)
    given = {"name": "Ada", "email": "new@brook.example", "password": "p"}
    put = call(world, "replace_customer", customer_id=made["id"], **given)
    assert (put["nickname"], put["tags"], put["newsletter"], put["email"]) == (None, None, None, "new@brook.example")


def test_a_patch_can_empty_what_the_document_lets_be_null_and_nothing_else(world: LiveWorld) -> None:
    made = customer(world, nickname="Ada", tier="gold")
    cleared = call(world, "update_customer", customer_id=made["id"], clear="nickname")
    assert (cleared["nickname"], cleared["tier"], cleared["name"]) == (None, "gold", made["name"])
    assert refusal(world, "update_customer", customer_id=made["id"], clear="name")[:2] == ("invalid", "clear")
    assert refusal(world, "update_order", order_id="NOSUCH", clear="note")[1] in ("clear", "order_id")


def test_a_reference_must_exist(world: LiveWorld) -> None:
    assert refusal(world, "create_order", title="Tea", customer_id="NOSUCH") == ("not_found", "customer_id", None)
    order = call(world, "list_orders", limit=1)["orders"][0]
    assert refusal(world, "update_order", order_id=order["id"], customer_id="NOSUCH")[:2] == (
        "not_found",
        "customer_id",
    )


def test_a_deletion_takes_what_belongs_to_the_row_and_respects_what_refers_to_it(world: LiveWorld) -> None:
    made = customer(world)
    call(world, "create_address", customer_id=made["id"], address_label="home", city="Oslo")
    order = call(world, "create_order", title="Tea", customer_id=made["id"])
    assert refusal(world, "delete_customer", customer_id=made["id"]) == (
        "conflict",
        "customer_id",
        "keep-used-customers",
    )
    call(world, "delete_order", order_id=order["id"])
    assert call(world, "delete_customer", customer_id=made["id"]) == {"deleted": made["id"]}
    assert world.query("SELECT count(*) FROM addresses WHERE customer_id = ?", (made["id"],)) == [(0,)]
    assert refusal(world, "get_customer", customer_id=made["id"])[:2] == ("not_found", "customer_id")


def test_a_nested_row_is_found_in_its_parent_only(world: LiveWorld) -> None:
    first, second = customer(world), customer(world, email="b@brook.example")
    call(world, "create_address", customer_id=first["id"], address_label="home", city="Oslo")
    assert call(world, "get_address", customer_id=first["id"], address_label="home")["city"] == "Oslo"
    assert refusal(world, "get_address", customer_id=second["id"], address_label="home")[1] == "address_label"
    assert refusal(world, "get_address", customer_id="NOSUCH", address_label="home")[1] == "customer_id"
    assert refusal(world, "create_address", customer_id=first["id"], address_label="home", city="Bergen") == (
        "conflict", "address_label", "unique-address-label",
    )  # fmt: skip


def test_pages_follow_each_other_without_gap(world: LiveWorld) -> None:
    whole = [row["id"] for row in call(world, "list_customers", limit=50)["customers"]]
    seen: list[str] = []
    cursor: dict[str, Any] = {}
    while True:
        page = call(world, "list_customers", limit=7, **cursor)
        seen += [row["id"] for row in page["customers"]]
        assert page["total"] == len(whole)
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert seen == whole
    assert refusal(world, "list_customers", cursor="first")[:2] == ("invalid", "cursor")
    assert refusal(world, "list_customers", limit=51)[:2] == ("invalid", "limit")


def test_lists_filter_search_and_sort(world: LiveWorld) -> None:
    made = customer(world, name="Zorica Unmistakable", tier="gold")
    assert [row["id"] for row in call(world, "list_customers", q="unMISTAKable")["customers"]] == [made["id"]]
    assert {row["tier"] for row in call(world, "list_customers", tier="gold")["customers"]} == {"gold"}
    names = [row["name"] for row in call(world, "list_customers", sort_by="name", descending=True)["customers"]]
    assert names == sorted(names, reverse=True)
    assert call(world, "list_orders", created_after="2026-05-14T09:00:01Z")["total"] == 0


def test_an_action_moves_the_state_once_and_not_from_the_end(world: LiveWorld) -> None:
    buyer = customer(world)["id"]
    order = call(world, "create_order", title="Tea", customer_id=buyer, status="open")["id"]
    assert call(world, "cancel_order", order_id=order)["status"] == "cancelled"
    assert refusal(world, "cancel_order", order_id=order) == ("conflict", "order_id", "already_cancelled")
    done = call(world, "create_order", title="Tea", customer_id=buyer, status="completed")["id"]
    assert refusal(world, "cancel_order", order_id=done) == ("conflict", "order_id", "final-cancel-order")


def test_nothing_ends_before_it_starts(world: LiveWorld) -> None:
    given = {"title": "Tea", "customer_id": customer(world)["id"], "start_date": "2026-06-02"}
    assert refusal(world, "create_order", **given, end_date="2026-06-01") == (
        "invalid",
        "end_date",
        "dates-orders",
    )
    order = call(world, "create_order", **given, end_date="2026-06-03")["id"]
    assert refusal(world, "update_order", order_id=order, start_date="2026-06-04")[2] == "dates-orders"


@pytest.mark.parametrize("value", ["2026-13-01", "2026-02-40", "2026-02-30", "tomorrow", "", "2026-05-14T09:00:00Z"])
def test_a_date_is_a_date(world: LiveWorld, value: str) -> None:
    order = call(world, "list_orders", limit=1)["orders"][0]["id"]
    assert refusal(world, "update_order", order_id=order, start_date=value)[:2] == ("invalid", "start_date")


def test_structured_arguments_are_checked_and_kept(world: LiveWorld) -> None:
    phones = [{"number": "+47 555 10000", "type": "work"}]
    assert customer(world, phones=phones)["phones"] == phones
    wrong = {"name": "A", "email": "a@b.example", "password": "p", "phones": [{"type": "work"}]}
    assert refusal(world, "create_customer", **wrong)[:2] == ("invalid", "phones")
