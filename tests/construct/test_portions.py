"""A part of a document is what was asked for, and several parts together are all of it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from envfactory_gym import Package
from envfactory_gym.construct import BuildError, build, build_parts
from envfactory_gym.construct.model import Model
from envfactory_gym.construct.portions import BEYOND, fit, split
from envfactory_gym.construct.reading import as_document, model_of

from .shop import shop

LARGE = 14
"""Copies of the orders; with six tools each, more than one environment may have."""


def large() -> dict[str, Any]:
    raw = shop()
    for number in range(LARGE):
        for path in ("/v1/orders", "/v1/orders/{id}", "/v1/orders/{id}/cancel"):
            raw["paths"][path.replace("orders", f"deals{number}")] = copy.deepcopy(raw["paths"][path])
    return raw


def whole(raw: dict[str, Any], only: tuple[str, ...] = ()) -> Model:
    return model_of(as_document(raw, "shop.yaml"), "shop", only)


def tools(model: Model) -> list[str]:
    return [tool.operation for one in model.resources for tool in one.tools]


def test_what_fits_stays_whole() -> None:
    model = whole(shop())
    assert fit(model) is model
    assert split(model) == [model]


def test_a_part_has_at_most_forty_tools_and_says_what_did_not_fit() -> None:
    model = fit(whole(large()))
    assert len(tools(model)) <= 40
    beyond = [one.operation for one in model.left_out if one.reason == BEYOND]
    assert len(set(tools(model))) + len(model.left_out) == model.operations
    assert beyond and set(beyond).isdisjoint(tools(model))


def test_parts_together_hold_every_tool_and_account_for_every_operation() -> None:
    model = whole(large())
    parts = split(model)
    assert len(parts) > 1
    assert max(len(tools(part)) for part in parts) <= 40
    assert {one for part in parts for one in tools(part)} == set(tools(model))
    assert {one.operation for part in parts for one in part.left_out} == {one.operation for one in model.left_out}
    assert len({part.name for part in parts}) == len(parts)
    assert all(len(part.name) <= 20 for part in parts)


def test_a_part_refers_to_nothing_that_it_does_not_hold() -> None:
    for part in [fit(whole(large())), *split(whole(large()))]:
        held = {one.table for one in part.resources}
        for resource in part.resources:
            names = {field.name for field in resource.fields}
            assert {field.references for field in resource.fields if field.references} <= held
            assert all(argument.name in names for tool in resource.tools for argument in tool.arguments)
            assert all(one.column in names for one in resource.listing.filters if one.column)


@pytest.mark.parametrize(
    ("only", "tables"),
    [
        (("/v1/orders",), {"orders"}),
        (("GET /v1/orders", "POST /v1/orders"), {"orders"}),
        (("Orders",), {"orders"}),
        (("placeOrder",), {"orders"}),
        (("/v1/customers/{customerId}/addresses",), {"customers", "addresses"}),
    ],
)
def test_only_means_tags_paths_and_operations(only: tuple[str, ...], tables: set[str]) -> None:
    raw = shop()
    raw["paths"]["/v1/orders"]["post"] |= {"operationId": "placeOrder", "tags": ["orders"]}
    raw["paths"]["/v1/orders"]["get"]["tags"] = ["orders"]
    model = whole(raw, only)
    assert {one.table for one in model.resources} == tables
    assert len(set(tools(model))) + len(model.left_out) == model.operations


def test_what_is_nested_brings_what_it_is_nested_under_without_its_changes() -> None:
    model = whole(shop(), ("/v1/customers/{customerId}/addresses",))
    assert [tool.verb for tool in model.resource("customers").tools] == ["list", "get", "create"]
    assert model.assumptions[0] == "Only a part was asked for: 7 of the document's 18 operations."


def test_only_that_means_nothing_is_refused_with_what_there_is() -> None:
    raw = shop()
    raw["paths"]["/v1/orders"]["get"]["tags"] = ["Orders"]
    with pytest.raises(BuildError, match=r"no operation has the tag, path or id 'Odrers'[\s\S]*Orders"):
        whole(raw, ("Odrers",))


def test_several_packages_load_and_carry_their_own_account(tmp_path: Path) -> None:
    source = tmp_path / "shop.yaml"
    source.write_text(yaml.safe_dump(large(), sort_keys=False))
    made = build_parts(source, tmp_path / "parts", name="shop")
    assert len(made) > 1
    for name, coverage in made.items():
        package = Package.load(tmp_path / "parts" / name, trusted=True)
        assert set(coverage.tools) == set(package.tools)
        assert (tmp_path / "parts" / name / "coverage.json").is_file()
    first = next(iter(made))
    alone = build(source, tmp_path / "one", only=[next(iter(made[first].tools.values())).partition(" ")[2]])
    assert alone.beyond == 0
    assert build(source, tmp_path / "all").beyond > 0


def test_a_tool_whose_only_field_points_into_another_package_is_left_out() -> None:
    raw = large()
    body = {
        "content": {
            "application/json": {"schema": {"type": "object", "properties": {"customer_id": {"type": "string"}}}}
        }
    }
    raw["paths"]["/v1/deals9/{id}/assign"] = {"post": {"requestBody": body, "responses": {}}}
    (part,) = [one for one in split(whole(raw)) if "deals9s" in {each.table for each in one.resources}]
    held = {one.table for one in part.resources}
    reasons = {one.operation: one.reason for one in part.left_out}
    told = "no field that is modelled could be changed by it"
    assert (reasons.get("POST /v1/deals9/{id}/assign") == told) == ("customers" not in held)
    assert "customers" not in held
