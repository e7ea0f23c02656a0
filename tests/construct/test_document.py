"""References, unions and nullability are resolved before anything is decided."""

from __future__ import annotations

from typing import Any

import pytest

from envfactory_gym.construct import BuildError
from envfactory_gym.construct.openapi.document import Document

MINIMAL: dict[str, Any] = {"openapi": "3.0.0", "paths": {"/pets": {"get": {}}}}


def document(**schemas: Any) -> Document:
    return Document({**MINIMAL, "components": {"schemas": schemas}})


@pytest.mark.parametrize(
    ("ref", "says"),
    [
        ("#/components/schemas/Nobody", "leads nowhere"),
        ("other.yaml#/Pet", "leaves this document"),
        ("#/components/schemas/A", "leads back to itself"),
    ],
)
def test_references_that_lead_nowhere_are_refused(ref: str, says: str) -> None:
    with pytest.raises(BuildError, match=says):
        document(A={"$ref": "#/components/schemas/A"}).shape({"$ref": ref})


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "nullable": True},
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Word"}]},
        {"type": "string", "enum": ["a", None]},
        {"type": "string", "x-nullable": True},
    ],
)
def test_all_spellings_of_nullable_are_one(schema: dict[str, Any]) -> None:
    shape = document(Word={"type": "string"}).shape(schema)
    assert (shape["type"], shape["nullable"]) == ("string", True)
    assert None not in shape.get("enum", [])


def test_allof_holds_wholly_and_oneof_in_part() -> None:
    parts = [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]
    both, either = document().shape({"allOf": parts}), document().shape({"oneOf": parts})
    assert (sorted(both["properties"]), both["required"]) == (["a", "b"], ["a", "b"])
    assert (sorted(either["properties"]), either.get("required")) == (["a", "b"], None)


def test_a_schema_that_contains_itself_is_read() -> None:
    tree = {
        "allOf": [{"$ref": "#/components/schemas/Tree"}, {"type": "object", "properties": {"name": {"type": "string"}}}]
    }
    assert list(document(Tree=tree).shape({"$ref": "#/components/schemas/Tree"})["properties"]) == ["name"]


def test_parameters_of_an_operation_replace_those_of_its_path() -> None:
    path = {
        "parameters": [{"name": "limit", "in": "query", "schema": {"default": 5}}, {"name": "id", "in": "path"}],
        "get": {"parameters": [{"name": "limit", "in": "query", "schema": {"default": 50}}]},
    }
    (operation,) = Document({"openapi": "3.0.0", "paths": {"/pets/{id}": path}}).operations()
    assert [(one["name"], one.get("schema")) for one in operation.parameters] == [
        ("limit", {"default": 50}),
        ("id", None),
    ]
