"""Every kind of source is told by its content, and what cannot be read is said in one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym.construct import BuildError
from envfactory_gym.construct.reading import as_document, read

MINIMAL: dict[str, Any] = {"openapi": "3.0.0", "paths": {"/pets": {"get": {}}}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"openapi": "3.0.0",\n "paths": }', "not valid JSON"),
        ("openapi: 3.0.0\npaths: [unclosed\n", "valid YAML"),
        ("just words", "not an API document"),
        ("openapi: 3.0.0\n? {a: b}\n: c\n", "valid YAML"),
        ('{"swagger": "1.2", "paths": {"/a": {}}}', "no API document of a kind"),
        ('{"swagger": "2.0", "paths": {}}', "no paths"),
        ('{"kind": "discovery#restDescription"}', "no methods"),
        ('{"openapi": "2.9", "paths": {"/a": {}}}', "no API document of a kind"),
        ('{"openapi": "3.0.0", "paths": {}}', "no paths"),
        ("&a [*a]", "contains itself"),
        ("[" * 100_000, "nested too deeply"),
        ("", "this file is empty"),
        ("[1]", "not an API document but a list"),
    ],
)
def test_what_is_no_source_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "source.txt"
    path.write_text(text)
    with pytest.raises(BuildError, match=says):
        read(path)


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{\n "openapi": "3.0.0"\n "paths": {}}')
    with pytest.raises(BuildError, match=r"broken\.json:3"):
        read(path)


def test_a_missing_file_and_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="no such file"):
        read(tmp_path / "absent.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00{\x00")
    with pytest.raises(BuildError, match="cannot be read"):
        read(tmp_path / "bytes.json")
    with pytest.raises(BuildError, match="cannot be read"):
        read(tmp_path)


def test_json_and_yaml_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(MINIMAL))
    (tmp_path / "a.yaml").write_text("openapi: 3.0.0\npaths: {/pets: {get: {}}}\n")
    (tmp_path / "wide.json").write_text(json.dumps(MINIMAL), encoding="utf-16")
    assert read(tmp_path / "a.json").raw == read(tmp_path / "a.yaml").raw == read(tmp_path / "wide.json").raw


def test_yaml_means_what_the_same_json_would_mean(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "openapi: 3.0.0\npaths:\n  /pets:\n    get: {responses: {200: {description: ok}}, x-since: 2024-05-01}\n"
        "base: &base {type: string}\nmerged: {<<: *base, format: date}\n"
    )
    raw = read(tmp_path / "a.yaml").raw
    assert raw["paths"]["/pets"]["get"] == {"responses": {"200": {"description": "ok"}}, "x-since": "2024-05-01"}
    assert raw["merged"] == {"type": "string", "format": "date"}


SWAGGER: dict[str, Any] = {
    "swagger": "2.0",
    "parameters": {"Limit": {"name": "limit", "in": "query", "type": "integer", "default": 5}},
    "responses": {"Pet": {"description": "ok", "schema": {"$ref": "#/definitions/Pet"}}},
    "definitions": {"Pet": {"type": "object", "properties": {"name": {"type": "string", "x-nullable": True}}}},
    "paths": {
        "/pets": {
            "parameters": [{"$ref": "#/parameters/Limit"}],
            "get": {"responses": {"200": {"$ref": "#/responses/Pet"}}},
            "post": {
                "parameters": [
                    {"name": "pet", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Pet"}}
                ],
                "responses": {"201": {"$ref": "#/responses/Pet"}},
            },
            "put": {
                "parameters": [
                    {"name": "name", "in": "formData", "type": "string", "required": True},
                    {"name": "age", "in": "formData", "type": "integer"},
                ],
                "responses": {},
            },
        }
    },
}


def test_swagger_2_is_read_as_openapi_3() -> None:
    document = as_document(SWAGGER)
    get, post, put = document.operations()
    assert [(one["name"], one["schema"]["default"]) for one in get.parameters] == [("limit", 5)]
    for shape in (document.response(get), document.body(post), document.response(post)):
        assert shape is not None
        assert (shape["x-name"], list(shape["properties"])) == ("Pet", ["name"])
    form = document.body(put)
    assert form is not None
    assert (form["required"], form["properties"]["age"]["type"]) == (["name"], "integer")
    assert document.kind == "Swagger 2"


DISCOVERY: dict[str, Any] = {
    "kind": "discovery#restDescription",
    "name": "pets",
    "title": "Pets API",
    "resources": {
        "projects": {
            "resources": {
                "pets": {
                    "methods": {
                        "list": {
                            "id": "pets.projects.pets.list",
                            "path": "v1/{+parent}/pets",
                            "flatPath": "v1/projects/{projectsId}/pets",
                            "httpMethod": "GET",
                            "parameters": {
                                "parent": {"location": "path", "type": "string", "required": True},
                                "pageSize": {"location": "query", "type": "integer", "default": "20", "maximum": "50"},
                                "kinds": {"location": "query", "type": "string", "repeated": True},
                            },
                            "response": {"$ref": "Pets"},
                        },
                        "insert": {
                            "id": "pets.projects.pets.insert",
                            "path": "v1/{+parent}/pets",
                            "flatPath": "v1/projects/{projectsId}/pets",
                            "httpMethod": "POST",
                            "request": {"$ref": "Pet"},
                        },
                    }
                }
            }
        }
    },
    "schemas": {
        "Pets": {"type": "object", "properties": {"pets": {"type": "array", "items": {"$ref": "Pet"}}}},
        "Pet": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "annotations": {"required": ["pets.projects.pets.insert"]}},
                "born": {"type": "string", "format": "google-datetime"},
            },
        },
    },
}


def test_a_discovery_document_is_read_as_openapi_3() -> None:
    document = as_document(DISCOVERY)
    listing, insert = document.operations()
    assert listing.path == insert.path == "/v1/projects/{projectsId}/pets"
    parameters = {one["name"]: one for one in listing.parameters}
    assert sorted(parameters) == ["kinds", "pageSize", "projectsId"]
    assert (parameters["pageSize"]["schema"]["default"], parameters["kinds"]["schema"]["type"]) == (20, "array")
    pet = document.body(insert)
    assert pet is not None
    assert (pet["x-name"], pet["required"], pet["properties"]["born"]["format"]) == ("Pet", ["name"], "date-time")
