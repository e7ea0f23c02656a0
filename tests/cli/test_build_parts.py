"""A large source becomes several packages, a part of one is what was asked for, and a database is a source too."""

from __future__ import annotations

import copy
from pathlib import Path

import yaml

from tests.construct.shop import shop

from .conftest import Terminal


def large(folder: Path) -> Path:
    raw = shop()
    for number in range(10):
        for path in ("/v1/orders", "/v1/orders/{id}", "/v1/orders/{id}/cancel"):
            raw["paths"][path.replace("orders", f"deals{number}")] = copy.deepcopy(raw["paths"][path])
    source = folder / "large.yaml"
    source.write_text(yaml.safe_dump(raw, sort_keys=False))
    return source


def test_what_does_not_fit_is_said_with_the_way_out(envfactory: Terminal, tmp_path: Path) -> None:
    answer = envfactory("build", large(tmp_path), "--out", tmp_path / "one")
    assert answer.code == 0
    assert "did not fit: --split makes several packages of this source, --only chooses a part of it." in answer.out


def test_split_makes_a_package_for_each_part(envfactory: Terminal, tmp_path: Path) -> None:
    answer = envfactory("build", large(tmp_path), "--out", tmp_path / "parts", "--split", "--json")
    packages = answer.data["packages"]
    assert len(packages) > 1
    for one in packages:
        assert len(one["tools"]) <= 40
        assert (Path(one["path"]) / "server.py").is_file()


def test_only_builds_the_part_that_was_asked_for(envfactory: Terminal, tmp_path: Path) -> None:
    answer = envfactory("build", large(tmp_path), "--out", tmp_path / "part", "--only", "/v1/orders", "--json")
    assert {name.rpartition("_")[2] for name in answer.data["tools"]} == {"orders", "order"}
    refused = envfactory("build", large(tmp_path), "--out", tmp_path / "none", "--only", "Parrots")
    assert refused.code == 2
    assert "no operation has the tag, path or id 'Parrots'" in refused.err


def test_a_script_of_sql_is_a_source(envfactory: Terminal, tmp_path: Path) -> None:
    source = tmp_path / "notes.sql"
    source.write_text(
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL);\nINSERT INTO notes VALUES (1, 'x');"
    )
    answer = envfactory("build", source, "--out", tmp_path / "notes", "--json")
    assert (answer.data["rows"], len(answer.data["tools"])) == (1, 5)
