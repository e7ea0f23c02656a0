"""Paths become families whatever their spelling, and what stands around a row on the wire is taken off."""

from __future__ import annotations

import copy
from pathlib import Path as Folder
from typing import Any

import pytest

from envfactory_gym.construct.model import Model
from envfactory_gym.construct.openapi.paths import Path

from .shop import built, model_of, shop


def left_out(model: Model) -> dict[str, str]:
    return {one.operation: one.reason for one in model.left_out}


@pytest.mark.parametrize(
    ("text", "segments", "verb"),
    [
        ("/orders/{id}/cancel", ("orders", "{id}", "cancel"), ""),
        ("/v1/{name}:cancel", ("v1", "{name}"), "cancel"),
        ("/v1/orders:search", ("v1", "orders"), "search"),
        ("/Calls/{Sid}.json", ("Calls", "{Sid}"), ""),
        ("/Users('{id}')", ("Users", "{id}"), ""),
        ("/orders/", ("orders",), ""),
        ("/", (), ""),
    ],
)
def test_paths_are_taken_apart_whatever_their_spelling(text: str, segments: tuple[str, ...], verb: str) -> None:
    path = Path.of(text)
    assert (path.segments, path.verb) == (segments, verb)


def test_parameters_may_be_called_differently_in_one_place() -> None:
    raw = shop()
    item = raw["paths"]["/v1/orders/{id}"]
    raw["paths"]["/v1/orders/{orderId}"] = {"delete": item.pop("delete")}
    orders = model_of(raw).resource("orders")
    assert [tool.verb for tool in orders.tools] == ["list", "get", "create", "update", "delete", "action"]


def test_a_verb_after_a_colon_is_an_action() -> None:
    raw = shop()
    raw["paths"]["/v1/orders/{id}:cancel"] = raw["paths"].pop("/v1/orders/{id}/cancel")
    action = model_of(raw).resource("orders").tool("action")
    assert action is not None
    assert action.name == "cancel_order"


def test_putting_a_row_that_nothing_else_creates_is_two_tools() -> None:
    raw = shop()
    collection, item = raw["paths"]["/v1/orders"], raw["paths"]["/v1/orders/{id}"]
    put = {**collection.pop("post"), "operationId": "CreateOrUpdateOrder"}
    item["put"] = put
    orders = model_of(raw).resource("orders")
    made = {tool.name: tool.operation for tool in orders.tools if tool.operation.startswith("PUT")}
    assert made == {"create_order": "PUT /v1/orders/{id}", "replace_order": "PUT /v1/orders/{id}"}
    assert not orders.minted
    assert any("there is a tool for each" in text for text in orders.assumptions)


def test_one_thing_below_an_item_has_its_key() -> None:
    raw = shop()
    content = {"application/json": {"schema": {"type": "object", "properties": {
        "language": {"type": "string", "enum": ["en", "no"]}, "newsletter": {"type": "boolean"}}}}}  # fmt: skip
    raw["paths"]["/v1/customers/{customerId}/preferences"] = {
        "get": {"responses": {"200": {"description": "ok", "content": content}}},
        "patch": {"requestBody": {"content": content}, "responses": {"200": {"description": "ok"}}},
    }
    found = model_of(raw).resource("customer_preferences")
    assert (found.key_field.references, found.key, found.parent) == ("customers", "customer_id", None)
    assert [tool.verb for tool in found.tools] == ["get", "update"]


def test_a_list_that_creates_needs_no_item_path() -> None:
    raw = shop()
    del raw["paths"]["/v1/customers/{customerId}/addresses/{addressLabel}"]
    addresses = model_of(raw).resource("addresses")
    assert [tool.verb for tool in addresses.tools] == ["list", "create"]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda row: {"type": "object", "properties": {"data": {"type": "object", "properties": {"order": row}}}},
        lambda row: {"type": "object", "properties": {"order": row, "server_time": {"type": "integer"}}},
        lambda row: {"type": "array", "items": row},
        lambda row: {
            "type": "object",
            "properties": {"data": {"type": "object", "properties": {
                "id": {"type": "string"}, "type": {"type": "string"}, "attributes": row}}},
        },  # JSON:API
    ],
    ids=["twice", "named", "list", "attributes"],
)  # fmt: skip
def test_a_row_is_found_in_any_envelope(wrap: Any) -> None:
    raw = shop()
    schema = wrap({"$ref": "#/components/schemas/Order"})
    raw["paths"]["/v1/orders/{id}"]["get"]["responses"]["200"]["content"]["application/json"]["schema"] = schema
    names = {field.name for field in model_of(raw).resource("orders").fields}
    assert {"title", "customer_id", "status"} <= names


def test_an_embedded_row_is_told_by_its_key_and_embedded_rows_by_their_table() -> None:
    raw = shop()
    order = raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]
    del order["customer_id"]
    raw["components"]["schemas"]["Order"]["allOf"][1]["required"] = ["title", "buyer"]
    order["buyer"] = {"$ref": "#/components/schemas/Customer"}
    customer = raw["components"]["schemas"]["Customer"]["allOf"][1]["properties"]
    customer["orders"] = {"type": "array", "items": {"type": "object", "properties": {"title": {"type": "string"}}}}
    model = model_of(raw)
    buyer = model.resource("orders").field("buyer_customer_id")
    assert (buyer.references, buyer.required) == ("customers", True)
    reasons = dict(model.resource("customers").left_out)
    assert reasons["orders"] == "holds rows that have a table of their own"


def test_names_are_unique_across_parents_where_others_are_nested_under_them() -> None:
    raw = shop()
    item = copy.deepcopy(raw["paths"]["/v1/orders/{id}"])
    base = "/v1/customers/{customerId}/addresses/{addressLabel}/doors"
    raw["paths"][base] = copy.deepcopy(raw["paths"]["/v1/orders"])
    raw["paths"][f"{base}/{{id}}"] = item
    model = model_of(raw)
    assert model.resource("addresses").key_columns == ("label",)
    assert "No two addresses of any customer have the same label." in model.resource("addresses").assumptions
    assert model.resource("doors").parent == "addresses"


def test_an_action_that_takes_fields_changes_them() -> None:
    raw = shop()
    body = {"content": {"application/json": {"schema": {"type": "object", "required": ["customer_id"],
            "properties": {"customer_id": {"type": "string"}}}}}}  # fmt: skip
    raw["paths"]["/v1/orders/{id}/assign"] = {"post": {"requestBody": body, "responses": {}}}
    tool = next(one for one in model_of(raw).resource("orders").tools if one.name == "assign_order")
    assert (tool.verb, [one.name for one in tool.arguments]) == ("update", ["customer_id"])


def test_what_only_an_update_takes_is_no_argument_of_creating() -> None:
    raw = shop()
    order = {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}
    post = raw["paths"]["/v1/orders"]["post"]
    post["requestBody"]["content"]["application/json"]["schema"] = order
    orders = model_of(raw).resource("orders")
    create, update = orders.tool("create"), orders.tool("update")
    assert create is not None and update is not None
    assert [one.name for one in create.arguments] == ["title"]
    assert "status" in {one.name for one in update.arguments}


def test_what_no_resource_stands_for_is_one_and_the_same() -> None:
    raw = shop()
    raw["paths"] = {f"/t/{{tenant}}{path}": item for path, item in raw["paths"].items()}
    model = model_of(raw)
    assert {one.table for one in model.resources} == {"customers", "orders", "addresses"}
    assert "`tenant` is one and the same everywhere: the document has no resource for it." in model.assumptions


def test_work_of_the_service_is_no_resource() -> None:
    raw = shop()
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "done": {"type": "boolean"}}}
    raw["components"]["schemas"]["Operation"] = schema
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Operation"}}}
    raw["paths"]["/v1/operations"] = {"get": {"responses": {"200": {"description": "ok", "content": {
        "application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Operation"}}}}}}}}  # fmt: skip
    raw["paths"]["/v1/operations/{id}"] = {
        "get": {"responses": {"200": {"description": "ok", "content": content}}},
        "delete": {"responses": {"204": {"description": "gone"}}},
    }
    assert left_out(model_of(raw))["DELETE /v1/operations/{id}"] == "tracks work that only the service starts"


def test_a_date_in_three_numbers_is_a_date() -> None:
    raw = shop()
    parts = {name: {"type": "integer"} for name in ("year", "month", "day")}
    order = raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]
    order["due"] = {"type": "object", "properties": parts}
    assert model_of(raw).resource("orders").field("due").kind == "date"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("customer", "The ID of the customer who ordered."),
        ("customer_arn", ""),
        ("customer_identifier", ""),
        ("customerId", ""),
    ],
)
def test_a_relation_is_told_by_a_name_or_by_what_is_said_of_it(name: str, text: str) -> None:
    raw = shop()
    order = raw["components"]["schemas"]["Order"]["allOf"][1]
    del order["properties"]["customer_id"]
    order["properties"][name] = {"type": "string", "description": text}
    order["required"] = ["title"]
    found = [field.references for field in model_of(raw).resource("orders").fields if field.references]
    assert found == ["customers"]


def test_a_table_is_spelled_as_its_schema_where_the_path_runs_words_together() -> None:
    raw = shop()
    for path in ("/v1/orders", "/v1/orders/{id}"):
        raw["paths"][path.replace("orders", "purchaseorders")] = raw["paths"].pop(path)
    raw["components"]["schemas"]["PurchaseOrder"] = raw["components"]["schemas"]["Order"]
    text = {"$ref": "#/components/schemas/PurchaseOrder"}
    get = raw["paths"]["/v1/purchaseorders/{id}"]["get"]["responses"]["200"]["content"]["application/json"]
    get["schema"] = text
    assert "purchase_orders" in {one.table for one in model_of(raw).resources}


def test_a_member_is_no_envelope_where_the_rest_has_an_identity() -> None:
    raw = shop()
    order = raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]
    order["order"] = {"type": "object", "properties": {"side": {"type": "string"}}}
    names = {field.name for field in model_of(raw).resource("orders").fields}
    assert {"title", "customer_id"} <= names


@pytest.mark.parametrize(("name", "refers"), [("parent_order_id", True), ("client_order_id", False)])
def test_a_row_refers_to_another_of_its_table_only_where_a_word_of_kinship_says_so(name: str, refers: bool) -> None:
    raw = shop()
    raw["components"]["schemas"]["Order"]["allOf"][1]["properties"][name] = {"type": "string"}
    found = {field.name for field in model_of(raw).resource("orders").fields if field.references == "orders"}
    assert (name in found) == refers


def test_a_resource_name_is_given_by_the_service_unless_creating_asks_for_it() -> None:
    raw = shop()
    base = raw["components"]["schemas"]["Base"]["properties"]
    base["name"] = {"type": "string", "description": "Identifier. Resource name of the order, as `orders/{order}`."}
    del base["id"]
    raw["components"]["schemas"]["Customer"]["allOf"][1]["required"] = ["email"]
    orders = model_of(raw).resource("orders")
    assert (orders.key, orders.minted) == ("name", True)
    asked = {"name": "orderId", "in": "query", "schema": {"type": "string"}}
    raw["paths"]["/v1/orders"]["post"]["parameters"] = [asked]
    assert not model_of(raw).resource("orders").minted


def test_a_circle_of_required_references_is_opened_and_this_is_said(tmp_path: Folder) -> None:
    raw = shop()
    raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]["parent_order_id"] = {"type": "string"}
    raw["components"]["schemas"]["Order"]["allOf"][1]["required"] = ["title", "customer_id", "parent_order_id"]
    raw["components"]["schemas"]["Customer"]["allOf"][1]["properties"]["first_order_id"] = {"type": "string"}
    raw["components"]["schemas"]["Customer"]["allOf"][1]["required"] += ["first_order_id"]
    model = model_of(raw)
    needed = {
        (one.table, field.name)
        for one in model.resources
        for field in one.fields
        if field.required and field.references
    }
    assert needed == {("customers", "first_order_id"), ("addresses", "customer_id")}
    assert any(
        "may be without `customer_id` and `parent_order_id`" in text for text in model.resource("orders").assumptions
    )
    assert built(raw, tmp_path).tools


def test_a_key_with_the_name_of_its_parents_column_leaves_both_their_columns() -> None:
    raw = shop()
    item = raw["paths"].pop("/v1/customers/{customerId}/addresses/{addressLabel}")
    schemas = raw["components"]["schemas"]
    schemas["Address"]["properties"]["customer_id"] = {"type": "string"}
    raw["paths"]["/v1/customers/{customerId}/addresses/{customer_id}"] = item
    names = [field.name for field in model_of(raw).resource("addresses").fields]
    assert names[:2] == ["customer_id", "parent_customer_id"]


def test_nobody_sorts_by_an_object() -> None:
    raw = shop()
    order = raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]
    order["summary"] = {"type": "object", "properties": {f"part{n}": {"type": "integer"} for n in range(6)}}
    raw["paths"]["/v1/orders"]["get"]["parameters"].append(
        {"name": "sort", "in": "query", "schema": {"type": "string"}}
    )
    assert "summary" not in model_of(raw).resource("orders").listing.sorts
