"""Paths and schemas become tables, relations and tools; what cannot is left out with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from envfactory_gym.construct import BuildError
from envfactory_gym.construct.model import Field, Model, Resource
from envfactory_gym.construct.openapi.settling import without_copies
from envfactory_gym.environment.tool import RESERVED_NAMES

from .shop import model_of, shop


def reasons(model: Model, table: str) -> dict[str, str]:
    return dict(model.resource(table).left_out)


def left_out(model: Model) -> dict[str, str]:
    return {one.operation: one.reason for one in model.left_out}


def test_a_collection_and_its_item_are_one_table_with_its_tools(shop_model: Model) -> None:
    names = {one.table: [tool.name for tool in one.tools] for one in shop_model.resources}
    assert names == {
        "customers": [
            "list_customers", "get_customer", "create_customer",
            "update_customer", "replace_customer", "delete_customer",
        ],
        "orders": ["list_orders", "get_order", "create_order", "update_order", "delete_order", "cancel_order"],
        "addresses": ["list_addresses", "get_address", "create_address", "delete_address"],
    }  # fmt: skip


def test_every_operation_is_a_tool_or_left_out_with_a_reason(shop_model: Model) -> None:
    tools = [tool.operation for one in shop_model.resources for tool in one.tools]
    assert len(tools) + len(shop_model.left_out) == shop_model.operations
    assert left_out(shop_model) == {
        "GET /v1/health": "reads something the service computes, with no resource behind it",
        "POST /v1/orders/{id}/frobnicate": "the document does not say what this action changes",
    }


def test_an_identifier_is_made_by_the_server_and_a_name_by_the_client(shop_model: Model) -> None:
    assert (shop_model.resource("customers").minted, shop_model.resource("customers").key) == (True, "id")
    addresses = shop_model.resource("addresses")
    assert (addresses.minted, addresses.key_columns) == (False, ("customer_id", "label"))


def test_relations_come_from_paths_and_from_names(shop_model: Model) -> None:
    found = {
        (one.table, field.name): (field.references, field.role)
        for one in shop_model.resources
        for field in one.fields
        if field.references
    }
    assert found == {
        ("orders", "customer_id"): ("customers", "plain"),
        ("addresses", "customer_id"): ("customers", "parent"),
    }


def test_fields_are_left_out_for_reasons(shop_model: Model) -> None:
    customers = reasons(shop_model, "customers")
    assert customers == {
        "etag": "serves transport, not the resource",
        "old_name": "is deprecated",
        "friends": "is nested more deeply than a column can hold",
        "loyalty_score": "is set by the service in ways the document does not say",
        "mystery_id": "refers to something that this environment does not hold",
    }
    assert reasons(shop_model, "orders")["customer_name"] == "repeats customers.name"


def test_small_objects_become_columns_and_lists_become_json(shop_model: Model) -> None:
    kinds = {field.name: field.kind for one in shop_model.resources for field in one.fields}
    assert (kinds["location_lat"], kinds["location_lng"]) == ("number", "number")
    assert (kinds["tags"], kinds["phones"]) == ("json", "json")
    phones = shop_model.resource("customers").field("phones").nested
    assert phones is not None
    assert [(part.name, part.required, part.enum) for part in phones.parts] == [
        ("number", True, ()), ("type", False, ("home", "work")),
    ]  # fmt: skip


def test_what_the_server_sets_is_no_argument(shop_model: Model) -> None:
    create = shop_model.resource("customers").tool("create")
    assert create is not None
    assert {"id", "created_at", "updated_at"}.isdisjoint(field.name for field in create.arguments)


def test_a_documented_conflict_makes_a_field_unique(shop_model: Model) -> None:
    assert [field.name for field in shop_model.resource("customers").fields if field.unique] == ["email"]


def test_lists_filter_sort_and_page_as_documented(shop_model: Model) -> None:
    customers, orders = shop_model.resource("customers").listing, shop_model.resource("orders").listing
    assert [(one.argument, one.op) for one in customers.filters] == [("q", "search"), ("tier", "=")]
    assert (customers.sorts, customers.default_limit, customers.max_limit) == (("name", "created_at"), 10, 50)
    assert (customers.cursor, orders.cursor) == (True, False)
    assert [(one.argument, one.column, one.op) for one in orders.filters] == [
        ("created_after", "created_at", ">="), ("status", "status", "="), ("customer_id", "customer_id", "="),
    ]  # fmt: skip


def test_an_action_is_modelled_where_an_enum_tells_its_effect(shop_model: Model) -> None:
    action = shop_model.resource("orders").tool("action")
    assert action is not None
    assert action.transition is not None
    assert (action.transition.column, action.transition.value) == ("status", "cancelled")
    assert action.transition.refused_from == ("completed",)


def test_names_that_mean_something_in_python_are_changed(shop_model: Model) -> None:
    assert {"class_", "group"} <= {field.name for field in shop_model.resource("orders").fields}


def test_a_document_without_state_is_refused() -> None:
    raw = shop()
    for item in raw["paths"].values():
        for method in ("post", "put", "patch", "delete"):
            item.pop(method, None)
    with pytest.raises(BuildError, match="can be changed"):
        model_of(raw)


def test_rows_that_nobody_can_find_or_make_are_left_out() -> None:
    raw = shop()
    raw["paths"]["/v1/parcels/{id}"] = raw["paths"].pop("/v1/orders/{id}")
    reason = "rows can neither be listed nor created, so nobody could know their keys"
    assert left_out(model_of(raw))["GET /v1/parcels/{id}"] == reason


def test_a_body_that_lists_changes_is_left_out() -> None:
    raw = shop()
    change = {"type": "object", "properties": {"changetype": {"type": "string"}, "city": {"type": "string"}}}
    raw["components"]["schemas"]["Customer"]["allOf"][1]["properties"]["entries"] = {"type": "array", "items": change}
    assert "`entries`" in left_out(model_of(raw))["PATCH /v1/customers/{customerId}"]


def test_enums_may_stand_in_a_description() -> None:
    raw = shop()
    status = {"type": "string", "description": 'State. Possible values are:\n- "open" - Yes.\n- "shut" - No.'}
    raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]["status"] = status
    assert model_of(raw).resource("orders").field("status").enum == ("open", "shut")


def test_where_nothing_is_required_the_name_is_and_this_is_said() -> None:
    raw = shop()
    del raw["components"]["schemas"]["Order"]["allOf"][1]["required"]
    orders = model_of(raw).resource("orders")
    assert [field.name for field in orders.fields if field.required] == ["title"]
    assert orders.assumptions == ("Creating an order needs `title`: the document requires nothing.",)


def test_no_package_has_more_than_forty_tools() -> None:
    raw = shop()
    item, collection = raw["paths"]["/v1/orders/{id}"], raw["paths"]["/v1/orders"]
    for number in range(12):
        raw["paths"][f"/v1/things{number}"], raw["paths"][f"/v1/things{number}/{{id}}"] = collection, item
    model = model_of(raw)
    assert sum(len(one.tools) for one in model.resources) <= 41  # forty from families, and one action
    assert "beyond the 40 tools of one environment" in left_out(model).values()


@pytest.mark.parametrize("form", ["data", "results", "orders", None])
def test_a_list_is_found_under_any_wrapper(form: str | None) -> None:
    raw: dict[str, Any] = shop()
    schema = {"type": "array", "items": {"$ref": "#/components/schemas/Order"}}
    wrapped = schema if form is None else {"type": "object", "properties": {form: schema, "total": {"type": "integer"}}}
    raw["paths"]["/v1/orders"]["get"]["responses"]["200"]["content"]["application/json"]["schema"] = wrapped
    assert model_of(raw).resource("orders").tool("list") is not None


@pytest.mark.parametrize(
    ("schema", "initial"),
    [
        ({"type": "string", "enum": ["open", "paid"], "default": "open"}, "open"),
        ({"type": "string", "enum": ["open", "paid"], "default": "nothing"}, None),
        ({"type": "integer", "default": 3, "maximum": 2}, None),
        ({"type": "integer", "default": True}, None),
        ({"type": "boolean", "default": False}, False),
        ({"type": "string", "default": ""}, None),
        ({"type": "string", "format": "date", "default": "today"}, None),
    ],
)
def test_a_created_row_has_its_defaults_where_they_are_values_of_their_columns(schema: Any, initial: Any) -> None:
    raw = shop()
    raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]["state"] = schema
    assert model_of(raw).resource("orders").field("state").initial == initial


def test_a_search_looks_where_people_write_words() -> None:
    raw = shop()
    order = raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]
    order |= {"time_zone": {"type": "string"}, "web_url": {"type": "string"}, "location": {"type": "string"}}
    raw["paths"]["/v1/orders"]["get"]["parameters"].append({"name": "q", "in": "query", "schema": {"type": "string"}})
    search = next(one for one in model_of(raw).resource("orders").listing.filters if one.op == "search")
    assert search.columns[:3] == ("title", "location", "note")


def test_a_table_comes_after_those_it_may_refer_to() -> None:
    raw = shop()
    raw["paths"] = dict(reversed(list(raw["paths"].items())))
    raw["components"]["schemas"]["Order"]["allOf"][1]["required"] = ["title"]
    tables = [one.table for one in model_of(raw).resources]
    assert tables.index("customers") < tables.index("orders")


def test_a_name_that_trainers_call_is_no_tool() -> None:
    raw = shop()
    raw["paths"] = {path.replace("customers", "rewards"): item for path, item in raw["paths"].items()}
    names = [tool.name for tool in model_of(raw).resource("rewards").tools]
    assert "get_one_reward" in names
    assert not RESERVED_NAMES & set(names)


def test_what_points_at_a_borrowed_key_has_the_kind_of_the_first() -> None:
    desk = Field("id", "id", "integer", role="key")
    plan = Field("id", "id", "text", role="key", references="desks")
    step = Field("plan_id", "planId", "text", role="parent", references="plans")
    tables = [
        Resource("desks", "desk", "", (desk,), "id", minted=True),
        Resource("plans", "plan", "", (plan,), "id", minted=False),
        Resource("steps", "step", "", (Field("id", "id", "text", role="key"), step), "id", minted=True, parent="plans"),
    ]
    desks, plans, steps = without_copies(tables)
    kinds = [desks.key_field.kind, plans.key_field.kind, steps.field("plan_id").kind, steps.key_field.kind]
    assert kinds == ["integer", "integer", "integer", "text"]


@pytest.mark.parametrize("column", ["issued", "issued_at", "issued_on", "issued_date"])
def test_a_bound_finds_its_date_however_the_column_is_spelled(column: str) -> None:
    raw = shop()
    raw["components"]["schemas"]["Order"]["allOf"][1]["properties"][column] = {"type": "string", "format": "date"}
    raw["paths"]["/v1/orders"]["get"]["parameters"].append(
        {"name": "issued_before", "in": "query", "schema": {"type": "string", "format": "date"}}
    )
    filters = model_of(raw).resource("orders").listing.filters
    assert [(one.argument, one.op) for one in filters if one.column == column] == [("issued_before", "<=")]
