"""One service in three dialects is one model: OpenAPI 3, Swagger 2, and Google's discovery format."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from envfactory_gym.construct.model import Model
from envfactory_gym.construct.reading import as_document, model_of

from .shop import shop


def schema_of(holder: dict[str, Any]) -> Any:
    return holder["content"]["application/json"]["schema"]


def as_swagger(raw: dict[str, Any]) -> dict[str, Any]:
    """The shop as Swagger 2 would say it."""
    text = json.dumps(raw).replace("#/components/schemas/", "#/definitions/").replace('"nullable"', '"x-nullable"')
    raw = json.loads(text)
    for item in raw["paths"].values():
        for operation in item.values():
            parameters = [
                {**{key: one[key] for key in ("name", "in")}, **one["schema"]}
                for one in operation.pop("parameters", [])
            ]
            if body := operation.pop("requestBody", None):
                parameters.append({"name": "body", "in": "body", "schema": schema_of(body)})
            operation["parameters"] = parameters
            for response in operation["responses"].values():
                if "content" in response:
                    response["schema"] = schema_of(response)
                    del response["content"]
    return {"swagger": "2.0", "info": raw["info"], "paths": raw["paths"], "definitions": raw["components"]["schemas"]}


def as_discovery(raw: dict[str, Any]) -> dict[str, Any]:
    """The shop as a discovery document would say it, with what that format cannot say left out."""
    text = json.dumps(raw).replace("#/components/schemas/", "")
    raw = json.loads(text)
    schemas: dict[str, Any] = {}
    methods: dict[str, Any] = {}

    def named(schema: Any, name: str) -> dict[str, str]:
        if "$ref" in schema:
            return dict(schema)
        schemas[name] = schema
        return {"$ref": name}

    for name, schema in raw["components"]["schemas"].items():
        properties = dict(schema.get("properties", {}))
        required: list[str] = []
        for part in schema.get("allOf", []):
            inside = raw["components"]["schemas"][part["$ref"]] if "$ref" in part else part
            properties |= inside["properties"]
            required += inside.get("required", [])
        required += schema.get("required", [])
        for one in required:
            properties[one] = {**properties[one], "annotations": {"required": [f"shop.{name}.insert"]}}
        schemas[name] = {"id": name, "type": "object", "properties": properties}
    for number, (path, item) in enumerate(raw["paths"].items()):
        for method, operation in item.items():
            plan = {"id": f"shop.m{number}.{method}", "path": path.lstrip("/"), "httpMethod": method.upper()}
            parameters = {
                one["name"]: {"location": "query", **{key: str(value) if key in ("default", "maximum") else value
                                                      for key, value in one["schema"].items()}}
                for one in operation.get("parameters", []) if one["in"] == "query"
            }  # fmt: skip
            if body := operation.get("requestBody"):
                plan["request"] = named(schema_of(body), f"Body{number}{method}")
            for code, response in operation["responses"].items():
                if code.startswith("2") and "content" in response:
                    plan["response"] = named(schema_of(response), f"Response{number}{method}")
            methods[f"m{number}{method}"] = {**plan, "parameters": parameters}
    return {"kind": "discovery#restDescription", "title": raw["info"]["title"], "description": raw["info"]["description"],
            "resources": {"all": {"methods": methods}}, "schemas": schemas}  # fmt: skip


def modelled(raw: dict[str, Any]) -> Model:
    return model_of(as_document(raw), "shop")


def test_swagger_2_gives_the_model_that_openapi_3_gives() -> None:
    model = modelled(as_swagger(shop()))
    assert model.kind == "Swagger 2"
    assert replace(model, kind="") == replace(modelled(shop()), kind="")


def test_a_discovery_document_gives_the_tables_and_tools_that_openapi_3_gives() -> None:
    ours, theirs = modelled(shop()), modelled(as_discovery(shop()))
    assert theirs.kind == "discovery document"
    for one in ours.resources:
        other = theirs.resource(one.table)
        assert [(tool.verb, tool.name) for tool in other.tools] == [(tool.verb, tool.name) for tool in one.tools]
        shapes = {field.name: (field.kind, field.references, field.required) for field in one.fields}
        found = {field.name: (field.kind, field.references, field.required) for field in other.fields}
        assert found.items() <= {**shapes, "old_name": ("text", None, False)}.items()
        assert set(shapes) - set(found) <= {"tier"}  # a union with null is no discovery
