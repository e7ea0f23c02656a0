"""Making and proving: build compiles, verify executes, and only then is code trusted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import copy_of_lending

from .conftest import Terminal

PETS = {
    "openapi": "3.0.3",
    "info": {"title": "Kennel", "version": "1"},
    "paths": {
        "/dogs": {
            "get": {"operationId": "listDogs", "responses": {"200": {"description": "all", "content": {}}}},
            "post": {
                "operationId": "addDog",
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Dog"}}},
                    "required": True,
                },
                "responses": {"201": {"description": "made"}},
            },
        },
        "/dogs/{dog_id}": {
            "parameters": [{"name": "dog_id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "get": {
                "operationId": "getDog",
                "responses": {
                    "200": {
                        "description": "one",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Dog"}}},
                    }
                },
            },
            "delete": {"operationId": "removeDog", "responses": {"204": {"description": "gone"}}},
        },
    },
    "components": {
        "schemas": {
            "Dog": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "id": {"type": "string", "readOnly": True},
                    "name": {"type": "string"},
                    "breed": {"type": "string", "enum": ["collie", "poodle", "terrier"]},
                },
            }
        }
    },
}


@pytest.fixture
def document(tmp_path: Path) -> Path:
    """A small OpenAPI document."""
    path = tmp_path / "pets.json"
    path.write_text(json.dumps(PETS))
    return path


def test_build_says_what_became_of_the_document(envfactory: Terminal, document: Path, tmp_path: Path) -> None:
    made = envfactory("build", document, "--out", tmp_path / "kennel", "--json").data
    assert made["operations"] == 4
    assert len(made["tools"]) + len(made["left_out"]) == 4
    assert (tmp_path / "kennel" / "server.py").is_file()
    again = envfactory("build", document, "--out", tmp_path / "kennel")
    assert (again.code, "4 operations" in again.out, "envfactory verify" in again.out) == (0, True, True)


def test_build_refuses_to_replace_what_it_did_not_make(envfactory: Terminal, document: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    refused = envfactory("build", document, "--out", tmp_path / "mine")
    assert (refused.code, "--force" in refused.err) == (2, True)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("content", ["{", "[]", '{"openapi": "3.0.0"}', ""])
def test_build_explains_a_source_it_cannot_use(envfactory: Terminal, tmp_path: Path, content: str) -> None:
    (tmp_path / "source.json").write_text(content)
    answer = envfactory("build", tmp_path / "source.json", "--out", tmp_path / "out")
    assert (answer.code, answer.err.startswith("error: ")) == (2, True)
    assert not (tmp_path / "out").exists()


def test_verify_passes_and_then_the_code_is_trusted(envfactory: Terminal, tmp_path: Path) -> None:
    folder = copy_of_lending(tmp_path)
    assert envfactory("run", folder).code == 2
    answer = envfactory("verify", folder, "--jobs", "1")
    assert answer.code == 0, answer.out
    assert "mutation: 9" in answer.out
    assert envfactory("run", folder, "--agent", "gold").code == 0
    with (folder / "server.py").open("a") as file:
        file.write("\n# changed since\n")
    assert envfactory("run", folder).code == 2


def test_verify_shows_evidence_first_and_fails(envfactory: Terminal, tmp_path: Path) -> None:
    folder = copy_of_lending(tmp_path, ("policy.md", "[extend-once]", "[extend-never]"))
    answer = envfactory("verify", folder, "--jobs", "1")
    assert answer.code == 1
    assert answer.out.index("FAILED") < answer.out.index("verdict")
    assert "did not pass" in answer.out
    assert envfactory("run", folder).code == 2


def test_verify_goes_on_after_a_package_that_cannot_be_read(
    envfactory: Terminal, trusted_lending: str, tmp_path: Path
) -> None:
    broken = copy_of_lending(tmp_path, ("environment.yaml", "title:", "titel:"))
    answer = envfactory("verify", broken, trusted_lending, "--task", "return-sander", "--json")
    assert (answer.code, [report["environment"] for report in answer.data]) == (2, ["EnvFactory/lending-v0"])
    assert f"{broken / 'environment.yaml'}:" in answer.err


def test_verify_as_json_carries_every_finding(envfactory: Terminal, trusted_lending: str) -> None:
    (report,) = envfactory("verify", "lending", "--task", "return-sander", "--jobs", "1", "--json").data
    assert report["passed"] is True
    assert {"static", "behaviours", "atomicity"} <= set(report["checks"])
    (scripted, *_) = report["certificates"]
    assert [row["check"] for row in scripted["findings"]][:2] == ["gold", "sources"]


def test_verify_write_pins_tasks_to_what_they_were_certified_against(envfactory: Terminal, tmp_path: Path) -> None:
    folder = copy_of_lending(tmp_path)
    assert envfactory("verify", folder, "--write", "--jobs", "1").code == 0
    shown = envfactory("show", folder, "--json").data
    report = json.loads((folder / "report.json").read_text())
    assert report["package_hash"] == shown["package_hash"]
    assert {task["world_hash"] for task in shown["tasks"]} == {shown["world_hash"]}
    # A second time changes nothing: what is pinned is true.
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert envfactory("verify", folder, "--write", "--jobs", "1").code == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_verify_write_pins_anew_after_an_edit(envfactory: Terminal, tmp_path: Path) -> None:
    folder = copy_of_lending(tmp_path)
    assert envfactory("verify", folder, "--write", "--jobs", "1").code == 0
    text = (folder / "server.py").read_text()
    (folder / "server.py").write_text(text + "\n# a remark\n")
    assert envfactory("verify", folder, "--jobs", "1").code == 1
    assert envfactory("verify", folder, "--write", "--jobs", "1").code == 0


def test_verify_tasks_executes_the_certificates_alone(envfactory: Terminal, trusted_lending: str) -> None:
    told = envfactory("verify", trusted_lending, "--tasks", "--json")
    (report,) = told.data
    assert told.code == 0
    assert set(report["checks"]) == {"static", "determinism"}
    assert len(report["certificates"]) == 10
    assert "tasks passed" in envfactory("verify", trusted_lending, "--tasks").out
    assert envfactory("verify", trusted_lending, "--tasks", "--write").code == 2


@pytest.mark.parametrize("inside", ["file", "file/deeper"])
def test_a_path_that_cannot_be_used_is_told_in_one_sentence(
    envfactory: Terminal, document: Path, tmp_path: Path, inside: str
) -> None:
    (tmp_path / "file").write_text("not a folder")
    answer = envfactory("build", document, "--out", tmp_path / inside / "package")
    assert answer.code == 2
    assert "file" in answer.err
    assert "Traceback" not in answer.err
    assert not (tmp_path / "package").exists()
