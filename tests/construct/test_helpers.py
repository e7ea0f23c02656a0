"""Emitted helpers have no branch that nothing can reach, and what goes together goes in an order that works."""

from __future__ import annotations

import pytest

from envfactory_gym.construct.emit.helpers import helpers_for
from envfactory_gym.construct.emit.ownership import Owned, deletions
from envfactory_gym.construct.model import Field, Resource

from .shop import model_of, shop

CALLS = "flag(x) parsed(x) packed(x)"


@pytest.mark.parametrize("required", [True, False])
def test_a_helper_asks_for_a_missing_value_only_where_one_can_be_missing(required: bool) -> None:
    raw = shop()
    schemas = raw["components"]["schemas"]
    members = {"label": {"type": "string"}, "city": {"type": "string"}, "main": {"type": "boolean"},
               "tags": {"type": "array", "items": {"type": "string"}}}  # fmt: skip
    schemas["Address"] = {"type": "object", "properties": members, "required": list(members) if required else ["label"]}
    del raw["paths"]["/v1/orders"], raw["paths"]["/v1/orders/{id}"], raw["paths"]["/v1/orders/{id}/cancel"]
    for name in ("newsletter", "tags", "phones"):
        del schemas["Customer"]["allOf"][1]["properties"][name]
    helpers = helpers_for(CALLS, model_of(raw))
    assert len(helpers) == 3
    assert all(("is None" in helper) != required for helper in helpers)


def test_what_refers_to_others_is_deleted_before_them_and_circles_are_opened_first() -> None:
    def table(name: str, *targets: str) -> Owned:
        fields = tuple(Field(f"{target}_id", target, "text", references=target) for target in targets)
        return Owned(Resource(name, name, "", fields, "id", minted=True), "home_id = :key")

    going = [table("environments", "projects", "tests"), table("tests", "projects"), table("steps", "tests", "steps")]
    assert deletions(going) == [
        f"DELETE FROM {name} WHERE home_id = :key" for name in ("steps", "environments", "tests")
    ]
    assert deletions([table("doors", "keys"), table("keys", "doors")]) == [
        "UPDATE doors SET keys_id = NULL WHERE home_id = :key",
        "DELETE FROM keys WHERE home_id = :key",
        "DELETE FROM doors WHERE home_id = :key",
    ]
