"""Schemas as flat lists of leaves, and values at the paths that they name."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_gym.synthesize.graph.flatten import leaves, put_at, values_at

NAMES = st.text("abc_", min_size=1, max_size=4)
PLAIN: st.SearchStrategy[tuple[dict[str, Any], Any]] = st.sampled_from(
    [({"type": "string"}, "x"), ({"type": "integer"}, 7), ({"anyOf": [{"type": "number"}, {"type": "null"}]}, 1.5)]
)


def nested(children: st.SearchStrategy[tuple[dict[str, Any], Any]]) -> st.SearchStrategy[tuple[dict[str, Any], Any]]:
    objects = st.dictionaries(NAMES, children, min_size=1, max_size=3).map(
        lambda parts: (
            {"type": "object", "properties": {k: v[0] for k, v in parts.items()}, "required": sorted(parts)},
            {k: v[1] for k, v in parts.items()},
        )
    )
    lists = children.map(lambda part: ({"type": "array", "items": part[0]}, [part[1], part[1]]))
    return objects | lists


SCHEMAS = st.recursive(PLAIN, nested, max_leaves=8)


@settings(max_examples=120)
@given(SCHEMAS)
def test_every_leaf_s_path_leads_to_plain_values(made: tuple[dict[str, Any], Any]) -> None:
    schema, value = {"properties": {"top": made[0]}, "required": ["top"]}, {"top": made[1]}
    found = leaves(schema)
    assert found
    for leaf in found:
        values = values_at(value, leaf.path)
        assert values
        assert not any(isinstance(one, (dict, list)) for one in values)
        assert leaf.required


@settings(max_examples=120)
@given(SCHEMAS)
def test_what_is_put_at_a_path_is_found_there_and_nothing_else_changes(made: tuple[dict[str, Any], Any]) -> None:
    schema, value = {"properties": {"top": made[0]}}, {"top": made[1]}
    before = repr(value)
    for leaf in leaves(schema):
        if not leaf.path.endswith("[]"):
            changed = put_at(value, leaf.path, "new")
            assert values_at(changed, leaf.path)[0] == "new"
            assert put_at(changed, leaf.path, values_at(value, leaf.path)[0]) == value
    assert repr(value) == before


def test_lists_of_objects_in_objects_are_followed_and_optional_parts_are_told() -> None:
    leg = {
        "type": "object",
        "properties": {"code": {"type": "string"}, "note": {"type": "string"}},
        "required": ["code"],
    }
    trip = {"type": "object", "properties": {"legs": {"type": "array", "items": leg}}, "required": ["legs"]}
    found = leaves({"properties": {"trips": {"type": "array", "items": trip}}, "required": ["trips"]})
    assert [(leaf.path, leaf.required) for leaf in found] == [
        ("trips[].legs[].code", True),
        ("trips[].legs[].note", False),
    ]


def test_a_list_of_plain_values_is_one_input_and_dates_are_told_from_text() -> None:
    (codes,) = leaves({"type": "array", "items": {"type": "string"}}, path="codes", lists_whole=True)
    assert (codes.path, codes.type) == ("codes", "string")
    (day,) = leaves({"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}, path="day")
    assert day.type == "date"
